#include "gpu_state.cuh"
#include "in_blocks.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using namespace npb_cg;

using Lanes = Choices<1, 2, 4, 8, 16>;
using Batches = Choices<4>;  // 2 was slower: docs/explanation/programs/npb_cg.md

struct Shape {
  int lanes = 1, batch = 4, column_blocks = 0, l2_keep_mib = 0;
};

constexpr int warps = 16;  // warps per thread block; each multiprocessor runs one block

constexpr std::int64_t step_bytes = 32 * (sizeof(Pair) + sizeof(std::uint32_t));
constexpr int reserved = 4096;  // bytes of shared memory for other data than p

struct State {
  DeviceMemory<std::int32_t> first_row, tile_batches, warp_batches, warp_slices, slice_rows;
  DeviceMemory<Pair> values;
  DeviceMemory<std::uint32_t> places;
  DeviceMemory<double> vectors, parts;
  DeviceMemory<Posted> posted;
  WaitFlag flag;
  Cut cut;
  bool held = false;  // true if the vectors are kept in registers
};

template <int held, bool alone, int batch, int lanes>
__global__ void __launch_bounds__(32 * warps, 1)
    run_in_blocks(const __grid_constant__ Run run, const __grid_constant__ DeviceBlocks matrix) {
  extern __shared__ double p[];
  __shared__ typename Together<warps>::Shared shared;
  Together<warps> together(run.board, shared);
  InBlocks<alone, warps, batch, lanes> product(matrix, p);
  solve<held>(run, product, together);
}

// Returns the maximum number of elements of each vector that a thread keeps in registers. `alone` is true if
// there is a single block of columns.
constexpr int most_held(bool alone) { return alone ? 1 : 3; }

// True if `lanes` lanes per row are supported: 4 or more with a single block of columns, else 4 or fewer.
constexpr bool useful(bool alone, int lanes) { return alone ? lanes >= 4 : lanes <= 4; }

template <typename Act>
void with_kernel(const Shape& shape, const Cut& cut, bool held, const Act& act) {
  Lanes::with(shape.lanes, [&]<int lanes>() {
    Batches::with(shape.batch, [&]<int batch>() {
      if constexpr (useful(true, lanes))
        if (cut.across == 1)
          return act(held ? run_in_blocks<most_held(true), true, batch, lanes>
                          : run_in_blocks<0, true, batch, lanes>);
      if constexpr (useful(false, lanes))
        if (cut.across > 1)
          return act(held ? run_in_blocks<most_held(false), false, batch, lanes>
                          : run_in_blocks<0, false, batch, lanes>);
    });
  });
}

// Chooses at most one tile per multiprocessor. Uses the fewest blocks of columns whose vector elements fit in
// shared memory, but at least `column_blocks`. Sets `across` to 0 if no such division exists.
Cut cut_of(const Problem& problem, const Shape& shape) {
  const std::int64_t n = problem.extents.x, blocks = multiprocessors();
  const std::int64_t bytes = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, 232448) - reserved;
  const std::int64_t least = std::max<std::int64_t>({1, shape.column_blocks, (8 * n + bytes - 1) / bytes});
  Cut cut;
  cut.n = n;
  cut.lanes = shape.lanes;
  cut.warps = warps;
  cut.batch = shape.batch;
  cut.down = static_cast<int>(blocks / std::min(least, blocks));
  cut.across = static_cast<int>(blocks / cut.down);
  if (shape.column_blocks) cut.across = static_cast<int>(least);
  if (least > blocks || cut.columns() * 8 > bytes || cut.columns() > most_columns) cut.across = 0;
  return cut;
}

std::size_t shared_bytes(const Cut& cut) { return static_cast<std::size_t>(cut.columns()) * 8; }

void launch(const Call& call) {
  auto& state = *static_cast<State*>(call.state);
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x;
  Run run = run_of(call, state.vectors.data, {state.posted.data, state.flag.poll_limit()});
  DeviceBlocks matrix = {n,
                         state.cut.across,
                         static_cast<int>(state.cut.columns()),
                         state.first_row.data,
                         state.tile_batches.data,
                         state.warp_batches.data,
                         state.warp_slices.data,
                         state.slice_rows.data,
                         state.values.data,
                         state.places.data,
                         state.parts.data,
                         static_cast<int>(shape.l2_keep_mib * (std::int64_t{1} << 20) /
                                          (state.cut.tiles() * warps * shape.batch * step_bytes))};
  const auto blocks = static_cast<unsigned>(state.cut.tiles());
  cudaMemsetAsync(state.posted.data, 0, 2 * most_sums * blocks * sizeof(Posted), stream_of(call));
  void* arguments[] = {&run, &matrix};
  with_kernel(shape, state.cut, state.held, [&](auto* kernel) {
    cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), dim3(blocks),
                                dim3(static_cast<unsigned>(32 * warps)), arguments, shared_bytes(state.cut),
                                stream_of(call));
  });
}

