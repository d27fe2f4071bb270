// Variant cuda.bulk: one sweep over the box per step. Bulk tensor copies (TMA) load each plane into a ring
// buffer in shared memory. A block computes a tile of a few rows and marches along z. Its first warp requests
// planes `prefetch_distance` ahead. Each thread keeps planes z-R … z+R of its own points in registers, and
// reads neighbours within a plane from the ring buffer. Each value is thus loaded from memory once.
// Warps wait only for the arrival of a plane; there is no block-wide barrier. The first warp also waits until
// all threads have finished with the plane that the next copy overwrites. Needs compute capability 9.0.
#include "march.cuh"
#include "recorded.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"

// The kernel of `bulk`. A block computes a chunk of planes along z. Two barriers in shared memory synchronise
// each slot of the ring buffer. One counts the bytes that have arrived, the other the threads that have
// finished with the plane.
// Source: CUDA C++ Programming Guide, asynchronous copies with the tensor memory access unit.
namespace sextant::heat3d {

// Upper bound on the planes of the ring buffer, for every radius and every `prefetch_distance`.
inline constexpr int most_slots = 16;
inline constexpr int copied_bytes = 8;   // bytes of one element of the tensor map
inline constexpr int most_copied = 256;  // maximum elements of the tensor map in one row of a copy

// The shape of a block's tile. If the tile spans whole rows of the box, its rows have no halo along x and
// `pitch` is the pitch of the box.
struct BulkTile {
  int width;   // points along x that the block computes
  int height;  // rows that the block computes
  int pitch;   // points per row in the ring buffer
  int side;    // halo points before the tile's first point of a row
  int slots;   // planes in the ring buffer

  __host__ __device__ int rows(int radius) const { return height + 2 * radius; }
  // Returns the points of a plane in the ring buffer, rounded up so that each slot begins at a multiple of
  // 128 bytes, as tensor copies require.
  __host__ __device__ int points(int radius) const { return (rows(radius) * pitch + 31) / 32 * 32; }
};

// A position in the ring buffer: the slot, and the parity of the phases that its barrier has completed.
struct RingPlace {
  int slot = 0, parity = 0;
  __device__ __forceinline__ void next(int slots) {
    if (++slot == slots) slot = 0, parity ^= 1;
  }
};

// Maximum threads per block for which the register file suffices.
constexpr int bulk_threads(int radius, int rows) {
  if (rows == 1) return radius <= 2 ? 1024 : 768;
  if (rows == 2) return radius == 1 ? 768 : 512;
  return radius == 1 ? 640 : radius == 2 ? 384 : 256;
}

// Copies the tile's planes [low - R, high + R), halo included, into the ring buffer in order. The first warp
// issues one bulk tensor copy per plane; points outside the box arrive as zeros. `come[slot]` counts the
// bytes of a plane, `done[slot]` the threads that have finished with it.
template <int radius, typename T>
struct Supply {
  const CUtensorMap* map;  // tensor map of the array u
  const BulkTile& tile;
  T* const ring;
  std::uint64_t *const come, *const done;
  const int slot_points, x0, y0, high;
  const int last;  // 0, or the last plane of the box if the block marches down from there.
  const int thread;
  int asked;  // number of the next plane to request
  RingPlace next;

  // Requests the next plane if there is one. `taken` means that the plane's slot still holds an earlier
  // plane. The warp then waits until all threads have finished with that plane.
  __device__ __forceinline__ void ask(bool taken) {
    if (thread >= 32 || asked >= high + radius) return;
    if (taken) ArrivalBarrier(&done[next.slot]).wait(next.parity ^ 1);
    if (thread == 0) {
      const ArrivalBarrier barrier(&come[next.slot]);
      barrier.expect(tile.rows(radius) * tile.pitch * static_cast<int>(sizeof(T)));
      tensor_copies::copy_boxes(ring + next.slot * slot_points, map,
                                (x0 - tile.side) * static_cast<int>(sizeof(T)) / copied_bytes, y0 - radius,
                                barrier, last > 0 ? last - asked : asked);
    }
    __syncwarp();
    ++asked;
    next.next(tile.slots);
  }
};

// A thread's column: `rows` vectors of points in each plane. The register queue is an argument of each step
// instead of a member. Next to an array, the compiler would keep the other members in local memory.
template <int radius, int rows, typename T>
struct BulkColumn {
  static constexpr int length = vector_length<T>, reach = 2 * radius;
  static constexpr int side_vectors = (radius + length - 1) / length;
  using Row = Vector<T, length>;
  using Rows = Row[rows];
  using Queue = Rows[reach + 1];  // planes z-R … z+R

