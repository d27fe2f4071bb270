#include "gpu_state.cuh"
#include "in_bands.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using namespace npb_cg;

using Batches = Choices<2, 4>;

// Ki columns of a block of p; 0: as many as there is room for.
struct Shape {
  int batch = 4, columns = 0;
};

constexpr int warps = 16;       // of a block, of which a multiprocessor has one
constexpr int reserved = 4096;  // bytes of shared memory for other things than p and q

struct State {
  DeviceMemory<std::int32_t> first_row, band_batches, warp_batches, warp_slices;
  DeviceMemory<std::uint16_t> rows;
  DeviceMemory<Pair> values;
  DeviceMemory<std::uint32_t> places;
  DeviceMemory<double> vectors;
  DeviceMemory<Posted> posted;
  WaitFlag flag;
  BandCut cut;
  std::size_t shared = 0;
};

template <int batch>
__global__ void __launch_bounds__(32 * warps, 1)
    run_in_bands(const __grid_constant__ Run run, const __grid_constant__ DeviceBands matrix) {
  extern __shared__ double data[];
  __shared__ typename Together<warps>::Shared shared;
  Together<warps> together(run.board, shared);
  InBands<warps, batch> product(matrix, run.fields.p, data, together);
  solve<0>(run, product, together);
}

// Bytes of shared memory for p and q.
std::int64_t room() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448) - reserved; }

// Rows of a band: all have about as many entries, so that some have a few rows more.
std::int64_t most_rows(std::int64_t n, int bands) { return (n / bands + 1) * 17 / 16 + 64; }

// A band a multiprocessor; none where its sums leave no room for columns.
BandCut cut_of(const Problem& problem, const Shape& shape) {
  BandCut cut;
  cut.n = problem.extents.x;
  cut.bands = multiprocessors();
  cut.warps = warps;
  cut.batch = shape.batch;
  const std::int64_t left = room() / 8 - most_rows(cut.n, cut.bands);
  cut.columns =
      shape.columns ? shape.columns * std::int64_t{1024} : std::min(most_band_columns, left / 1024 * 1024);
  if (cut.columns > left || most_rows(cut.n, cut.bands) >= no_row) cut.columns = 0;
  return cut;
}

template <typename Act>
void with_kernel(int batch, const Act& act) {
  Batches::with(batch, [&]<int b>() { act(run_in_bands<b>); });
}

void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const std::int64_t n = call.problem.extents.x;
  Run run = run_of(call, state.vectors.data, {state.posted.data, state.flag.patience()});
  DeviceBands matrix = {n,
                        static_cast<int>(state.cut.columns),
                        static_cast<int>(state.cut.blocks()),
                        state.first_row.data,
                        state.band_batches.data,
                        state.warp_batches.data,
                        state.warp_slices.data,
                        state.rows.data,
                        state.values.data,
                        state.places.data};
  const auto blocks = static_cast<unsigned>(state.cut.bands);
  cudaMemsetAsync(state.posted.data, 0, 2 * most_sums * blocks * sizeof(Posted), stream_of(call));
  void* arguments[] = {&run, &matrix};
  with_kernel(state.cut.batch, [&](auto* kernel) {
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                dim3(static_cast<unsigned>(32 * warps)), arguments, state.shared,
                                stream_of(call));
  });
}

const char* fill(const Call& call, State& state) {
  Bands bands;
  if (const char* why_not = make_bands(call.problem, state.cut, &bands)) return why_not;
  std::int64_t rows = 0;
  for (std::size_t b = 0; b + 1 < bands.first_row.size(); ++b)
    rows = std::max<std::int64_t>(rows, bands.first_row[b + 1] - bands.first_row[b]);
  state.shared = static_cast<std::size_t>(state.cut.columns + rows) * sizeof(double);
  if (static_cast<std::int64_t>(state.shared) > room()) return "less shared memory than a band's sums need";
  if (!state.first_row.fill(bands.first_row) || !state.band_batches.fill(bands.band_batches) ||
      !state.warp_batches.fill(bands.warp_batches) || !state.warp_slices.fill(bands.warp_slices) ||
      !state.rows.fill(bands.rows.get(), 32 * bands.slices) ||
      !state.values.fill(bands.values.get(), 32 * bands.pairs) ||
      !state.places.fill(bands.places.get(), 32 * bands.pairs) ||
      !state.vectors.allocate(5 * vector_room(state.cut.n)) ||
      cudaMemset(state.vectors.data, 0, static_cast<std::size_t>(5 * vector_room(state.cut.n)) * 8) !=
          cudaSuccess ||  // the element beyond an odd number is read with its neighbour
      !state.posted.allocate(2 * most_sums * state.cut.bands) ||
      state.flag.make() != cudaSuccess)
    return "device memory ran out";
  return nullptr;
}

const char* prepare(const Call& call, void** state) {
  auto made = std::make_unique<State>();
  made->cut = cut_of(call.problem, call.tuned<Shape>());
  if (const char* why_not = fill(call, *made)) return why_not;
  cudaError_t error = cudaSuccess;
  with_kernel(made->cut.batch, [&](auto* kernel) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(made->shared));
  });
  if (error != cudaSuccess) {
    cudaGetLastError();
    return "less shared memory than a band needs";
  }
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  return cut_of(problem, shape).columns > 0 ? nullptr : "no room for columns beside the sums of a band";
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return most_entries(problem) * 11 + problem.extents.x * 5 * 8;
}

}  // namespace

Variant npb_cg_cuda_bands() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "one launch; bands of rows, whose sums each block keeps, while blocks of p come one after the other";
  variant.tunables = tunables<Shape>(
      {{"batch", &Shape::batch, Batches::list()}, {"columns", &Shape::columns, {0, 4, 8, 16}}});
  variant.launch = {.float64 = launch};
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = by_name<workspace>;
  return variant;
}

}  // namespace sextant
