#include "bulk.cuh"
#include "recorded.cuh"

namespace sextant {
namespace {

using Rows = Choices<1, 2, 4>;

namespace at {
enum { block_x, block_y, rows, lead, waves, overlap };
}

template <typename T>
heat3d::BulkTile tile_of(const Problem& problem, const int* tuning) {
  constexpr int length = vector_length<T>;
  const int radius = heat3d::radius_of(problem), width = tuning[at::block_x] * length;
  const bool whole = problem.extents.x == width;  // then rows need no halo
  const int side = whole ? 0 : (radius + length - 1) / length * length;
  return {width, tuning[at::block_y] * tuning[at::rows], width + 2 * side, side,
          radius + 1 + tuning[at::lead]};
}

template <typename T>
std::size_t shared_bytes(const Problem& problem, const int* tuning) {
  const heat3d::BulkTile tile = tile_of<T>(problem, tuning);
  return static_cast<std::size_t>(tile.slots) *
         static_cast<std::size_t>(tile.points(heat3d::radius_of(problem))) * sizeof(T);
}

struct Bulk {
  void (*sweep)(const Bulk& bulk, const void* from, void* to, int turn);
  const Call* call;
  int resident;  // blocks of a multiprocessor
};

template <int radius, int rows, typename T>
void sweep(const Bulk& bulk, const void* from, void* to, int turn) {
  const Problem& problem = bulk.call->problem;
  const int* tuning = bulk.call->tuning;
  const heat3d::BulkTile tile = tile_of<T>(problem, tuning);
  cudaLaunchConfig_t config = {};
  config.blockDim = dim3(tuning[at::block_x] * tuning[at::block_y]);
  dim3& grid = config.gridDim;
  grid = dim3(blocks_for(problem.extents.x, tile.width), blocks_for(problem.extents.y, tile.height));
  const std::int64_t fill = std::int64_t{tuning[at::waves]} * bulk.resident * heat3d::multiprocessors();
  const std::int64_t parts = std::max<std::int64_t>(1, fill / (std::int64_t{grid.x} * grid.y)),
                     planes = (problem.extents.z + parts - 1) / parts;
  grid.z = blocks_for(problem.extents.z, planes);
  config.dynamicSmemBytes = shared_bytes<T>(problem, tuning);
  config.stream = stream_of(*bulk.call);
  heat3d::launch_next(config, tuning[at::overlap] != 0, heat3d::bulk<radius, rows, T>,
                      heat3d::Box(problem.extents), tile, static_cast<int>(planes), turn,
                      static_cast<const T*>(from), static_cast<T*>(to));
}

template <int radius, int rows, typename T>
void fill(Bulk* bulk) {
  const auto kernel = heat3d::bulk<radius, rows, T>;
  const int* tuning = bulk->call->tuning;
  const std::size_t bytes = shared_bytes<T>(bulk->call->problem, tuning);
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&bulk->resident, kernel,
                                                tuning[at::block_x] * tuning[at::block_y], bytes);
  bulk->resident = std::max(bulk->resident, 1);
  bulk->sweep = sweep<radius, rows, T>;
}

template <typename T>
Bulk bulk_of(const Call& call) {
  Bulk bulk{nullptr, &call, 1};
  heat3d::Radii::with(heat3d::radius_of(call.problem), [&]<int radius>() {
    Rows::with(call.tuning[at::rows], [&]<int rows>() { fill<radius, rows, T>(&bulk); });
  });
  return bulk;
}

// Bulk copies move multiples of 16 bytes: where rows are of other lengths, the sweeps are those of `march`.
bool whole_vectors(const Problem& problem) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type)) % 16 == 0;
}

