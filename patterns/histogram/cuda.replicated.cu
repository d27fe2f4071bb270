// Several tables a block, side by side: bin b of table t lies in word b * replicas + t, and lane l counts in table
// l modulo their number. With 32 of them every lane has a bank of its own, whatever its keys.
#include "keys.cuh"

namespace sextant {
namespace {

using Replicas = Choices<2, 4, 8, 16, 32>;

// The numbers of blocks suit an H200's 132 multiprocessors.
struct Shape {
  int block_size = 512, items_per_thread = 2, blocks = 528, replicas = 2;
};

template <int replicas>
struct SideBySide {
  static constexpr int words = histogram::few_bins * replicas;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    if (counts) atomicAdd(&table[key * replicas + static_cast<int>(threadIdx.x) % replicas], 1);
  }
  // Threads begin at different tables, so that neighbours read in other banks.
  static __device__ __forceinline__ std::int32_t of(const std::int32_t* table, int bin) {
    std::int32_t sum = 0;
#pragma unroll
    for (int t = 0; t < replicas; ++t) sum += table[bin * replicas + (bin + t) % replicas];
    return sum;
  }
};

void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  Replicas::with(shape.replicas, [&]<int replicas>() {
    histogram::count_few<SideBySide<replicas>>(call,
                                               {shape.block_size, shape.items_per_thread, shape.blocks});
  });
}

}  // namespace

Variant histogram_cuda_replicated() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "several tables a block, interleaved by lane: no two lanes meet in a bank";
  variant.tunables =
      tunables<Shape>({{"block_size", &Shape::block_size, histogram::Blocks::list()},
                       {"items_per_thread", &Shape::items_per_thread, histogram::Items::list()},
                       {"blocks", &Shape::blocks, histogram::block_counts},
                       {"replicas", &Shape::replicas, Replicas::list()}});
  variant.adapt = by_name<histogram::adapt_to_few<Shape>>;
  variant.launch.int32 = launch;
  variant.constraint = histogram::refuse_many_bins;
  return variant;
}

}  // namespace sextant