  const BulkTile& tile;
  const int slot_points;
  std::uint64_t *const come, *const done;
  const T* const own;               // address of the thread's first vector in slot 0 of the ring buffer
  const std::int64_t pitch, plane;  // distances in v from row to row and plane to plane, in elements
  const int own_rows, y, box_y;
  T* to;             // destination of this plane's results
  RingPlace front;   // position of plane z + R in the ring buffer
  RingPlace centre;  // position of plane z in the ring buffer

  // Waits for plane z + R and loads the thread's points of it.
  __device__ __forceinline__ void take(Rows& points) {
    ArrivalBarrier(&come[front.slot]).wait(front.parity);
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = load<length>(own + front.slot * slot_points + j * tile.pitch);
    front.next(tile.slots);
  }

  // Signals that the thread has finished with plane z.
  __device__ __forceinline__ void release() {
    ArrivalBarrier(&done[centre.slot]).arrive();
    centre.next(tile.slots);
  }

  // Computes and stores plane z. `fixed` marks the elements on the boundary along x, which keep their values.
  __device__ __forceinline__ void compute(const Queue& queue, const bool (&fixed)[length]) {
    Row sum[rows];
    sum_along_z<radius>([&](int k) -> const Rows& { return queue[radius + k]; }, sum);
    const T* const here = own + centre.slot * slot_points;
    add_along_y<radius>(
        queue[radius], [&](int i) { return load<length>(here + i * tile.pitch); }, sum);
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      add_along_x(queue[radius][j], here + j * tile.pitch, sum[j]);
#pragma unroll
      for (int e = 0; e < length; ++e)
        if (fixed[e] || in_rim<radius>(y + j, box_y)) sum[j][e] = queue[radius][j][e];
      if (j < own_rows) *reinterpret_cast<Row*>(to + j * pitch) = sum[j];
    }
    to += plane;
    release();
  }

  // Adds c[k] times the points at distance k on both sides along x to `sum`. `row` holds the points
  // themselves, and `here` is their address in the ring buffer.
  static __device__ __forceinline__ void add_along_x(const Row& row, const T* here, Row& sum) {
    constexpr Coefficients<radius, T> c;
    T line[(2 * side_vectors + 1) * length];
#pragma unroll
    for (int i = -side_vectors; i <= side_vectors; ++i) {
      const Row part = i == 0 ? row : load<length>(here + i * length);
#pragma unroll
      for (int e = 0; e < length; ++e) line[(side_vectors + i) * length + e] = part[e];
    }
#pragma unroll
    for (int e = 0; e < length; ++e)
#pragma unroll
      for (int k = 1; k <= radius; ++k)
        sum[e] += c.at[k] * (line[side_vectors * length + e - k] + line[side_vectors * length + e + k]);
  }

  // Shifts the register queue by one plane. Rotating the indices instead would unroll the loop over 2R + 1
  // planes. That was slower on an H200: 379 instead of 459 G points/s for R = 4 in floats.
  static __device__ __forceinline__ void shift(Queue& queue) {
#pragma unroll
    for (int k = 0; k < reach; ++k)
#pragma unroll
      for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + 1][j];
  }
};

// Initialises the barriers of all slots for a block of `threads` threads.
__device__ __forceinline__ void start_barriers(int slots, int thread, int threads, std::uint64_t* come,
                                               std::uint64_t* done) {
  if (thread < slots) {
    ArrivalBarrier(&come[thread]).start(1);
    ArrivalBarrier(&done[thread]).start(threads);
  }
  tensor_copies::publish_barriers();
  __syncthreads();
}

// Copies planes [from, to) of a thread's column unchanged from u to v, as boundary planes require.
// The column has `rows` rows, from (x, y) on.
template <int length, typename T>
__device__ __forceinline__ void keep_planes(const T* u, T* v, int from, int to, const std::int64_t& plane,
                                            const std::int64_t& pitch, int x, int y, int rows) {
  for (int z = from; z < to; ++z)
    for (int j = 0; j < rows; ++j) {
      const std::int64_t at = z * plane + (y + j) * pitch + x;
      *reinterpret_cast<Vector<T, length>*>(v + at) = load<length>(u + at);
    }
}

