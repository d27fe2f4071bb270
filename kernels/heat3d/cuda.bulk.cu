// A single sweep whose planes come into shared memory by themselves. A block owns a tile of some rows and
// marches along z. Its first warp asks the copy engine for planes of the tile with its halo, a tensor copy
// each, `prefetch_distance` planes ahead, into a ring of R + 1 + `prefetch_distance` planes in shared memory.
// A thread keeps the planes z-R … z+R of its own points in registers, so that each value comes from memory
// once, and reads the neighbours in the plane from the ring. Warps wait for planes, and the first warp for
// those whose planes it replaces, but no warp waits for all others. Costs shared memory for the ring, and 2R
// halo rows that two tiles both read. Compute capability 9.0 and later.
#include "march.cuh"
#include "recorded.cuh"
#include "toolbox/cuda/bulk_tensor.cuh"

// The single sweep with planes brought by bulk tensor copies: the kernel of `bulk` (cuda.bulk.cu has the
// idea).
//
// A block marches through its part along z, R planes behind what the copies bring: its first warp asks for
// planes
// (`Supply`), each thread takes its own points of a plane that has come into its queue of registers and
// computes the plane R behind (`BulkColumn`), whose neighbours along x and y it reads from the ring. Warps
// wait for planes, not for each other: barriers in shared memory count the bytes of a plane that have come
// and the threads that are done with it (CUDA C++ Programming Guide, asynchronous copies with the tensor
// memory access unit).
namespace sextant::heat3d {

inline constexpr int most_slots =
    16;  // planes in the ring: more than any radius and `prefetch_distance` ask for
inline constexpr int copied_bytes = 8;   // what a copy counts as an element, of which a row has at most
inline constexpr int most_copied = 256;  // so many

// A block's shape. Where it takes rows of memory whole, a row has no sides and `pitch` is the box's.
struct BulkTile {
  int width;   // points along x that the block computes
  int height;  // rows that it computes
  int pitch;   // points of a row in the ring
  int side;    // of them before the tile's first one
  int slots;   // planes in the ring

  __host__ __device__ int rows(int radius) const { return height + 2 * radius; }
  // Of a plane, so that each slot begins at a multiple of 128 bytes, as the copies ask for.
  __host__ __device__ int points(int radius) const { return (rows(radius) * pitch + 31) / 32 * 32; }
};

// Steps round a ring: the slot, and how often (modulo 2) its barrier has been passed.
struct RingPlace {
  int slot = 0, parity = 0;
  __device__ __forceinline__ void next(int slots) {
    if (++slot == slots) slot = 0, parity ^= 1;
  }
};

// Threads that compute, at most, for the registers that each needs.
constexpr int bulk_threads(int radius, int rows) {
  if (rows == 1) return radius <= 2 ? 1024 : 768;
  if (rows == 2) return radius == 1 ? 768 : 512;
  return radius == 1 ? 640 : radius == 2 ? 384 : 256;
}

// What brings the planes low-R … high+R-1 of the tile, with its halo, into the ring in order: bulk tensor
// copies that the first warp asks for, one a plane; what is outside the box comes as zeros. come[slot] counts
// the bytes of a plane, done[slot] the threads that are done with it.
template <int radius, typename T>
struct Supply {
  const CUtensorMap* map;  // of u
  const BulkTile& tile;
  T* const ring;
  std::uint64_t *const come, *const done;
  const int slot_points, x0, y0, high;
  const int last;  // 0, or the box's last plane where that is the first one that is marched through
  const int thread;
  int asked;  // the next plane to ask for
  RingPlace next;

  // Asks for the next plane, if there is one; `taken`: when all threads are done with the plane in its place.
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

// A thread's column of `rows` vectors on its way along z. Scalars only; the queue is passed to each step, as
// beside an array the compiler keeps all else in memory until it has unrolled every loop.
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
  const T* const own;               // the first vector in the ring's first slot
  const std::int64_t pitch, plane;  // of v
  const int own_rows, y, box_y;
  T* to;             // where this plane's results go
  RingPlace front;   // of plane z + R
  RingPlace centre;  // of this plane

  // Waits for plane z + R and takes the thread's own points of it.
  __device__ __forceinline__ void take(Rows& points) {
    ArrivalBarrier(&come[front.slot]).wait(front.parity);
#pragma unroll
    for (int j = 0; j < rows; ++j) points[j] = load<length>(own + front.slot * slot_points + j * tile.pitch);
    front.next(tile.slots);
  }

