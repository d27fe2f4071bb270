// A single sweep whose planes come into shared memory by themselves. A block owns a tile of some rows and marches
// along z. Its first warp asks the copy engine for planes of the tile with its halo, a tensor copy each, `lead` planes
// ahead, into a ring of R + 1 + `lead` planes in shared memory. A thread keeps the planes z-R … z+R of its own points in
// registers, so that each value comes from memory once, and reads the neighbours in the plane from the ring. Warps
// wait for planes, and the first warp for those whose planes it replaces, but no warp waits for all others. Costs
// shared memory for the ring, and 2R halo rows that two tiles both read. Compute capability 9.0 and later.
#include "bulk.cuh"
#include "march_launch.cuh"
#include "padded.cuh"

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

// Bulk copies move multiples of 16 bytes. Rows of other lengths are copied to an array whose rows are padded, where so
// many steps follow that this pays; for fewer the sweeps are those of `march`.
constexpr std::int64_t steps_worth_padding = 4;

bool whole_vectors(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type)) % 16 == 0;
}

bool is_padded(const Problem& problem) {
  return !whole_vectors(problem) && heat3d::steps_of(problem) >= steps_worth_padding;
}

bool is_march(const Problem& problem) { return !whole_vectors(problem) && !is_padded(problem); }

std::int64_t pitch_of(const Problem& problem) {
  return is_padded(problem) ? heat3d::padded_pitch(problem) : problem.extents.x;
}

// The box as it lies in the arrays of a sweep.
heat3d::Box in_memory(const Problem& problem) { return heat3d::Box(problem.extents, pitch_of(problem)); }

// A tile's rows in the ring begin and end at multiples of 32 bytes, which memory gives at once: copies of rows that begin
// between them take longer, more than the points cost that nobody reads.
BulkTile tile_of(const Problem& problem, const Shape& shape) {
  const int size = static_cast<int>(element_size(problem.type)), radius = heat3d::radius_of(problem),
            width = shape.block_x * 16 / size, sector = 32 / size;
  const bool whole = pitch_of(problem) == width;  // then rows need no halo
  const int side = whole ? 0 : (radius + sector - 1) / sector * sector;
  return {width, shape.block_y * shape.rows, width + 2 * side, side, radius + 1 + shape.lead};
}

std::size_t shared_bytes(const Problem& problem, const Shape& shape) {
  const BulkTile tile = tile_of(problem, shape);
  return static_cast<std::size_t>(tile.slots) *
         static_cast<std::size_t>(tile.points(heat3d::radius_of(problem))) * element_size(problem.type);
}

std::vector<int> wave_choices() { return {1, 2, 3, 4, 6, 8}; }

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
  const bool padded = is_padded(call.problem);
  for (std::int64_t step = 0; step < steps; ++step) {
    auto [from, to] = heat3d::sweep_of(call, heat3d::workspace_of<T>(call), step, steps);
    if (padded) from = heat3d::padded_array<T>(call, step), to = heat3d::padded_array<T>(call, step + 1);
    CUtensorMap map;
    heat3d::describe_planes(from, in_memory(call.problem), tile, radius, &map);
    launch_next(config, overlap, kernel, in_memory(call.problem), tile, static_cast<int>(planes),
                static_cast<int>(step & 1), map, from, to);
  }
}

template <typename T>
void launch_all(const Call& call) {
  if (is_march(call.problem)) {
    heat3d::MarchShape shape;
    heat3d::adapt_march(call.problem, shape);
    return heat3d::march_steps<T>(call, shape);
  }
  const auto shape = call.tuned<Shape>();
  const auto sweep = [&] {
    heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
      Rows::with(shape.rows, [&]<int rows>() { launch_steps<radius, rows, T>(call, shape); });
    });
  };
  if (is_padded(call.problem))
    heat3d::with_padded_rows<T>(call, heat3d::steps_of(call.problem), sweep);
  else
    sweep();
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* unavailable() {
  return compute_capability() < 9 ? "bulk copies need compute capability 9.0 or later" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return is_padded(problem) ? heat3d::padded_bytes(problem, 2) : heat3d::workspace_bytes(problem);
}

// Whether the copy engine takes the planes of this call's tiles.
template <typename T>
bool can_describe(const Call& call) {
  CUtensorMap map;
  return heat3d::describe_planes(call.array<const T>(0), in_memory(call.problem),
                                 tile_of(call.problem, call.tuned<Shape>()), heat3d::radius_of(call.problem),
                                 &map);
}

