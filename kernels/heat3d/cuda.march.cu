#include "march.cuh"
#include "recorded.cuh"

namespace sextant {
namespace {

namespace march_at = heat3d::march_at;

// As many parts along z as fill the waves, of whole planes.
template <int radius, int length, int rows, bool rotate, typename T>
void sweep(const heat3d::March& march, const void* from, void* to, std::int64_t first, std::int64_t last,
           int turn) {
  const Extents& extents = march.call->problem.extents;
  const int* tuning = march.call->tuning;
  cudaLaunchConfig_t config = {};
  config.blockDim = dim3(tuning[march_at::block_x], tuning[march_at::block_y]);
  dim3& grid = config.gridDim;
  grid =
      dim3(blocks_for(extents.x, config.blockDim.x * length),
           blocks_for(heat3d::RowGroups<radius, rows>(static_cast<int>(extents.y)).all, config.blockDim.y));
  const std::int64_t parts = std::max<std::int64_t>(1, march.blocks / (std::int64_t{grid.x} * grid.y)),
                     planes = (last - first + parts - 1) / parts;
  grid.z = blocks_for(last - first, planes);
  config.stream = stream_of(*march.call);
  heat3d::launch_next(config, tuning[march_at::overlap] != 0, heat3d::march<radius, length, rows, rotate, T>,
                      heat3d::Box(extents), static_cast<int>(first), static_cast<int>(last),
                      static_cast<int>(planes), turn, static_cast<const T*>(from), static_cast<T*>(to));
}

template <int radius, int length, int rows, bool rotate, typename T>
void fill(heat3d::March* march) {
  const auto kernel = heat3d::march<radius, length, rows, rotate, T>;
  const int* tuning = march->call->tuning;
  cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
  int resident = 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel,
                                                tuning[march_at::block_x] * tuning[march_at::block_y], 0);
  march->sweep = sweep<radius, length, rows, rotate, T>;
  march->blocks = std::int64_t{tuning[march_at::waves]} * std::max(resident, 1) * heat3d::multiprocessors();
}

// Vectors of 16 bytes where every row's start is aligned for them, otherwise of one element.
template <int radius, typename T>
void fill(heat3d::March* march) {
  const int* tuning = march->call->tuning;
  heat3d::MarchRows::with(tuning[march_at::rows], [&]<int rows>() {
    constexpr int length = vector_length<T>;
    if (march->call->problem.extents.x % length != 0)
      fill<radius, 1, rows, false, T>(march);
    else if (tuning[march_at::rotate])
      fill<radius, length, rows, true, T>(march);
    else
      fill<radius, length, rows, false, T>(march);
  });
}

template <typename T>
void launch_all(const Call& call) {
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const heat3d::March march = heat3d::march_of(call);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                             heat3d::workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, 0, call.problem.extents.z, static_cast<int>(step & 1));
  }
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t launches = heat3d::steps_of(call.problem);
  return call.problem.type == ElementType::float64
             ? heat3d::prepare_recorded<double>(call, state, launches, launch_all<double>)
             : heat3d::prepare_recorded<float>(call, state, launches, launch_all<float>);
}

}  // namespace

heat3d::March heat3d::march_of(const Call& call) {
  March march{nullptr, &call, 0};
  Radii::with(radius_of(call.problem), [&]<int radius>() {
    call.problem.type == ElementType::float64 ? fill<radius, double>(&march) : fill<radius, float>(&march);
  });
  return march;
}

// Floor: 8 bytes a point of floats at 4.3 TB/s, 537 G points/s. Measured on an H200 in 256 x 256 x 1024
// floats: 497, 498, 410, 389 for R = 1 … 4; what the difference consists of is in docs/heat-stencil.md.
Variant heat3d_cuda_march() {
  Variant variant = heat3d::device_variant(
      "columns of vectors march along z in registers, neighbours from the first-level cache, steps in a "
      "graph");
  variant.tunables = heat3d::march_tunables();
  variant.adapt = heat3d::adapt_march;
  variant.constraint = heat3d::refuse_march;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
