// All keys in one block's shared memory, pass after pass, in one launch.
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "tile.cuh"

namespace sextant {
namespace {

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

// function(kernel, pointers, bytes of shared memory) for the call's keys and tuning.
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
      reason = "this GPU gives a block less shared memory than the keys take";
  });
  return reason;
}

const char* refuse(const Problem& problem, const Shape& shape) {
  return problem.extents.x > block * shape.items_per_thread ? "more keys than a block has" : nullptr;
}

// As few as suffice.
void adapt(const Problem& problem, Shape& shape) {
  for (const int items : Items::list())
    if (problem.extents.x <= block * items) {
      shape.items_per_thread = items;
      return;
    }
}

}  // namespace

Variant sort_cuda_one_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "one block sorts at most 8192 keys in shared memory, digit after digit";
  variant.tunables = tunables<Shape>({{"items_per_thread", &Shape::items_per_thread, Items::list()}});
  variant.launch = {.float32 = launch, .float64 = launch, .int32 = launch};
  variant.constraint = by_name<refuse>;
  variant.adapt = by_name<adapt>;
  variant.prepare = prepare;
  variant.release = [](void*) {};  // nothing was made
  return variant;
}

}  // namespace sextant