// Computes v from u. The blocks with the same blockIdx.z compute a chunk of `planes` planes.
template <int radius, int rows, typename T>
__global__ void __launch_bounds__(bulk_threads(radius, rows))
    bulk(Box box, BulkTile tile, int planes, int turn, const __grid_constant__ CUtensorMap map,
         const T* __restrict__ u, T* __restrict__ v) {
  if constexpr (tensor_copies::have_bulk_tensor_copies) {
    using Column = BulkColumn<radius, rows, T>;
    constexpr int length = Column::length, reach = Column::reach;
    extern __shared__ __align__(128) unsigned char shared[];
    __shared__ std::uint64_t come[most_slots], done[most_slots];
    T* const ring = reinterpret_cast<T*>(shared);
    const int slot_points = tile.points(radius), threads = static_cast<int>(blockDim.x);
    const int thread = static_cast<int>(threadIdx.x);
    const int x0 = static_cast<int>(blockIdx.x) * tile.width, y0 = static_cast<int>(blockIdx.y) * tile.height;
    int begin = static_cast<int>(blockIdx.z) * planes, end = min(begin + planes, box.z);
    start_barriers(tile.slots, thread, threads, come, done);
    wait_for_last_launch();

    std::int64_t plane = box.plane;
    march_by_turns(box, turn, begin, end, plane, u, v);
    // [low, high) are the block's planes that do not lie on the boundary.
    const int low = max(begin, radius), high = min(end, box.z - radius);
    Supply<radius, T> supply{&map,        tile,        ring, come, done,
                             slot_points, x0,          y0,   high, plane < 0 ? box.z - 1 : 0,
                             thread,      low - radius};
    if (low < high)
      for (int i = 0; i < tile.slots; ++i) supply.ask(false);

    const int across = tile.width / length;
    const int x = x0 + thread % across * length, row = thread / across * rows, y = y0 + row;
    const int own_rows = x < box.x ? max(0, min(rows, box.y - y)) : 0;
    const std::int64_t pitch = box.pitch;
    const auto keep = [&](int from, int to) {
      keep_planes<length>(u, v, from, to, plane, pitch, x, y, own_rows);
    };
    keep(begin, min(end, radius));
    keep(max(begin, box.z - radius), end);
    if (low >= high) return;

    bool fixed[length];
#pragma unroll
    for (int e = 0; e < length; ++e) fixed[e] = in_rim<radius>(x + e, box.x);
    const T* const own = ring + (radius + row) * tile.pitch + tile.side + (x - x0);
    Column column{tile, slot_points, come, done, own, pitch, plane, own_rows, y, box.y};
    column.to = v + low * plane + y * pitch + x;
    typename Column::Queue queue;
#pragma unroll
    for (int k = 0; k < reach; ++k) {
      if (k > radius) supply.ask(true);
      column.take(queue[k]);
      // Planes below `low` are only loaded into registers, so a thread releases their slots at once.
      if (k >= radius) column.release();
    }
    for (int z = low; z < high; ++z) {
      supply.ask(true);
      column.take(queue[reach]);
      column.compute(queue, fixed);
      Column::shift(queue);
    }
  }
}

// ---- host code

