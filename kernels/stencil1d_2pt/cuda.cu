#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/vector.cuh"

namespace sextant {
namespace {

namespace direct {

struct Block {
  int block_size = 512;
};

template <typename T>
__global__ void direct(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = i == 0 || i == n - 1 ? b[i] : static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  direct<<<blocks_for(n, block), block, 0, stream_of(call)>>>(n, call.array<const T>(0), call.array<T>(1));
}

// Sets the default tuning: over all problem sizes, the one closest to each size's best time on an H200.
void adapt(const Problem& problem, Block& block) {
  if (problem.n < 65'536 || problem.n >= (std::int64_t{8} << 20)) block.block_size = 256;
}

}  // namespace direct

namespace shared {

struct Block {
  int block_size = 256;
};

template <typename T>
__global__ void shared(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  extern __shared__ __align__(16) unsigned char memory[];
  T* const tile = reinterpret_cast<T*>(memory) + 1;  // tile[-1] and tile[blockDim.x] are the halo.
  const int t = static_cast<int>(threadIdx.x);
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + t;
  if (i < n) {
    tile[t] = b[i];
    if (t == 0 && i > 0) tile[-1] = b[i - 1];
    if (t == static_cast<int>(blockDim.x) - 1 && i + 1 < n) tile[t + 1] = b[i + 1];
  }
  __syncthreads();
  if (i < n) c[i] = i == 0 || i == n - 1 ? tile[t] : static_cast<T>(0.5) * (tile[t - 1] + tile[t + 1]);
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  shared<<<blocks_for(n, block), block, (block + 2) * sizeof(T), stream_of(call)>>>(n, call.array<const T>(0),
                                                                                    call.array<T>(1));
}

}  // namespace shared

namespace vector {

// Each thread computes `items` vectors of 16 bytes, as in stream::vector. The neighbours on either side of a
// vector come from cache lines that adjacent threads load.
template <int items, typename T>
__global__ void vector(std::int64_t n, const T* __restrict__ b, T* __restrict__ c) {
  constexpr int length = vector_length<T>;
  const std::int64_t vectors = n / length;
  const std::int64_t first = static_cast<std::int64_t>(blockIdx.x) * (blockDim.x * items) + threadIdx.x;
  Vector<T, length> own[items];
  T left[items], right[items];
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x, i = v * length;
    if (v < vectors) {
      own[item] = load<length>(b + i);
      left[item] = b[i > 0 ? i - 1 : 0];
      right[item] = b[i + length < n ? i + length : n - 1];
    }
  }
#pragma unroll
  for (int item = 0; item < items; ++item) {
    const std::int64_t v = first + item * blockDim.x;
    if (v < vectors) {
      const Vector<T, length>& x = own[item];
      Vector<T, length> result;
#pragma unroll
      for (int i = 0; i < length; ++i)
        result[i] = static_cast<T>(0.5) *
                    ((i > 0 ? x[i - 1] : left[item]) + (i < length - 1 ? x[i + 1] : right[item]));
      if (v == 0) result[0] = x[0];
      if ((v + 1) * length == n) result[length - 1] = x[length - 1];
      store_streaming(c + v * length, result);
    } else if (const std::int64_t i = vectors * length + (v - vectors); i < n) {
      c[i] = i == 0 || i == n - 1 ? b[i] : static_cast<T>(0.5) * (b[i - 1] + b[i + 1]);
    }
  }
}

using Items = Choices<1, 2>;

struct Block {
  int items_per_thread = 1, block_size = 256;
};

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const std::int64_t threads = n / vector_length<T> + n % vector_length<T>;
  const auto tuned = call.tuned<Block>();
  const int block = tuned.block_size;
  Items::with(tuned.items_per_thread, [&]<int items>() {
    vector<items><<<blocks_for(threads, block * items), block, 0, stream_of(call)>>>(
        n, call.array<const T>(0), call.array<T>(1));
  });
}

// Sets the defaults that were fastest on an H200 for arrays larger than its L2 cache, and for doubles that
// fill much of it.
void adapt(const Problem& problem, Block& block) {
  const auto bytes = 2 * problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
  const bool beyond = bytes > (std::int64_t{64} << 20);
  if (beyond) block.block_size = 128;
  if (!beyond && problem.type == ElementType::float64 && bytes > (std::int64_t{8} << 20))
    block.items_per_thread = 2, block.block_size = 128;
}

}  // namespace vector

}  // namespace

std::vector<Variant> stencil1d_2pt_cuda() {
  return {
      {.name = "direct",
       .description = "one point per thread; neighbours read from global memory",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<direct::Block>({{"block_size", &direct::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(direct::launch),
       .adapt = by_name<direct::adapt>},
      {.name = "shared",
       .description = "the study's form: tile and halo in shared memory, one point per thread",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<shared::Block>({{"block_size", &shared::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(shared::launch)},
      {.name = "vector",
       .description = "16-byte accesses; neighbours from the L1 cache",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<vector::Block>(
           {{"items_per_thread", &vector::Block::items_per_thread, vector::Items::list()},
            {"block_size", &vector::Block::block_size, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(vector::launch),
       .adapt = by_name<vector::adapt>},
  };
}

}  // namespace sextant
