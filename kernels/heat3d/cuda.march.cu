#include "march.cuh"
#include "recorded.cuh"

namespace sextant {
namespace {

// As many parts along z as fill the waves, of whole planes.
template <int radius, int rows, typename T>
void sweep(const heat3d::March& march, const void* from, void* to, std::int64_t first, std::int64_t last) {
  const Extents& extents = march.call->problem.extents;
  dim3 grid(blocks_for(extents.x, march.tile.width), blocks_for(extents.y, march.tile.height));
  const std::int64_t across = std::int64_t{grid.x} * grid.y,
                     parts = std::max<std::int64_t>(1, march.blocks / across),
                     planes = (last - first + parts - 1) / parts;
  grid.z = blocks_for(last - first, planes);
  const dim3 block(heat3d::march_threads_x, march.call->tuning[1]);
  heat3d::march<radius, heat3d::march_threads_x, rows>
      <<<grid, block, march.tile.shared_bytes, stream_of(*march.call)>>>(
          heat3d::Box(extents), static_cast<int>(first), static_cast<int>(last), static_cast<int>(planes),
          static_cast<const T*>(from), static_cast<T*>(to));
}

template <int radius, int rows, typename T>
void fill(heat3d::March* march) {
  const auto kernel = heat3d::march<radius, heat3d::march_threads_x, rows, T>;
  const int* tuning = march->call->tuning;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(march->tile.shared_bytes));
  int resident = 1;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, tuning[0] * tuning[1],
                                                march->tile.shared_bytes);
  march->sweep = sweep<radius, rows, T>;
  march->blocks = std::int64_t{tuning[3]} * std::max(resident, 1) * heat3d::multiprocessors();
}

template <typename T>
void launch_all(const Call& call) {
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const heat3d::March march = heat3d::march_of(call);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                             heat3d::workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, 0, call.problem.extents.z);
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
  March march{nullptr, &call, march_tile(call.problem, call.tuning), 0};
  Radii::with(radius_of(call.problem), [&]<int radius>() {
    MarchRows::with(call.tuning[2], [&]<int rows>() {
      call.problem.type == ElementType::float64 ? fill<radius, rows, double>(&march)
                                                : fill<radius, rows, float>(&march);
    });
  });
  return march;
}

// Floor: 8 bytes a point of floats at 4.3 TB/s, 537 G points/s. Expected of it 480, 460, 430, 400 for R = 1 …
// 4, since halo rows come from the L2 cache again: 2R of 16 a plane.
Variant heat3d_cuda_march() {
  Variant variant = heat3d::device_variant(
      "tiles march along z, columns in registers, planes copied to shared memory ahead, steps in a graph");
  variant.tunables = heat3d::march_tunables();
  variant.adapt = heat3d::adapt_march;
  variant.constraint = heat3d::refuse_march;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