  // Says that the thread is done with this plane.
  __device__ __forceinline__ void release() {
    ArrivalBarrier(&done[centre.slot]).arrive();
    centre.next(tile.slots);
  }

  // Computes and stores this plane; `fixed`: elements in the rim along x.
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

  // sum += c[k] * the points at distance k on either side of a row's own, which are `row` and lie at `here`.
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

  // Moves the queue up by a plane. Taking its places in turn instead makes a loop of 2R + 1 planes, which was
  // slower: 379 instead of 459 G points/s for R = 4 in floats on an H200.
  static __device__ __forceinline__ void shift(Queue& queue) {
#pragma unroll
    for (int k = 0; k < reach; ++k)
#pragma unroll
      for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + 1][j];
  }
};

// Makes the barriers of the ring's slots ready for the block's `threads` threads.
__device__ __forceinline__ void start_barriers(int slots, int thread, int threads, std::uint64_t* come,
                                               std::uint64_t* done) {
  if (thread < slots) {
    ArrivalBarrier(&come[thread]).start(1);
    ArrivalBarrier(&done[thread]).start(threads);
  }
  tensor_copies::publish_barriers();
  __syncthreads();
}

// Copies planes [from, to) of a thread's column of `rows` rows from (x, y) on: those of the rims.
template <int length, typename T>
__device__ __forceinline__ void keep_planes(const T* u, T* v, int from, int to, const std::int64_t& plane,
                                            const std::int64_t& pitch, int x, int y, int rows) {
  for (int z = from; z < to; ++z)
    for (int j = 0; j < rows; ++j) {
      const std::int64_t at = z * plane + (y + j) * pitch + x;
      *reinterpret_cast<Vector<T, length>*>(v + at) = load<length>(u + at);
    }
}

// v from u, blockIdx.z taking `planes` planes.
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
    const int low = max(begin, radius), high = min(end, box.z - radius);  // planes between the rims
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
      if (k >= radius) column.release();  // planes below the first are read by their own threads only
    }
    for (int z = low; z < high; ++z) {
      supply.ask(true);
      column.take(queue[reach]);
      column.compute(queue, fixed);
      Column::shift(queue);
    }
  }
}

// ---- on the host

// A map by which planes of a tile, with its halo, are copied from u; false where the driver refuses it.
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

// Threads of a block along x and y; rows a thread, one above the other; planes that copies run ahead; waves
// of blocks; whether launches overlap.
struct Shape {
  int block_x = 64, block_y = 8, rows = 2, prefetch_distance = 2, waves = 1, overlap = 0;
  int threads() const { return block_x * block_y; }
};

// Bulk copies move multiples of 16 bytes. Rows of other lengths are copied to an array whose rows are padded,
// where so many steps follow that this pays; for fewer the sweeps are those of `march`.
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

// A tile's rows in the ring begin and end at multiples of 32 bytes, which memory gives at once: copies of
// rows that begin between them take longer, more than the points cost that nobody reads.
BulkTile tile_of(const Problem& problem, const Shape& shape) {
  const int size = static_cast<int>(element_size(problem.type)), radius = heat3d::radius_of(problem),
            width = shape.block_x * 16 / size, sector = 32 / size;
  const bool whole = pitch_of(problem) == width;  // then rows need no halo
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

// Bytes that the busiest multiprocessor moves in a sweep, halos, what is outside the box and the planes until
// the first is there included.
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

// What was fastest on an H200: whole rows, or tiles of 128 points, which have fewer halo points than wider
// and lower ones, and as few instructions a point as the registers allow; in as many waves as move the least.
void adapt(const Problem& problem, Shape& shape) {
  const bool is_double = problem.type == ElementType::float64;
  const std::int64_t size = is_double ? 8 : 4, vectors = pitch_of(problem) * size / 16;
  const int square = is_double ? 64 : 32;  // vectors of 128 points
  shape.block_x = vectors == 64 || vectors == 128 ? static_cast<int>(vectors) : vectors <= 32 ? 32 : square;
  shape.rows = heat3d::radius_of(problem) == 4 && !is_double ? 4 : 2;
  shape.block_y = (shape.rows == 4 ? 256 : 512) / shape.block_x;
  shape.prefetch_distance = 2;
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
