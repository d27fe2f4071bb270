// The textbook's form: a sorting network in global memory, a launch a step. Pairs as one number of key and place, which makes
// it stable.
#include "network.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

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
  cudaGetLastError();  // a failed allocation must not be found by a later check
  return "no device memory for the pairs";
}

}  // namespace

Variant sort_cuda_bitonic() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "a bitonic network in global memory, a launch a step";
  variant.tunables = tunables<Block>({{"block_size", &Block::block_size, BlockSizes::list()}});
  variant.launch = {.float32 = launch, .float64 = launch, .int32 = launch};
  variant.workspace = by_name<workspace>;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
