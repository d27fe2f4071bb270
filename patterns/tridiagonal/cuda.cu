#include "loop.hpp"
#include "rows.cuh"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

using tridiagonal::Blocks, tridiagonal::RowCounts;

// Each block solves one system, with 4 to 16 rows in the registers of each thread, so that memory is read and
// written once. Each thread reduces its rows to two equations. Parallel cyclic reduction through shared
// memory solves these.
namespace block {

struct Shape {
  int block_size = 128, rows = 8;
};

template <int block, int K, int width, typename T>
__global__ void __launch_bounds__(block) solve(int length, tridiagonal::Arrays<T> arrays) {
  __shared__ tridiagonal::Board<block, T> board;
  const int row = static_cast<int>(threadIdx.x) * K;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * length + row;
  const tridiagonal::Coefficients<K, width, T> given(arrays, first, length - row);
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  T x[K];
  tridiagonal::solve_block(rows, board, x);
  tridiagonal::store_rows<K, width>(x, arrays.x + first, length - row);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  tridiagonal::with_width<T>(call.problem, [&]<int width>() {
    Blocks::with(shape.block_size, [&]<int block>() {
      RowCounts::with(shape.rows, [&]<int K>() {
        solve<block, K, width, T>
            <<<static_cast<unsigned>(tridiagonal::systems_of(call.problem)), block, 0, stream_of(call)>>>(
                static_cast<int>(tridiagonal::length_of(call.problem)), tridiagonal::Arrays<T>(call));
      });
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return tridiagonal::length_of(problem) > shape.rows * shape.block_size
             ? "a system has more than rows * block_size unknowns"
             : nullptr;
}

}  // namespace block

// Like the variant `block`, but bulk copies load a system's coefficients into shared memory. The copy of the
// next system starts as soon as all threads have read the current one (prefetching). So a few blocks keep
// memory busy. Two of the four arrays are evicted first from the L2 cache, so that the next launch finds a
// part of the other two there.
namespace bulk_block {

struct Shape {
  int block_size = 64, rows = 4;
  int blocks_per_multiprocessor = 8;  // maximum number of blocks per multiprocessor
};

template <typename T>
constexpr std::int64_t bytes_of(std::int64_t length) {
  return 4 * length * static_cast<std::int64_t>(sizeof(T));
}

// A block's system in shared memory, one array after the other. The pointers are not `__restrict__`, because
// bulk copies write to this memory.
template <typename T>
struct Place {
  T *a, *b, *c, *d;
  std::uint64_t* come;
  int length;

  __device__ __forceinline__ Place(T* at, std::uint64_t* barrier, int unknowns)
      : a(at), b(a + unknowns), c(b + unknowns), d(c + unknowns), come(barrier), length(unknowns) {}

  // Starts the copy of a system to shared memory. One thread calls it.
  __device__ __forceinline__ void bring(const tridiagonal::Arrays<T>& from, std::int64_t system) const {
    const int bytes = length * static_cast<int>(sizeof(T));
    const std::int64_t first = system * length;
    bulk::expect(come, 4 * bytes);
    bulk::copy(a, from.a + first, bytes, come);
    bulk::copy(b, from.b + first, bytes, come);
    bulk::copy_leaving_first(c, from.c + first, bytes, come);
    bulk::copy_leaving_first(d, from.d + first, bytes, come);
  }
};

template <int block, int K, typename T>
__global__ void __launch_bounds__(block)
    solve(std::int64_t systems, int length, tridiagonal::Arrays<T> arrays) {
  if constexpr (bulk::available) {
    constexpr int width = vector_length<T>;
    extern __shared__ __align__(128) unsigned char room[];
    __shared__ tridiagonal::Board<block, T> board;
    __shared__ std::uint64_t come;
    const Place<T> place(reinterpret_cast<T*>(room), &come, length);
    const int row = static_cast<int>(threadIdx.x) * K;
    if (threadIdx.x == 0) {
      bulk::start(&come, 1);
      bulk::barriers_started();
      place.bring(arrays, blockIdx.x);
    }
    __syncthreads();
    int parity = 0;
    for (std::int64_t system = blockIdx.x; system < systems; system += gridDim.x, parity ^= 1) {
      bulk::wait(&come, parity);
      const tridiagonal::Coefficients<K, width, T> given(place, row, length - row);
      tridiagonal::Rows<K, T> rows;
      rows.eliminate(given.a, given.b, given.c, given.d);
      // all threads have read their rows, and the board may be reused
      __syncthreads();
      if (threadIdx.x == 0 && system + gridDim.x < systems) place.bring(arrays, system + gridDim.x);
      T x[K];
      tridiagonal::solve_block(rows, board, x);
      tridiagonal::store_rows<K, width>(x, arrays.x + system * length + row, length - row);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
  const auto bytes = static_cast<int>(bytes_of<T>(length));
  Blocks::with(shape.block_size, [&]<int block>() {
    RowCounts::with(shape.rows, [&]<int K>() {
      const auto kernel = solve<block, K, T>;
      int resident = 0;
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block,
                                                    static_cast<std::size_t>(bytes));
      const std::int64_t blocks =
          std::int64_t{std::clamp(resident, 1, shape.blocks_per_multiprocessor)} * multiprocessors();
      kernel<<<static_cast<unsigned>(std::min(systems, blocks)), block, static_cast<std::size_t>(bytes),
               stream_of(call)>>>(systems, static_cast<int>(length), tridiagonal::Arrays<T>(call));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t length = tridiagonal::length_of(problem),
                     bytes = length * static_cast<std::int64_t>(element_size(problem.type));
  if (length > shape.rows * shape.block_size) return "a system has more than rows * block_size unknowns";
  if (bytes % 16 != 0) return "the size of a system's arrays is not a multiple of 16 bytes";
  return 4 * bytes > 192 << 10 ? "a system needs more than 192 KiB of shared memory" : nullptr;
}

}  // namespace bulk_block

// A group of lanes of a warp solves one system of at most 512 unknowns, with 4 to 16 rows per lane in
// registers. Memory is read and written once, and no shared memory is needed.
namespace lanes {

using RowCounts = Choices<4, 8, 16>;

struct Shape {
  int rows = 8, lanes = 32, block_size = 128;
};

template <int K, int width, typename T>
__global__ void solve(std::int64_t systems, int length, int lanes, tridiagonal::Arrays<T> arrays) {
  const int thread = static_cast<int>(threadIdx.x), lane = thread % lanes;
  const std::int64_t system = static_cast<std::int64_t>(blockIdx.x) * (static_cast<int>(blockDim.x) / lanes) +
                              thread / lanes,
                     first = system * length + lane * K;
  const int there = system < systems ? length - lane * K : 0;
  const tridiagonal::Coefficients<K, width, T> given(arrays, first, there);
  tridiagonal::Rows<K, T> rows;
  rows.eliminate(given.a, given.b, given.c, given.d);
  const T last = tridiagonal::last_of_lane(rows.segment(), lanes);
  T x[K];
  rows.finish(__shfl_up_sync(~0u, last, 1, lanes), last, x);
  tridiagonal::store_rows<K, width>(x, arrays.x + first, there);
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  tridiagonal::with_width<T>(call.problem, [&]<int width>() {
    RowCounts::with(shape.rows, [&]<int K>() {
      solve<K, width, T>
          <<<blocks_for(systems * shape.lanes, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
              systems, static_cast<int>(tridiagonal::length_of(call.problem)), shape.lanes,
              tridiagonal::Arrays<T>(call));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return tridiagonal::length_of(problem) > shape.rows * shape.lanes
             ? "a system has more than rows * lanes unknowns"
             : nullptr;
}

// Chooses the fewest lanes that hold the system with 8 rows each. Longer systems use 16 rows per lane.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t length = tridiagonal::length_of(problem);
  shape.rows = length <= 4 ? 4 : length <= 256 ? 8 : 16;
  for (shape.lanes = 1; shape.lanes < 32 && length > shape.rows * shape.lanes;) shape.lanes *= 2;
}

}  // namespace lanes

namespace thread {

struct Block {
  int block_size = 128;
};

template <typename T>
__global__ void solve(std::int64_t systems, std::int64_t length, const T* __restrict__ a,
                      const T* __restrict__ b, const T* __restrict__ c, const T* __restrict__ d,
                      T* __restrict__ gamma, T* __restrict__ x) {
  const std::int64_t s = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x, first = s * length;
  if (s < systems)
    tridiagonal::solve(length, a + first, b + first, c + first, d + first, gamma + first, x + first);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  const int block = call.tuned<Block>().block_size;
  solve<<<blocks_for(systems, block), block, 0, stream_of(call)>>>(
      systems, tridiagonal::length_of(call.problem), call.array<const T>(0), call.array<const T>(1),
      call.array<const T>(2), call.array<const T>(3), static_cast<T*>(call.state), call.array<T>(4));
}

std::int64_t workspace(const Problem& p, const int*) {
  return tridiagonal::systems_of(p) * tridiagonal::length_of(p) *
         static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  if (cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, nullptr))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the workspace of elimination";
}

}  // namespace thread

}  // namespace

std::vector<Variant> tridiagonal_cuda() {
  return {
      {.name = "block",
       .description = "one system of at most 8192 unknowns per block, in registers; reduced equations in "
                      "shared memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<block::Shape>({{"block_size", &block::Shape::block_size, Blocks::list()},
                                           {"rows", &block::Shape::rows, RowCounts::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(block::launch),
       .constraint = by_name<block::refuse>,
       .adapt = by_name<tridiagonal::shape_block<block::Shape>>},
      {.name = "bulk_block",
       .description = "like `block`, with persistent blocks that load the next system ahead by bulk copies "
                      "(Hopper)",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<bulk_block::Shape>(
           {{"block_size", &bulk_block::Shape::block_size, Blocks::list()},
            {"rows", &bulk_block::Shape::rows, RowCounts::list()},
            {"blocks_per_multiprocessor", &bulk_block::Shape::blocks_per_multiprocessor, {4, 8, 12, 16}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(bulk_block::launch),
       .constraint = by_name<bulk_block::refuse>,
       .adapt = by_name<tridiagonal::shape_block<bulk_block::Shape>>,
       .unavailable = bulk::unavailable},
      {.name = "lanes",
       .description =
           "one system of at most 512 unknowns per group of lanes, in registers; reduced equations "
           "by shuffles",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<lanes::Shape>({{"rows", &lanes::Shape::rows, lanes::RowCounts::list()},
                                           {"lanes", &lanes::Shape::lanes, {1, 2, 4, 8, 16, 32}},
                                           {"block_size", &lanes::Shape::block_size, {64, 128, 256}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(lanes::launch),
       .constraint = by_name<lanes::refuse>,
       .adapt = by_name<lanes::adapt>},
      {.name = "thread",
       .description = "the plain form: the plain loop, one system per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<thread::Block>({{"block_size", &thread::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(thread::launch),
       .prepare = thread::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = thread::workspace},
  };
}

}  // namespace sextant
