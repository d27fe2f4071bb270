#include <cuda_runtime.h>

#include "bands.hpp"
#include "gpu_state.cuh"
#include "in_blocks.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

// Matrix-vector product q = A p with one band of rows (bands.hpp) per thread block. Shared memory holds the
// sums of the band's rows and one block of p at a time. The matrix is read once from global memory.
namespace sextant::npb_cg {
namespace {

struct DeviceBands {
  std::int64_t n;
  int columns, blocks;
  const std::int32_t *first_row, *band_batches, *warp_batches, *warp_slices;
  const std::uint16_t* rows;
  const Pair* values;
  const std::uint32_t* places;
};

// Product of one band by one thread block with `warps` warps. A warp loads `batch` pairs of steps at a time.
template <int warps, int batch>
class InBands {
 public:
  static constexpr int threads = 32 * warps;

  // `shared` must hold a block of p, followed by the band's sums.
  __device__ InBands(const DeviceBands& matrix, const double* p, double* shared, Together<warps>& together)
      : m_(matrix), own_p_(p), from_(nullptr), p_(shared), q_(shared + matrix.columns), together_(together) {
    const int at = static_cast<int>(blockIdx.x) * warps + warp();
    batches_ = m_.warp_batches[at];
    first_batch_ = m_.band_batches[blockIdx.x] + warp();
    first_slice_ = m_.warp_slices[at];
    start();
  }

  __device__ std::int64_t first() const { return m_.first_row[blockIdx.x] + static_cast<int>(threadIdx.x); }
  __device__ std::int64_t stride() const { return threads; }
  __device__ std::int64_t end() const { return m_.first_row[blockIdx.x + 1]; }

  __device__ __forceinline__ void load(const double* v) { from_ = v; }
  // Waits for all thread blocks, because the next product reads elements of p that other blocks compute.
  __device__ __forceinline__ void follow(const double*, double) {
    from_ = own_p_;
    together_.wait();
  }

  __device__ __forceinline__ void multiply() {
    const int lane = static_cast<int>(threadIdx.x) % 32,
              count = static_cast<int>(end() - m_.first_row[blockIdx.x]);
    for (int i = static_cast<int>(threadIdx.x); i < count; i += threads) q_[i] = 0;
    block_ = 0;
    next_block();
    const std::uint16_t* row = m_.rows + static_cast<std::int64_t>(first_slice_) * 32 + lane;
    unsigned at = row[0], next = row[32];
    row += 64;
    double sum = 0;
    const auto end_slice = [&] {
      if (at != no_row) q_[at] += sum;
      sum = 0;
      at = next, next = *row, row += 32;
    };
    const Pair* value = values() + 32 * batch * warps * stages;
    const std::uint32_t* place = places() + 32 * batch * warps * stages;
    for (int b = 0; b < batches_; b += stages) {
#pragma unroll
      for (int s = 0; s < stages; ++s) {
        if (b + s >= batches_) break;
#pragma unroll
        for (int u = 0; u < batch; ++u) {
          const unsigned both = coming_[s].place[u];
          sum += coming_[s].value[u].first * p_[both & (most_band_columns - 1)];
          if (both & ends_slice) end_slice();
          sum += coming_[s].value[u].second * p_[both >> 16 & (most_band_columns - 1)];
          if (both & ends_slice << 16) end_slice();
          if (both & ends_block << 16) next_block();
        }
        if (b + s + stages < batches_) coming_[s].read(value, place, stream_policy());
        value += 32 * batch * warps;
        place += 32 * batch * warps;
      }
    }
    start();
  }

  __device__ __forceinline__ void wait(Together<warps>&) const { __syncthreads(); }
  __device__ __forceinline__ double gather(std::int64_t row) const {
    return q_[row - m_.first_row[blockIdx.x]];
  }

 private:
  static __device__ __forceinline__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  __device__ __forceinline__ std::int64_t first_entry() const {
    return static_cast<std::int64_t>(first_batch_) * batch * 32 + static_cast<int>(threadIdx.x) % 32;
  }
  __device__ __forceinline__ const Pair* values() const { return m_.values + first_entry(); }
  __device__ __forceinline__ const std::uint32_t* places() const { return m_.places + first_entry(); }