// Encodes the tensor map for copying planes of a tile with halo from u. Returns false if the driver refuses.
template <typename T>
bool describe_planes(const T* u, const Box& box, const BulkTile& tile, int radius, CUtensorMap* map) {
  const auto encode = tensor_copies::tensor_map_encoder();
  if (!encode) return false;
  const auto elements = [](std::int64_t points) {
    return static_cast<cuuint64_t>(points * static_cast<std::int64_t>(sizeof(T)) / copied_bytes);
  };
  const cuuint64_t extents[3] = {elements(box.pitch), static_cast<cuuint64_t>(box.y),
                                 static_cast<cuuint64_t>(box.z)};
  const cuuint64_t strides[2] = {box.pitch * sizeof(T), box.plane * sizeof(T)};
  const cuuint32_t sides[3] = {static_cast<cuuint32_t>(elements(tile.pitch)),
                               static_cast<cuuint32_t>(tile.rows(radius)), 1};
  const cuuint32_t steps[3] = {1, 1, 1};
  return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, 3, const_cast<T*>(u), extents, strides, sides, steps,
                CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace sextant::heat3d

namespace sextant {
namespace {

using heat3d::BulkTile;

using Rows = Choices<1, 2, 4>;

// Tunables: threads per block along x and y, consecutive rows per thread, prefetch distance in planes, waves
// of blocks, and whether launches overlap.
struct Shape {
  int block_x = 64, block_y = 8, rows = 2, prefetch_distance = 2, waves = 1, overlap = 0;
  int threads() const { return block_x * block_y; }
};

// Minimum number of steps for which copying u and v to arrays with padded rows pays off. Bulk copies need
// rows of a multiple of 16 bytes. Other boxes with fewer steps use the sweeps of `march`.
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

// Returns the box with the row pitch that the arrays have during the sweeps.
heat3d::Box in_memory(const Problem& problem) { return heat3d::Box(problem.extents, pitch_of(problem)); }

// Returns the tile of a block. Its rows in the ring buffer begin and end at multiples of 32 bytes, the sector
// size of memory. Copies of rows that begin within a sector would cost more time than the unused points do.
BulkTile tile_of(const Problem& problem, const Shape& shape) {
  const int size = static_cast<int>(element_size(problem.type)), radius = heat3d::radius_of(problem),
            width = shape.block_x * 16 / size, sector = 32 / size;
  const bool whole = pitch_of(problem) == width;  // tiles that span whole rows need no halo along x
  const int side = whole ? 0 : (radius + sector - 1) / sector * sector;
  return {width, shape.block_y * shape.rows, width + 2 * side, side, radius + 1 + shape.prefetch_distance};
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

// Returns true if the driver can encode tensor maps for the tiles of this call.
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
      return "the driver could not encode a tensor map of the box";
  }
  return heat3d::prepare_recorded(call, state, heat3d::steps_of(call.problem),
                                  SEXTANT_FLOAT_DOUBLE(launch_all), workspace(call.problem, {}));
}

const char* constraint(const Problem& problem, const Shape& shape) {
  if (const char* reason = heat3d::refuse_by_point(problem)) return reason;
  if (shape.threads() > heat3d::bulk_threads(heat3d::radius_of(problem), shape.rows))
    return "too many threads per block for the register file";
  if (with_barriers(shared_bytes(problem, shape)) > heat3d::most_shared_memory)
    return "needs more than 227 KiB of shared memory per block";
  if (!is_march(problem) &&
      tile_of(problem, shape).pitch * element_size(problem.type) > heat3d::most_copied * heat3d::copied_bytes)
    return "a tile's row with halo exceeds 2 KiB, the maximum of a bulk copy";
  if (problem.extents.y > std::int64_t{65535} * shape.block_y * shape.rows)
    return "more than 65535 blocks along y";
  return nullptr;
}

// Returns the bytes that the busiest multiprocessor moves in one sweep. They include halos, points outside
// the box and the planes loaded before the first one can be computed.
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
  // Points of a plane that a block reads, plus those that it writes.
  const std::int64_t points = tile.points(radius) + tile.width * tile.height;
  return rounds * resident * (planes + 2 * radius + tile.slots) * points *
         static_cast<std::int64_t>(element_size(problem.type));
}

// Sets the defaults that were fastest on an H200. Tiles span whole rows or 128 points; wider, lower tiles
// have more halo points. Each thread computes as many rows as registers allow, and the number of waves
// minimises the bytes moved.
void adapt(const Problem& problem, Shape& shape) {
  const bool is_double = problem.type == ElementType::float64;
  const std::int64_t size = is_double ? 8 : 4, vectors = pitch_of(problem) * size / 16;
  const int square = is_double ? 64 : 32;  // number of 16-byte vectors in 128 points
  shape.block_x = vectors == 64 || vectors == 128 ? static_cast<int>(vectors) : vectors <= 32 ? 32 : square;
  shape.rows = heat3d::radius_of(problem) == 4 && !is_double ? 4 : 2;
  shape.block_y = (shape.rows == 4 ? 256 : 512) / shape.block_x;
  shape.prefetch_distance = 2;
  // hides launch overhead, which matters for small boxes
  shape.overlap = problem.extents.count() * size <= 20'000'000;
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

// The upper bound on the speed is that of `march`. Measured on an H200 in 256 x 256 x 1024 points
// (data/h200/programs.sextant), in G points/s: floats reach 496, 496, 489, 475 for R = 1 … 4, doubles 249,
// 253, 243, 224.
std::vector<Variant> heat3d_cuda_bulk() {
  Variant variant = heat3d::recorded_variant(
      "bulk tensor copies load planes into shared memory; columns march along z in registers; one "
      "CUDA graph");
  variant.name = "bulk";
  variant.tunables = tunables<Shape>({{"block_x", &Shape::block_x, {32, 64, 128}},
                                      {"block_y", &Shape::block_y, {1, 2, 4, 6, 8, 10, 12, 16}},
                                      {"rows", &Shape::rows, Rows::list()},
                                      {"prefetch_distance", &Shape::prefetch_distance, {1, 2, 3, 4}},
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
