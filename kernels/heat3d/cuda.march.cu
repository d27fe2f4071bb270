// A single sweep at the memory's speed. A thread owns one or two (`rows`) vectors of 16 bytes, one above the
// other, and marches along z: the planes z-R … z+R of its own points are in registers and the next one is on its
// way, so that each value comes from memory once. Neighbours in the plane are loaded again, out of the
// first-level cache, where the block's threads brought them R planes before: no shared memory, no barrier,
// nobody waits. The price is registers, 2R + 2 vectors a row, and loads that wait for the cache.
// All steps are recorded in one CUDA graph, as a launch by itself takes as long as a step of a small box.
#include "march.cuh"

namespace sextant {
namespace {

using heat3d::March;
using heat3d::MarchShape;

// As many parts along z as fill the waves.
template <int radius, int length, int rows, bool rotate, typename T>
void sweep(const March& march, const void* from, void* to, std::int64_t first, std::int64_t last, int turn) {
  const Extents& box = march.box;
  cudaLaunchConfig_t config = {};
  config.blockDim = dim3(march.shape.block_x, march.shape.block_y);
  config.gridDim =
      dim3(blocks_for(box.x, config.blockDim.x * length),
           blocks_for(heat3d::RowGroups<radius, rows>(static_cast<int>(box.y)).all, config.blockDim.y));
  const std::int64_t tiles = std::int64_t{config.gridDim.x} * config.gridDim.y,
                     planes = heat3d::planes_of_part(last - first, tiles, march.blocks);
  config.gridDim.z = blocks_for(last - first, planes);
  config.stream = march.stream;
  launch_next(config, march.overlap, heat3d::march<radius, length, rows, rotate, T>, heat3d::Box(box),
              static_cast<int>(first), static_cast<int>(last), static_cast<int>(planes), turn,
              static_cast<const T*>(from), static_cast<T*>(to));
}

template <int radius, int length, int rows, bool rotate, typename T>
void choose(March* march) {
  const auto kernel = heat3d::march<radius, length, rows, rotate, T>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxL1);
  const MarchShape& shape = march->shape;
  march->blocks = heat3d::blocks_of_waves(shape.waves, kernel, shape.block_x * shape.block_y, 0);
  march->sweep = sweep<radius, length, rows, rotate, T>;
}

// Vectors of 16 bytes where every row's start is aligned for them, otherwise of one element.
template <int radius, typename T>
void choose(March* march) {
  heat3d::MarchRows::with(march->shape.rows, [&]<int rows>() {
    constexpr int length = vector_length<T>;
    if (march->box.x % length != 0)
      choose<radius, 1, rows, false, T>(march);
    else if (march->shape.rotate)
      choose<radius, length, rows, true, T>(march);
    else
      choose<radius, length, rows, false, T>(march);
  });
}

template <typename T>
void launch_all(const Call& call) {
  heat3d::march_steps<T>(call, call.tuned<MarchShape>());
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  return heat3d::prepare_recorded(call, state, heat3d::steps_of(call.problem),
                                  SEXTANT_FLOAT_DOUBLE(launch_all));
}

}  // namespace

heat3d::March heat3d::march_of(const Call& call, const MarchShape& shape) {
  March march = {.sweep = nullptr,
                 .box = call.problem.extents,
                 .shape = shape,
                 .blocks = 0,
                 .overlap = may_overlap(shape.overlap),
                 .stream = stream_of(call)};
  Radii::with(radius_of(call.problem), [&]<int radius>() {
    call.problem.type == ElementType::float64 ? choose<radius, double>(&march)
                                              : choose<radius, float>(&march);
  });
  return march;
}

// Floor: 8 bytes a point of floats at 4.3 TB/s, 537 G points/s. Measured on an H200 in 256 x 256 x 1024
// floats: 497, 498, 410, 389 for R = 1 … 4; what the difference consists of is in docs/heat-stencil.md.
Variant heat3d_cuda_march() {
  Variant variant = heat3d::recorded_variant(
      "columns of vectors march along z in registers, neighbours from the first-level cache, steps in a "
      "graph");
  variant.tunables = tunables<MarchShape>(heat3d::march_members<MarchShape>());
  variant.adapt = by_name<heat3d::adapt_march>;
  variant.constraint = by_name<heat3d::refuse_march>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
