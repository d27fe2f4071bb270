#include "march.cuh"
#include "march_launch.cuh"
#include "point.cuh"
#include "resident.cuh"
#include "slabs.hpp"
#include "z_loop.cuh"

// One point a thread, all operands from global memory: the kernel of `base` and `ldg`.
namespace sextant::heat3d {

// read_only: loads go through the read-only path (ld.global.nc). Without it they must not: hence no
// __restrict__, with which the compiler would take that path by itself.
template <int radius, Weights weights, bool read_only, typename T>
__global__ void direct(Box box, const T* u, T* v) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (x >= box.x) return;
  const auto load = [u](std::int64_t i) {
    if constexpr (read_only)
      return __ldg(u + i);
    else
      return u[i];
  };
  for (int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z); z < box.z;
       z += gridDim.z * blockDim.z)
    for (int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y); y < box.y;
         y += gridDim.y * blockDim.y) {
      const std::int64_t i = z * box.plane + static_cast<std::int64_t>(y) * box.x + x;
      const T centre = load(i);
      v[i] = in_rim<radius>(x, box.x) || in_rim<radius>(y, box.y) || in_rim<radius>(z, box.z)
                 ? centre
                 : weighted<radius, weights>(
                       centre, [&](int k) { return load(i - k); }, [&](int k) { return load(i + k); },
                       [&](int k) { return load(i - static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i + static_cast<std::int64_t>(k) * box.x); },
                       [&](int k) { return load(i - k * box.plane); },
                       [&](int k) { return load(i + k * box.plane); });
    }
}

struct DirectBlock {
  int block_x = 64, block_y = 4, block_z = 1;
};

inline const char* refuse_direct(const Problem&, const DirectBlock& block) {
  return refuse_block({}, block.block_x, block.block_y, block.block_z);
}

template <bool read_only, typename T>
void launch_direct(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto [x, y, z] = call.tuned<DirectBlock>();
  const dim3 block(x, y, z), grid = grid_of(extents, x, y, z);
  launch_steps<T>(call, [&]<int radius, Weights weights>(const T* from, T* to) {
    direct<radius, weights, read_only><<<grid, block, 0, stream_of(call)>>>(Box(extents), from, to);
  });
}

template <bool read_only>
Variant direct_variant(const char* description) {
  Variant variant = device_variant(description);
  variant.tunables = tunables<DirectBlock>({{"block_x", &DirectBlock::block_x, {32, 64, 128, 256}},
                                            {"block_y", &DirectBlock::block_y, {1, 2, 4, 8, 16}},
                                            {"block_z", &DirectBlock::block_z, {1, 2, 4}}});
  variant.launch = {.float32 = launch_direct<read_only, float>, .float64 = launch_direct<read_only, double>};
  variant.constraint = by_name<refuse_direct>;
  return variant;
}

}  // namespace sextant::heat3d