template <typename T>
void launch_all(const Call& call) {
  const std::int64_t steps = heat3d::steps_of(call.problem);
  const auto each = [&](auto sweep) {
    for (std::int64_t step = 0; step < steps; ++step) {
      const auto [from, to] = heat3d::sweep_of(call.array<const T>(0), call.array<T>(1),
                                               heat3d::workspace_of<T>(call), step, steps);
      sweep(from, to, static_cast<int>(step & 1));
    }
  };
  if (whole_vectors(call.problem)) {
    const Bulk bulk = bulk_of<T>(call);
    each([&](const T* from, T* to, int turn) { bulk.sweep(bulk, from, to, turn); });
  } else {
    int tuning[heat3d::march_at::end] = {64, 8, 1, 0, 1, 0};
    heat3d::adapt_march(call.problem, tuning);
    Call marching = call;
    marching.tuning = tuning;
    const heat3d::March march = heat3d::march_of(marching);
    each([&](const T* from, T* to, int turn) {
      march.sweep(march, from, to, 0, call.problem.extents.z, turn);
    });
  }
}

template <typename T>
void launch(const Call& call) {
  heat3d::play_or(call, launch_all<T>);
}

const char* unavailable() {
  return heat3d::compute_capability() < 9 ? "bulk copies need compute capability 9.0 or later" : nullptr;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t launches = heat3d::steps_of(call.problem);
  return call.problem.type == ElementType::float64
             ? heat3d::prepare_recorded<double>(call, state, launches, launch_all<double>)
             : heat3d::prepare_recorded<float>(call, state, launches, launch_all<float>);
}

const char* constraint(const Problem& problem, const int* tuning) {
  const bool is_double = problem.type == ElementType::float64;
  const int radius = heat3d::radius_of(problem);
  if (tuning[at::block_x] * tuning[at::block_y] > heat3d::bulk_threads(radius, tuning[at::rows]))
    return "too many threads for the registers that each needs";
  const std::size_t bytes =
      is_double ? shared_bytes<double>(problem, tuning) : shared_bytes<float>(problem, tuning);
  if (bytes + 2 * sizeof(std::uint64_t) * heat3d::most_slots > heat3d::most_shared_memory)
    return "more than 227 KiB of shared memory a block";
  if (problem.extents.y > std::int64_t{65535} * tuning[at::block_y] * tuning[at::rows])
    return "more than 65535 blocks along y";
  return nullptr;
}

// What was fastest on an H200 in boxes of 256 x 256 points a plane: whole rows, and as few instructions a
// point as the registers allow.
void adapt(const Problem& problem, int* tuning) {
  const bool is_double = problem.type == ElementType::float64;
  const std::int64_t size = is_double ? 8 : 4, vectors = problem.extents.x * size / 16;
  tuning[at::block_x] = vectors <= 32 ? 32 : vectors == 128 ? 128 : 64;
  tuning[at::rows] = heat3d::radius_of(problem) == 4 && !is_double ? 4 : 2;
  tuning[at::block_y] = (tuning[at::rows] == 4 ? 256 : 512) / tuning[at::block_x];
  tuning[at::lead] = 2;
  tuning[at::overlap] = problem.extents.count() * size <= 20'000'000;  // then launches count
  while (constraint(problem, tuning) && tuning[at::block_y] > 1) tuning[at::block_y] /= 2;
}

}  // namespace

// Floor as march's. Measured on an H200 in 256 x 256 x 1024 points, G points/s, for R = 1 … 4
// (data/h200/programs.sextant): floats 498, 498, 489, 461, doubles 250, 254, 248, 225.
Variant heat3d_cuda_bulk() {
  Variant variant = heat3d::device_variant(
      "planes of a tile come by bulk copies into shared memory, columns march along z in registers, steps in "
      "a graph");
  variant.tunables = {{"block_x", {32, 64, 128}, 64}, {"block_y", {1, 2, 4, 6, 8, 10, 12, 16}, 8},
                      {"rows", Rows::list(), 2},      {"lead", {1, 2, 3, 4}, 2},
                      {"waves", {1, 2, 4}, 1},        {"overlap", {0, 1}, 0}};
  variant.adapt = adapt;
  variant.constraint = constraint;
  variant.unavailable = unavailable;
  variant.prepare = prepare;
  variant.release = heat3d::release_recorded;
  variant.launch = {.float32 = launch<float>, .float64 = launch<double>};
  return variant;
}

}  // namespace sextant