  __device__ __forceinline__ void start() {
#pragma unroll
    for (int s = 0; s < stages; ++s)
      if (s < batches_)
        coming_[s].read(values() + 32 * batch * warps * s, places() + 32 * batch * warps * s,
                        stream_policy());
  }

  // Copies the next block of the vector to shared memory when all warps have finished with the previous one.
  // Does nothing after the last block. For a vector of odd length it also copies one padding element.
  __device__ __forceinline__ void next_block() {
    __syncthreads();
    const int block = block_++;
    if (block >= m_.blocks) return;
    const std::int64_t first = static_cast<std::int64_t>(block) * m_.columns;
    const int pairs = static_cast<int>((min(static_cast<std::int64_t>(m_.columns), m_.n - first) + 1) / 2);
    const double* const from = from_ + first;
    for (int i = static_cast<int>(threadIdx.x); i < pairs; i += threads) {
      const auto to = static_cast<unsigned>(__cvta_generic_to_shared(p_ + 2 * i));
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from + 2 * i) : "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
  }

  const DeviceBands& m_;
  const double* const own_p_;
  const double* from_;
  double *const p_, *const q_;
  Together<warps>& together_;
  int batches_, first_batch_, first_slice_, block_ = 0;
  Steps<batch> coming_[stages];
};

}  // namespace
}  // namespace sextant::npb_cg

namespace sextant {
namespace {

using namespace npb_cg;

using Batches = Choices<2, 4>;

// Tunables. batch: pairs of steps that a warp loads at a time. columns: columns per block of p, in units of
// 1024; 0: as many as fit in shared memory.
struct Shape {
  int batch = 4, columns = 0;
};

constexpr int warps = 16;       // warps per thread block; each multiprocessor runs one block
constexpr int reserved = 4096;  // bytes of shared memory for other data than p and q

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

// Returns the bytes of shared memory that are available for p and q.
std::int64_t room() { return device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448) - reserved; }

// Returns an upper bound on the rows of a band. Bands have about equally many nonzeros, so some have more
// rows than the mean.
std::int64_t most_rows(std::int64_t n, int bands) { return (n / bands + 1) * 17 / 16 + 64; }

// Chooses one band per multiprocessor. Sets `columns` to 0 if the band's sums leave no shared memory for p.
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
  Run run = run_of(call, state.vectors.data, {state.posted.data, state.flag.poll_limit()});
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
  if (static_cast<std::int64_t>(state.shared) > room())
    return "the GPU has too little shared memory for a band's sums";
  if (!state.first_row.fill(bands.first_row) || !state.band_batches.fill(bands.band_batches) ||
      !state.warp_batches.fill(bands.warp_batches) || !state.warp_slices.fill(bands.warp_slices) ||
      !state.rows.fill(bands.rows.get(), 32 * bands.slices) ||
      !state.values.fill(bands.values.get(), 32 * bands.pairs) ||
      !state.places.fill(bands.places.get(), 32 * bands.pairs) ||
      !state.vectors.allocate(5 * vector_room(state.cut.n)) ||
      cudaMemset(state.vectors.data, 0, static_cast<std::size_t>(5 * vector_room(state.cut.n)) * 8) !=
          cudaSuccess ||  // kernels read one padding element after a vector of odd length
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
    return "the GPU has too little shared memory for a band";
  }
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  return cut_of(problem, shape).columns > 0
             ? nullptr
             : "a band's sums leave too little shared memory for a block of columns";
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return most_entries(problem) * 11 + problem.extents.x * 5 * 8;
}

}  // namespace

std::vector<Variant> npb_cg_cuda_bands() {
  return {
      {.name = "bands",
       .description = "one launch; each block keeps the sums of its band of rows and loads p block by block",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>(
           {{"batch", &Shape::batch, Batches::list()}, {"columns", &Shape::columns, {0, 4, 8, 16}}}),
       .launch = {.float64 = launch},
       .constraint = by_name<constraint>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