namespace sextant {
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

namespace {

// A single sweep at the memory's speed. A thread owns one or two (`rows`) vectors of 16 bytes, one above the
// other, and marches along z: the planes z-R … z+R of its own points are in registers and the next one is on its
// way, so that each value comes from memory once. Neighbours in the plane are loaded again, out of the
// first-level cache, where the block's threads brought them R planes before: no shared memory, no barrier,
// nobody waits. The price is registers, 2R + 2 vectors a row, and loads that wait for the cache.
// All steps are recorded in one CUDA graph, as a launch by itself takes as long as a step of a small box.
namespace march {

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

// Floor: 8 bytes a point of floats at 4.3 TB/s, 537 G points/s. Measured on an H200 in 256 x 256 x 1024
// floats: 497, 498, 410, 389 for R = 1 … 4; what the difference consists of is in docs/heat-stencil.md.
Variant form() {
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

}  // namespace march

// Boxes that the multiprocessors' shared memory holds: resident.cuh has the kernel.
namespace resident {

using Rows = Choices<1, 2>;

struct Column {
  int rows = 2;  // vectors above each other that a thread owns
};

template <typename R>
std::size_t shared_bytes(const Problem& problem) {
  const int z = static_cast<int>(std::min<std::int64_t>(problem.extents.z, 1 << 20));  // far too many
  return static_cast<std::size_t>(R::slots_of(R::planes_of(z), z)) * R::plane * element_size(problem.type);
}

// Calls action.operator()<radius, length, rows>() with what the problem and the tuning ask for: vectors of 16
// bytes where every row's start is aligned for them.
template <typename Action>
void with_kernel(const Problem& problem, const Column& column, Action action) {
  const int longest = 16 / static_cast<int>(element_size(problem.type));
  heat3d::Radii::with(heat3d::radius_of(problem), [&]<int radius>() {
    if (problem.extents.x % longest != 0)
      action.template operator()<radius, 1, 2>();
    else
      Rows::with(column.rows, [&]<int rows>() {
        Choices<2, 4>::with(longest,
                            [&]<int length>() { action.template operator()<radius, length, rows>(); });
      });
  });
}

// Bytes of the mail, where there is any.
std::int64_t mail_bytes(const Problem& problem, const Column& column) {
  std::int64_t bytes = 0;
  if (heat3d::steps_of(problem) > 1)
    with_kernel(problem, column, [&]<int radius, int length, int rows>() {
      using R = heat3d::Resident<radius, length, rows>;
      const Extents& box = problem.extents;
      bytes = std::int64_t{2} * blocks_for(box.x, R::width) * blocks_for(box.y, R::height) * R::groups *
              R::planes_of(static_cast<int>(box.z)) * R::face *
              static_cast<std::int64_t>(element_size(problem.type));
    });
  return bytes;
}

// Where blocks send each other their faces, and say that they waited in vain. One step needs neither.
struct Post {
  void* mail = nullptr;
  WaitFlag waits;
};

void release(void* state) {
  auto* const post = static_cast<Post*>(state);
  if (post) cudaFree(post->mail);
  delete post;
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t bytes = mail_bytes(call.problem, call.tuned<Column>());
  if (bytes == 0) return nullptr;
  auto* const post = new Post;
  *state = post;
  if (cudaMalloc(&post->mail, static_cast<std::size_t>(bytes)) == cudaSuccess &&
      post->waits.make() == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // told here; not to be found by the next launch
  release(post);
  *state = nullptr;
  return "no device memory for the blocks' mail";
}

const char* constraint(const Problem& problem, const Column& column) {
  const char* reason = heat3d::refuse_by_point(problem);
  with_kernel(problem, column, [&]<int radius, int length, int rows>() {
    using R = heat3d::Resident<radius, length, rows>;
    const std::int64_t tiles =
        std::int64_t{blocks_for(problem.extents.x, R::width)} * blocks_for(problem.extents.y, R::height);
    if (shared_bytes<R>(problem) + heat3d::static_shared_bytes > heat3d::most_shared_memory ||
        tiles > sextant::multiprocessors())
      reason = "the box does not fit into the multiprocessors' shared memory";
  });
  return reason;
}

template <int radius, int length, int rows, typename T>
void launch_tiles(const Call& call) {
  using R = heat3d::Resident<radius, length, rows>;
  const Extents& box = call.problem.extents;
  const auto kernel = heat3d::resident<radius, length, rows, T>;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(blocks_for(box.x, R::width), blocks_for(box.y, R::height));
  config.blockDim = dim3(R::threads);
  config.dynamicSmemBytes = shared_bytes<R>(call.problem);
  config.stream = stream_of(call);
  cudaLaunchAttribute together = {};
  together.id = cudaLaunchAttributeCooperative;
  together.val.cooperative = 1;
  config.attrs = &together;
  config.numAttrs = 1;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       static_cast<int>(config.dynamicSmemBytes));
  const auto* const post = static_cast<const Post*>(call.state);
  if (post)
    cudaMemsetAsync(post->mail, 0, static_cast<std::size_t>(mail_bytes(call.problem, call.tuned<Column>())),
                    config.stream);
  cudaLaunchKernelEx(&config, kernel, heat3d::Box(box), R::planes_of(static_cast<int>(box.z)),
                     static_cast<int>(heat3d::steps_of(call.problem)), call.array<const T>(0),
                     call.array<T>(1), static_cast<Word<T>*>(post ? post->mail : nullptr),
                     post ? post->waits.patience() : Patience{});
}

template <typename T>
void launch(const Call& call) {
  with_kernel(call.problem, call.tuned<Column>(), [&]<int radius, int length, int rows>() {
    if constexpr (length == 1 || length == vector_length<T>) launch_tiles<radius, length, rows, T>(call);
  });
}

// What was faster on an H200.
void adapt(const Problem& problem, Column& column) {
  column.rows = heat3d::radius_of(problem) == 1 && problem.type == ElementType::float32 ? 1 : 2;
}

Variant form() {
  Variant variant = heat3d::device_variant(
      "the box stays in shared memory over all steps, faces bear their step's tag: small boxes");
  variant.tunables = tunables<Column>({{"rows", &Column::rows, Rows::list()}});
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.workspace = by_name<mail_bytes>;
  variant.prepare = prepare;
  variant.release = release;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace resident

// The paper's COMP: a block of threads, one point each, copies the tile of an x-y plane that it computes, with R
// more points on each of the four sides, from global into shared memory. After a barrier of the block each
// thread reads its neighbours along x and y from there, those along z from global memory; a second barrier
// guards the tile until all have read it. So a value of the plane comes once a block out of the caches, but the
// 2R values along z come each by itself, and the tile costs more instructions and two barriers.
namespace shared {

// A step. The tile lies in shared memory with its halo, but for the corners; a block walks on by whole grids.
template <int radius, heat3d::Weights weights, typename T>
__global__ void shared(heat3d::Box box, const T* __restrict__ u, T* __restrict__ v) {
  extern __shared__ __align__(16) unsigned char memory[];
  const int block_x = static_cast<int>(blockDim.x), block_y = static_cast<int>(blockDim.y);
  const int column = static_cast<int>(threadIdx.x), line = static_cast<int>(threadIdx.y);
  const int width = block_x + 2 * radius;
  T* const tile = reinterpret_cast<T*>(memory) + radius * width + radius;  // the halo lies before and after
  const int x = static_cast<int>(blockIdx.x) * block_x + column;
  const std::int64_t row = box.x;
  for (int z = static_cast<int>(blockIdx.z); z < box.z; z += gridDim.z)
    for (int top = static_cast<int>(blockIdx.y) * block_y; top < box.y; top += gridDim.y * block_y) {
      const int y = top + line;
      const T* const plane = u + z * box.plane;
      for (int j = line - radius; j < block_y + radius; j += block_y)
        if (x < box.x && top + j >= 0 && top + j < box.y)
          tile[j * width + column] = plane[(top + j) * row + x];
      for (int i = column; i < 2 * radius; i += block_x) {  // -R … -1, then block_x … block_x + R - 1
        const int beside = i < radius ? i - radius : block_x + i - radius, at = x - column + beside;
        if (y < box.y && at >= 0 && at < box.x) tile[line * width + beside] = plane[y * row + at];
      }
      __syncthreads();
      if (x < box.x && y < box.y) {
        const T* const own = tile + line * width + column;
        const std::int64_t i = z * box.plane + y * row + x;
        const bool rim = heat3d::in_rim<radius>(x, box.x) || heat3d::in_rim<radius>(y, box.y) ||
                         heat3d::in_rim<radius>(z, box.z);
        v[i] = rim ? own[0]
                   : heat3d::weighted<radius, weights>(
                         own[0], [&](int k) { return own[-k]; }, [&](int k) { return own[k]; },
                         [&](int k) { return own[-k * width]; }, [&](int k) { return own[k * width]; },
                         [&](int k) { return u[i - k * box.plane]; },
                         [&](int k) { return u[i + k * box.plane]; });
      }
      __syncthreads();
    }
}

struct Tile {
  int block_x = 32, block_y = 8;
};

std::size_t bytes_of(const Problem& problem, const Tile& tile) {
  const int halo = 2 * heat3d::radius_of(problem);
  return static_cast<std::size_t>(tile.block_x + halo) * static_cast<std::size_t>(tile.block_y + halo) *
         element_size(problem.type);
}

const char* constraint(const Problem& problem, const Tile& tile) {
  return refuse_block({}, tile.block_x, tile.block_y, 1, bytes_of(problem, tile));
}

template <typename T>
void launch(const Call& call) {
  const Extents& extents = call.problem.extents;
  const auto tile = call.tuned<Tile>();
  const dim3 block(tile.block_x, tile.block_y);
  const dim3 grid = heat3d::grid_of(extents, tile.block_x, tile.block_y, 1);
  const std::size_t bytes = bytes_of(call.problem, tile);
  heat3d::launch_steps<T>(call, [&]<int radius, heat3d::Weights weights>(const T* from, T* to) {
    shared<radius, weights><<<grid, block, bytes, stream_of(call)>>>(heat3d::Box(extents), from, to);
  });
}

Variant form() {
  Variant variant = heat3d::device_variant(
      "the paper's COMP: the x-y tile and its halo in shared memory, neighbours along z from global memory");
  variant.tunables = tunables<Tile>(
      {{"block_x", &Tile::block_x, {32, 64, 128, 256}}, {"block_y", &Tile::block_y, {1, 2, 4, 8, 16, 32}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.constraint = by_name<constraint>;
  return variant;
}

}  // namespace shared

// Several steps a pass over memory. A pass goes through the box in slabs of planes small enough for the
// second-level cache; while a slab is there, `depth` steps are done with it, each R planes lower than the one
// before, so that it finds its inputs ready (slabs.hpp says why that is right). Each step of a slab is a launch
// of march's sweep: launches wait for each other, blocks do not. Memory is read and written once in `depth`
// steps and nothing is computed twice; the price is a launch's ramp, 3 to 5 µs, for every slab and step.
namespace skewed {

struct Slabs : heat3d::MarchShape {
  int depth = 8, slab = 32;  // steps a pass, planes
};

// Calls sweep(step, first, last) for each launch, in order.
template <typename SweepPlanes>
void in_slabs(const Call& call, const Slabs& slabs, SweepPlanes sweep) {
  const Problem& problem = call.problem;
  heat3d::sweep_in_slabs(problem.extents.z, heat3d::radius_of(problem), heat3d::steps_of(problem),
                         slabs.depth, slabs.slab, sweep);
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

// Slabs whose two arrays, with the planes that the skew adds, take 40 MB at most: more than half, and less
// than all, of an H200's second-level cache.
void adapt(const Problem& problem, Slabs& slabs) {
  heat3d::adapt_march(problem, slabs);
  const int radius = heat3d::radius_of(problem);
  const std::int64_t planes =
      2 * problem.extents.x * problem.extents.y * static_cast<std::int64_t>(element_size(problem.type));
  slabs.depth = radius <= 2 ? 8 : 4;
  const std::int64_t skew = std::int64_t{slabs.depth} * radius;
  slabs.slab = 8;
  while (slabs.slab < 256 && (2 * slabs.slab + skew) * planes <= 40'000'000) slabs.slab *= 2;
}

std::vector<TunableMember<Slabs>> members() {
  auto list = heat3d::march_members<Slabs>();
  list.push_back({"depth", &Slabs::depth, {1, 2, 4, 8, 16}});
  list.push_back({"slab", &Slabs::slab, {8, 16, 32, 64, 128, 256}});
  return list;
}

// Floor: the second-level cache's 7 to 8 TB/s instead of memory's 4.3, up to 900 G points/s of floats, less the
// launches' ramps. Measured on an H200 in 256 x 256 x 1024 floats, G points/s: 541, 374, 385 for R = 1, 2, 3
// (docs/heat-stencil.md); but for R = 1 that is less than a single sweep's.
Variant form() {
  Variant variant = heat3d::recorded_variant(
      "several steps a pass over memory: slabs of planes that the L2 cache holds, skewed in time, steps in a "
      "graph");
  variant.tunables = tunables<Slabs>(members());
  variant.adapt = by_name<adapt>;
  variant.constraint = by_name<constraint>;
  variant.prepare = prepare;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace skewed

}  // namespace

std::vector<Variant> heat3d_cuda() {
  return {
      // The paper's BASE, the loop as it stands: one point a thread, which reads its 6R + 1 operands from global memory.
      // Nothing is kept from one point to the next and nobody waits; the caches answer most of the reads, as threads
      // beside ask for the same lines. A launch a step. What it costs is the loads: 6R + 1 a point, and a second-level
      // cache that delivers 4.5 (R = 1) to 11.4 (R = 4) times the array (docs/heat-stencil.md).
      named("base", heat3d::direct_variant<false>(
                        "the paper's base: one point a thread, every operand read from global memory")),
      // The paper's CSL: base with every read through the read-only path (__ldg, ld.global.nc), the texture cache of
      // older GPUs. Where that and the first-level cache are one memory, as on GPUs since Pascal, it should cost what
      // base costs; base itself keeps off that path, so that the two can be compared.
      named("ldg", heat3d::direct_variant<true>(
                       "the paper's CSL: base with every read through the read-only cache, __ldg")),
      named("march", march::form()),
      named("resident", resident::form()),
      named("shared", shared::form()),
      named("skewed", skewed::form()),
      // A thread takes a column: it walks along z through `planes` planes, one point after the other, reading all
      // operands from global memory as in base. A block comes back to a plane R planes later, when the first-level
      // cache may still have it, so that the second-level one delivers half to a third of what base asks of it.
      // Nobody waits; the price is fewer threads, each with more to do.
      named("z_loop",
            heat3d::walk_variant<false>("a thread walks along z, every operand read from global memory")),
      // z_loop with the thread's own points z-R … z+R in a queue of registers, which moves on by one a plane: each value
      // along z is loaded once and 2R loads a point are saved. Neighbours along x and y are still read from global
      // memory, that is out of the first-level cache. It costs 2R + 1 registers and as many moves a point.
      named("z_loop_reg",
            heat3d::walk_variant<true>("a thread walks along z, neighbours along z in a queue of registers")),
  };
}

}  // namespace sextant
