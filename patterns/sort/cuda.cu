#include "network.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

// Bitonic sorting network in global memory, one launch per step. A pair is packed into one number, with the
// key in the high bits and the original index in the low bits. This makes the sort stable.
namespace bitonic {

struct Block {
  int block_size = 256;
};

__device__ __forceinline__ std::int64_t own_index() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

template <typename T>
__global__ void copy_keys(std::int64_t n, sort::Pointers<T> to) {
  const std::int64_t i = own_index();
  if (i < n) to.sorted[i] = to.keys[i];
}

__global__ void pack(std::int64_t n, const std::int32_t* __restrict__ keys,
                     std::uint64_t* __restrict__ items) {
  const std::int64_t i = own_index();
  if (i < n) items[i] = sort::placed(keys[i], i);
}

__global__ void unpack(std::int64_t n, const std::uint64_t* __restrict__ items,
                       sort::Pointers<std::int32_t> to) {
  const std::int64_t i = own_index();
  if (i >= n) return;
  to.sorted[i] = sort::key_of(items[i]);
  to.sorted_values[i] = to.values[sort::place_of(items[i])];
}

template <typename Item>
__global__ void exchange(std::int64_t n, std::int64_t mask, Item* items) {
  const std::int64_t i = own_index(), j = i ^ mask;
  if (j <= i || j >= n) return;
  const Item a = items[i], b = items[j];
  if (b < a) items[i] = b, items[j] = a;
}

template <typename Item>
void run_network(const Call& call, unsigned blocks, int block, Item* items) {
  const std::int64_t n = call.problem.extents.x;
  sort::for_steps(
      n, [&](std::int64_t mask) { exchange<<<blocks, block, 0, stream_of(call)>>>(n, mask, items); });
}

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const int block = call.tuned<Block>().block_size;
  const unsigned blocks = blocks_for(n, block);
  const cudaStream_t stream = stream_of(call);
  auto* items = static_cast<std::uint64_t*>(call.state);
  sort::with_keys(call.problem, [&]<bool pairs, typename T>() {
    const sort::Pointers<T> to(call);
    if constexpr (pairs) {
      pack<<<blocks, block, 0, stream>>>(n, to.keys, items);
      run_network(call, blocks, block, items);
      unpack<<<blocks, block, 0, stream>>>(n, items, to);
    } else {
      copy_keys<<<blocks, block, 0, stream>>>(n, to);
      run_network(call, blocks, block, to.sorted);
    }
  });
}

std::int64_t workspace(const Problem& problem, const Block&) {
  return sort::bytes_of_items<false>(problem, nullptr);
}

const char* prepare(const Call& call, void** state) {
  if (!sort::has_values(call.problem) ||
      cudaMalloc(state, static_cast<std::size_t>(workspace(call.problem, {}))) == cudaSuccess)
    return nullptr;
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return "no device memory for the pairs";
}

}  // namespace bitonic

// One block sorts all keys by radix sort in its shared memory, in one launch.
namespace one_block {

using Items = Choices<1, 2, 4, 8>;
constexpr int block = 1024, bits = 8;

struct Shape {
  int items_per_thread = 8;
};

template <int items, typename Word, bool pairs>
struct Shared {
  typename sort::Tile<bits, block, items, Word>::Shared tile;
  std::int32_t values[pairs ? block * items : 1];
};

template <bool pairs, int items, typename T>
__global__ void __launch_bounds__(block) sort_block(int n, sort::Pointers<T> to) {
  using Word = sort::Bits<T>;
  using Keys = sort::Tile<bits, block, items, Word>;
  extern __shared__ __align__(16) unsigned char bytes[];
  auto& shared = *reinterpret_cast<Shared<items, Word, pairs>*>(bytes);
  const int first = Keys::first_place();
  Keys tile;
  tile.load(to.keys, n);
  std::int32_t values[items];
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int at = first + 32 * i;
    if constexpr (pairs) values[i] = at < n ? to.values[at] : 0;
  }
  for (int shift = 0; shift < static_cast<int>(8 * sizeof(T)); shift += bits) {
    tile.rank_in_warp(shared.tile, shift);
    __syncthreads();
    Keys::begin_at(shared.tile, Keys::before_thread(Keys::count_all(shared.tile), shared.tile.totals[0]));
    __syncthreads();
    tile.scatter(shared.tile, shift);
    if constexpr (pairs)
#pragma unroll
      for (int i = 0; i < items; ++i) shared.values[tile.place(i)] = values[i];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < items; ++i) {
      tile.keys[i] = shared.tile.keys[first + 32 * i];
      if constexpr (pairs) values[i] = shared.values[first + 32 * i];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < items; ++i) {
    const int at = first + 32 * i;
    if (at >= n) continue;
    to.sorted[at] = sort::restored<T>(tile.keys[i]);
    if constexpr (pairs) to.sorted_values[at] = values[i];
  }
}

// Calls function(kernel, pointers, bytes of shared memory) with the kernel for the call's key type and
// tuning.
template <typename Function>
void with_kernel(const Call& call, const Function& function) {
  sort::with_keys(call.problem, [&]<bool pairs, typename T>() {
    Items::with(call.tuned<Shape>().items_per_thread, [&]<int items>() {
      function(sort_block<pairs, items, T>, sort::Pointers<T>(call),
               sizeof(Shared<items, sort::Bits<T>, pairs>));
    });
  });
}

void launch(const Call& call) {
  const auto n = static_cast<int>(call.problem.extents.x);
  with_kernel(call, [&](auto kernel, auto pointers, std::size_t bytes) {
    kernel<<<1, block, bytes, stream_of(call)>>>(n, pointers);
  });
}

const char* prepare(const Call& call, void**) {
  const char* reason = nullptr;
  with_kernel(call, [&](auto kernel, auto, std::size_t bytes) {
    if (!sort::allow_shared(reinterpret_cast<const void*>(kernel), bytes))
      reason = "the keys need more shared memory than a block of this GPU can have";
  });
  return reason;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return problem.extents.x > block * shape.items_per_thread ? "more than 1024 * items_per_thread keys"
                                                            : nullptr;
}

// Chooses the smallest number of items per thread for which all keys fit.
void adapt(const Problem& problem, Shape& shape) {
  for (const int items : Items::list())
    if (problem.extents.x <= block * items) {
      shape.items_per_thread = items;
      return;
    }
}

Variant form() {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = "one block radix-sorts at most 8192 keys in shared memory, in one launch";
  variant.tunables = tunables<Shape>({{"items_per_thread", &Shape::items_per_thread, Items::list()}});
  variant.launch = {.float32 = launch, .float64 = launch, .int32 = launch};
  variant.constraint = by_name<refuse>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // prepare allocates nothing
  return variant;
}

}  // namespace one_block

}  // namespace

std::vector<Variant> sort_cuda() {
  return {
      {.name = "bitonic",
       .description = "bitonic sorting network in global memory, one launch per step",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<bitonic::Block>({{"block_size", &bitonic::Block::block_size, BlockSizes::list()}}),
       .launch = {.float32 = bitonic::launch, .float64 = bitonic::launch, .int32 = bitonic::launch},
       .prepare = bitonic::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = by_name<bitonic::workspace>},
      named("one_block", one_block::form()),
  };
}

}  // namespace sextant