const char* fill(const Call& call, State& state) {
  Blocks blocks;
  if (const char* why_not = make_blocks(call.problem, state.cut, &blocks)) return why_not;
  const Cut& cut = state.cut;
  std::int64_t rows = 0;  // rows of the longest band
  for (std::size_t b = 0; b < static_cast<std::size_t>(cut.down); ++b)
    rows = std::max<std::int64_t>(rows, blocks.first_row[b + 1] - blocks.first_row[b]);
  const std::int64_t n = cut.n, threads = cut.across == 1 ? 32 * warps : 32 * warps * cut.tiles();
  state.held = (cut.across == 1 ? rows : n) <= threads * most_held(cut.across == 1);
  if (!state.first_row.fill(blocks.first_row) || !state.tile_batches.fill(blocks.tile_batches) ||
      !state.warp_batches.fill(blocks.warp_batches) || !state.warp_slices.fill(blocks.warp_slices) ||
      !state.slice_rows.fill(blocks.slice_rows) ||
      !state.values.fill(blocks.values.get(), 32 * blocks.steps()) ||
      !state.places.fill(blocks.places.get(), 32 * blocks.steps()) ||
      !state.vectors.allocate(5 * vector_room(n)) || !state.parts.allocate(n * cut.across) ||
      !state.posted.allocate(2 * most_sums * cut.tiles()) || state.flag.make() != cudaSuccess)
    return "device memory ran out";
  return nullptr;
}

const char* prepare(const Call& call, void** state) {
  const auto shape = call.tuned<Shape>();
  auto made = std::make_unique<State>();
  made->cut = cut_of(call.problem, shape);
  if (const char* why_not = fill(call, *made)) return why_not;
  cudaError_t error = cudaSuccess;
  with_kernel(shape, made->cut, made->held, [&](auto* kernel) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(shared_bytes(made->cut)));
  });
  if (error != cudaSuccess) {
    cudaGetLastError();
    return "the GPU has too little shared memory for a block of columns";
  }
  *state = made.release();
  return nullptr;
}

const char* constraint(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  if (cut.across == 0) return "no division into blocks of columns fits in shared memory";
  if (useful(cut.across == 1, shape.lanes)) return nullptr;
  return cut.across == 1 ? "lanes must be at least 4, because there is a single block of columns"
                         : "lanes must be at most 4, because rows are divided into several blocks of columns";
}

void adapt(const Problem& problem, Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  const std::int64_t rows = problem.extents.x / std::max(1, cut.down);  // mean rows of a tile
  shape.lanes = cut.across == 1 ? 8 : 1;
  while (cut.across > 1 && shape.lanes < 4 && rows * shape.lanes < 1024) shape.lanes *= 2;
  const std::int64_t mebibytes = 10 * most_entries(problem) >> 20;  // size of the matrix in MiB
  shape.l2_keep_mib = mebibytes <= 32 ? 32 : mebibytes <= 256 ? 24 : mebibytes <= 1024 ? 16 : 0;
}

std::int64_t workspace(const Problem& problem, const Shape& shape) {
  const Cut cut = cut_of(problem, shape);
  return most_entries(problem) * 11 + problem.extents.x * (5 + cut.across) * 8;
}

}  // namespace

std::vector<Variant> npb_cg_cuda_blocks() {
  return {
      {.name = "blocks",
       .description = "one launch; one tile of the matrix per block, with its elements of p in shared memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Shape>({{"lanes", &Shape::lanes, Lanes::list()},
                                    {"batch", &Shape::batch, Batches::list()},
                                    {"column_blocks", &Shape::column_blocks, {0, 2, 3, 4, 6, 8}},
                                    {"l2_keep_mib", &Shape::l2_keep_mib, {0, 8, 16, 24, 32}}}),
       .launch = {.float64 = launch},
       .constraint = by_name<constraint>,
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
