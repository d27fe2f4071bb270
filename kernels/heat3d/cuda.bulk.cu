// A single sweep whose planes come into shared memory by themselves. A block owns a tile of some rows and marches
// along z. Its first warp asks the copy engine for whole planes of the tile with its halo, `lead` planes ahead, into
// a ring of R + 1 + `lead` planes in shared memory. A thread keeps the planes z-R … z+R of its own points in
// registers, so that each value comes from memory once, and reads the neighbours in the plane from the ring. Warps
// wait for planes, and the first warp for those whose planes it replaces, but no warp waits for all others. Costs
// shared memory for the ring, and 2R halo rows that two tiles both read. Compute capability 9.0 and later.
#include "bulk.cuh"
#include "march_launch.cuh"

namespace sextant {
namespace {

using heat3d::BulkTile;

using Rows = Choices<1, 2, 4>;

// Threads of a block along x and y; rows a thread, one above the other; planes that copies run ahead; waves of
// blocks; whether launches overlap.
struct Shape {
  int block_x = 64, block_y = 8, rows = 2, lead = 2, waves = 1, overlap = 0;
  int threads() const { return block_x * block_y; }
};

BulkTile tile_of(const Problem& problem, const Shape& shape) {
  const int length = 16 / static_cast<int>(element_size(problem.type)), radius = heat3d::radius_of(problem),
            width = shape.block_x * length;
  const bool whole = problem.extents.x == width;  // then rows need no halo
  const int side = whole ? 0 : (radius + length - 1) / length * length;
  return {width, shape.block_y * shape.rows, width + 2 * side, side, radius + 1 + shape.lead};
}

std::size_t shared_bytes(const Problem& problem, const Shape& shape) {
  const BulkTile tile = tile_of(problem, shape);
  return static_cast<std::size_t>(tile.slots) *
         static_cast<std::size_t>(tile.points(heat3d::radius_of(problem))) * element_size(problem.type);
}

std::size_t with_barriers(std::size_t bytes) {
  return bytes + 2 * sizeof(std::uint64_t) * heat3d::most_slots;
}

template <int radius, int rows, typename T>
void launch_steps(const Call& call, const Shape& shape) {
  const auto kernel = heat3d::bulk<radius, rows, T>;
  const Extents& box = call.problem.extents;
  const BulkTile tile = tile_of(call.problem, shape);
  cudaLaunchConfig_t config = {};
  config.dynamicSmemBytes = shared_bytes(call.problem, shape);
  config.stream = stream_of(call);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(config.dynamicSmemBytes));
  const std::int64_t blocks =
      heat3d::blocks_of_waves(shape.waves, kernel, shape.threads(), config.dynamicSmemBytes);
  config.blockDim = dim3(shape.threads());
  config.gridDim = dim3(blocks_for(box.x, tile.width), blocks_for(box.y, tile.height));
  const std::int64_t planes =
      heat3d::planes_of_part(box.z, std::int64_t{config.gridDim.x} * config.gridDim.y, blocks);
  config.gridDim.z = blocks_for(box.z, planes);
  const bool overlap = may_overlap(shape.overlap);
  const std::int64_t steps = heat3d::steps_of(call.problem);
  for (std::int64_t step = 0; step < steps; ++step) {
    const auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), step, steps);
    launch_next(config, overlap, kernel, heat3d::Box(box), tile, static_cast<int>(planes),
                static_cast<int>(step & 1), from, to);
  }
}

// Bulk copies move multiples of 16 bytes: where rows are of other lengths, the sweeps are those of `march`.
bool whole_vectors(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type)) % 16 == 0;
}

template <typename T>
void launch_all(const Call& call) {
  if (!whole_vectors(call.problem)) {
    heat3d::MarchShape shape;
    heat3d::adapt_march(call.problem, shape);
    return heat3d::march_steps<T>(call, shape);
  }
  const auto shape = call.tuned<Shape>();
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
    Rows::with(shape.rows, [&]<int rows>() { launch_steps<radius, rows, T>(call, shape); });
  });
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* unavailable() {
  return compute_capability() < 9 ? "bulk copies need compute capability 9.0 or later" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = with_barriers(shared_bytes(call.problem, call.tuned<Shape>()));
  if (const char* reason = whole_vectors(call.problem) ? heat3d::refuse_shared_memory(bytes) : nullptr)
    return reason;
  return heat3d::prepare_recorded(call, state, heat3d::steps_of(call.problem),
                                  SEXTANT_FLOAT_DOUBLE(launch_all));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (shape.threads() > heat3d::bulk_threads(heat3d::radius_of(problem), shape.rows))
    return "too many threads for the registers that each needs";
  if (with_barriers(shared_bytes(problem, shape)) > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  if (problem.extents.y > std::int64_t{65535} * shape.block_y * shape.rows)
    return "more than 65535 blocks along y";
  return nullptr;
}

// What was fastest on an H200 in boxes of 256 x 256 points a plane: whole rows, and as few instructions a
// point as the registers allow.
void adapt(const Problem& problem, Shape& shape) {
  const bool is_double = problem.type == ElementType::float64;
  const std::int64_t size = is_double ? 8 : 4, vectors = problem.extents.x * size / 16;
  shape.block_x = vectors <= 32 ? 32 : vectors == 128 ? 128 : 64;
  shape.rows = heat3d::radius_of(problem) == 4 && !is_double ? 4 : 2;
  shape.block_y = (shape.rows == 4 ? 256 : 512) / shape.block_x;
  shape.lead = 2;
  shape.overlap = problem.extents.count() * size <= 20'000'000;  // then launches count
  while (constraint(problem, shape) && shape.block_y > 1) shape.block_y /= 2;
}

}  // namespace

// Floor as march's. Measured on an H200 in 256 x 256 x 1024 points, G points/s, for R = 1 … 4
// (data/h200/programs.sextant): floats 498, 498, 489, 461, doubles 250, 254, 248, 225.
Variant heat3d_cuda_bulk() {
  Variant variant = heat3d::recorded_variant(
      "planes of a tile come by bulk copies into shared memory, columns march along z in registers, steps in "
      "a graph");
  variant.tunables = tunables<Shape>({{"block_x", &Shape::block_x, {32, 64, 128}},
                                      {"block_y", &Shape::block_y, {1, 2, 4, 6, 8, 10, 12, 16}},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"lead", &Shape::lead, {1, 2, 3, 4}},
                                      {"waves", &Shape::waves, {1, 2, 4}},
                                      {"overlap", &Shape::overlap, {0, 1}}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.unavailable = unavailable;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
