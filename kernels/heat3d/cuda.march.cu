#include "march.cuh"
#include "steps.hpp"

namespace sextant {
namespace {

// One sweep per step at memory bandwidth. A thread computes one or two (`rows`) vectors of 16 bytes in
// consecutive rows, plane after plane along z. It keeps planes z-R … z+R of its points in registers while the
// next plane is loading, so that each value comes from memory once. Neighbours within the plane are loaded
// again from the L1 cache. There is no shared memory and no barrier.
// All steps are recorded in one CUDA graph, because a separate launch takes as long as a step of a small box.
namespace march {

using heat3d::March;
using heat3d::MarchShape;

// Launches one sweep of planes [first, last), split along z into enough chunks to fill the waves of blocks.
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

// Chooses the kernel. It uses 16-byte vectors if every row starts at a multiple of 16 bytes, otherwise single
// elements.
template <int radius, typename T>
void choose(March* march) {
  heat3d::MarchRows::with(march->shape.rows, [&]<int rows>() {
    constexpr int length = vector_length<T>;
    if (march->box.x % length != 0)
      choose<radius, 1, rows, false, T>(march);
    else if (march->shape.unroll_queue)
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

// Upper bound on the speed: a float point moves 8 bytes; at 4.3 TB/s that is 537 G points/s. Measured on an
// H200 in 256 x 256 x 1024 floats for R = 1 … 4: 497, 498, 410, 389 G points/s.
// docs/explanation/programs/heat-stencil.md explains the difference.
Variant form() {
  Variant variant = heat3d::recorded_variant(
      "vector columns march along z in registers; x-y neighbours from the L1 cache; one CUDA graph");
  variant.tunables = tunables<MarchShape>(heat3d::march_members<MarchShape>());
  variant.adapt = by_name<heat3d::adapt_march>;
  variant.constraint = by_name<heat3d::refuse_march>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace march

// Time skewing: several steps per pass over memory. A pass goes through the box in slabs of planes that fit
// in the L2 cache. While a slab is in the cache, `steps_per_pass` steps are computed for it. The planes of
// each step lie R planes lower than those of the previous step, so that their inputs are ready (steps.hpp).
// Each step of a slab is a launch of the sweep of `march`.
// No point is computed twice. The cost is 3 to 5 µs for every slab and step until a launch has filled the
// GPU.
namespace skewed {

struct Slabs : heat3d::MarchShape {
  int steps_per_pass = 8, slab = 32;  // steps per pass over memory; planes per slab
};

// Calls sweep(step, first, last) for each launch of a call, in the order of the launches.
template <typename SweepPlanes>
void in_slabs(const Call& call, const Slabs& slabs, SweepPlanes sweep) {
  const Problem& problem = call.problem;
  heat3d::sweep_in_slabs(problem.extents.z, heat3d::radius_of(problem), heat3d::steps_of(problem),
                         slabs.steps_per_pass, slabs.slab, sweep);
}

template <typename T>
void launch_all(const Call& call) {
  const auto slabs = call.tuned<Slabs>();
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const heat3d::March march = heat3d::march_of(call, slabs);
  in_slabs(call, slabs, [&](std::int64_t step, std::int64_t first, std::int64_t last) {
    const auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), step, steps);
    march.sweep(march, from, to, first, last, 0);
  });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* prepare(const Call& call, void** state) {
  std::int64_t launches = 0;
  in_slabs(call, call.tuned<Slabs>(), [&](std::int64_t, std::int64_t, std::int64_t) { ++launches; });
  return heat3d::prepare_recorded(call, state, launches, SEXTANT_FLOAT_DOUBLE(launch_all));
}

const char* constraint(const Problem& problem, const Slabs& slabs) {
  return heat3d::refuse_march(problem, slabs);
}

// Chooses the number of planes per slab. The two arrays of a slab, with the planes by which its steps are
// shifted, take at most 40 MB. That is between half and all of an H200's L2 cache.
void adapt(const Problem& problem, Slabs& slabs) {
  heat3d::adapt_march(problem, slabs);
  const int radius = heat3d::radius_of(problem);
  const std::int64_t planes =
      2 * problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  slabs.steps_per_pass = radius <= 2 ? 8 : 4;
  const std::int64_t skew = std::int64_t{slabs.steps_per_pass} * radius;
  slabs.slab = 8;
  while (slabs.slab < 256 && (2 * slabs.slab + skew) * planes <= 40'000'000) slabs.slab *= 2;
}

std::vector<TunableMember<Slabs>> members() {
  auto list = heat3d::march_members<Slabs>();
  list.push_back({"steps_per_pass", &Slabs::steps_per_pass, {1, 2, 4, 8, 16}});
  list.push_back({"slab", &Slabs::slab, {8, 16, 32, 64, 128, 256}});
  return list;
}

// Upper bound on the speed: the L2 cache delivers 7 to 8 TB/s instead of 4.3 TB/s from memory. That allows up
// to 900 G points/s of floats, minus the time in which launches fill the GPU. Measured on an H200 in 256 x
// 256 x 1024 floats for R = 1, 2, 3: 541, 374, 385 G points/s (docs/explanation/programs/heat-stencil.md).
// Only R = 1 is faster than with a single sweep per step.
Variant form() {
  Variant variant = heat3d::recorded_variant(
      "time skewing: several steps per pass over slabs that fit in the L2 cache; one CUDA graph");
  variant.tunables = tunables<Slabs>(members());
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace skewed

}  // namespace

heat3d::March heat3d::march_of(const Call& call, const MarchShape& shape) {
  March march = {.sweep = nullptr,
                 .box = call.problem.extents,
                 .shape = shape,
                 .blocks = 0,
                 .overlap = may_overlap(shape.overlap),
                 .stream = stream_of(call)};
  Radii::with(radius_of(call.problem), [&]<int radius>() {
    call.problem.type == ElementType::float64 ? march::choose<radius, double>(&march)
                                              : march::choose<radius, float>(&march);
  });
  return march;
}

std::vector<Variant> heat3d_cuda_march() {
  return {named("march", march::form()), named("skewed", skewed::form())};
}

}  // namespace sextant