const char* prepare(const Call& call, void** state) {
  const std::size_t bytes = with_barriers(shared_bytes(call.problem, call.tuned<Shape>()));
  if (!is_march(call.problem)) {
    if (const char* reason = heat3d::refuse_shared_memory(bytes)) return reason;
    if (!(call.problem.type == ElementType::float32 ? can_describe<float>(call) : can_describe<double>(call)))
      return "the driver does not describe the box to the copy engine";
  }
  return heat3d::prepare_recorded(call, state, heat3d::steps_of(call.problem),
                                  SEXTANT_FLOAT_DOUBLE(launch_all), workspace(call.problem, {}));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (shape.threads() > heat3d::bulk_threads(heat3d::radius_of(problem), shape.rows))
    return "too many threads for the registers that each needs";
  if (with_barriers(shared_bytes(problem, shape)) > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  if (!is_march(problem) &&
      tile_of(problem, shape).pitch * element_size(problem.type) > heat3d::most_copied * heat3d::copied_bytes)
    return "a tile's row with its sides has more than 2 KiB, which no copy brings";
  if (problem.extents.y > std::int64_t{65535} * shape.block_y * shape.rows)
    return "more than 65535 blocks along y";
  return nullptr;
}

// Bytes that the busiest multiprocessor moves in a sweep, halos, what is outside the box and the planes until the first is
// there included.
std::int64_t bytes_of(const Problem& problem, const Shape& shape) {
  const Extents& box = problem.extents;
  const BulkTile tile = tile_of(problem, shape);
  const int radius = heat3d::radius_of(problem);
  const auto in_memory =
      static_cast<std::int64_t>(heat3d::most_shared_memory / with_barriers(shared_bytes(problem, shape)));
  const std::int64_t resident =
      std::min<std::int64_t>(in_memory, heat3d::bulk_threads(radius, shape.rows) / shape.threads());
  const std::int64_t at_once = resident * multiprocessors();
  const std::int64_t tiles = std::int64_t{blocks_for(box.x, tile.width)} * blocks_for(box.y, tile.height);
  const std::int64_t planes = heat3d::planes_of_part(box.z, tiles, shape.waves * at_once);
  const std::int64_t rounds = (tiles * blocks_for(box.z, planes) + at_once - 1) / at_once;
  const std::int64_t points = tile.points(radius) + tile.width * tile.height;  // read and written
  return rounds * resident * (planes + 2 * radius + tile.slots) * points *
         static_cast<std::int64_t>(element_size(problem.type));
}

// What was fastest on an H200: whole rows, or tiles of 128 points, which have fewer halo points than wider and lower ones,
// and as few instructions a point as the registers allow; in as many waves as move the least.
void adapt(const Problem& problem, Shape& shape) {
  const bool is_double = problem.type == ElementType::float64;
  const std::int64_t size = is_double ? 8 : 4, vectors = pitch_of(problem) * size / 16;
  const int square = is_double ? 64 : 32;  // vectors of 128 points
  shape.block_x = vectors == 64 || vectors == 128 ? static_cast<int>(vectors) : vectors <= 32 ? 32 : square;
  shape.rows = heat3d::radius_of(problem) == 4 && !is_double ? 4 : 2;
  shape.block_y = (shape.rows == 4 ? 256 : 512) / shape.block_x;
  shape.lead = 2;
  shape.overlap = problem.extents.count() * size <= 20'000'000;  // then launches count
  while (constraint(problem, shape) && shape.block_y > 1) shape.block_y /= 2;
  std::int64_t least = 0;
  for (const int waves : wave_choices()) {
    Shape tried = shape;
    tried.waves = waves;
    const std::int64_t bytes = bytes_of(problem, tried);
    if (least == 0 || bytes < least) least = bytes, shape = tried;
  }
}

}  // namespace

// Floor as march's. Measured on an H200 in 256 x 256 x 1024 points, G points/s, for R = 1 … 4
// (data/h200/programs.sextant): floats 496, 496, 489, 475, doubles 249, 253, 243, 224.
std::vector<Variant> heat3d_cuda_bulk() {
  Variant variant = heat3d::recorded_variant(
      "planes of a tile come by bulk copies into shared memory, columns march along z in registers, steps in "
      "a graph");
  variant.name = "bulk";
  variant.tunables = tunables<Shape>({{"block_x", &Shape::block_x, {32, 64, 128}},
                                      {"block_y", &Shape::block_y, {1, 2, 4, 6, 8, 10, 12, 16}},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"lead", &Shape::lead, {1, 2, 3, 4}},
                                      {"waves", &Shape::waves, wave_choices()},
                                      {"overlap", &Shape::overlap, {0, 1}}});
  variant.workspace = by_name<workspace>;
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.unavailable = unavailable;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return {variant};
}

}  // namespace sextant
