#include "keys.cuh"

namespace sextant {
namespace {

namespace aggregated {

// Lanes of a warp with the same key elect one lane, which adds their number to the bin. So no two lanes
// update the same bin.
struct Elected {
  static constexpr int words = histogram::few_bins;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    const unsigned same = __match_any_sync(~0u, counts ? static_cast<unsigned>(key) : ~0u);
    if (counts && __ffs(static_cast<int>(same)) - 1 == static_cast<int>(threadIdx.x % 32))
      atomicAdd(&table[key], __popc(same));
  }
  static __device__ __forceinline__ std::int32_t of(const std::int32_t* table, int bin) { return table[bin]; }
};

// Chooses the fastest settings for the distribution of the keys, as measured on an H200 with many keys.
void adapt(const Problem& problem, histogram::Shape& shape) {
  shape = problem.parameters[0] == histogram::skewed ? histogram::Shape{1024, 1, 1056}
                                                     : histogram::Shape{256, 1, 528};
  histogram::adapt_to_few(problem, shape);
}

Variant form() {
  Variant variant = histogram::table_variant<Elected>(
      "one table per block; of the lanes with the same key, one adds their number");
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace aggregated

namespace global_atomic {

template <int items>
__global__ void count(std::int64_t n, const std::int32_t* __restrict__ k, std::int32_t* c) {
  histogram::for_keys<items>(n, k, [c](std::int32_t key, bool counts) {
    if (counts) atomicAdd(&c[key], 1);
  });
}

void launch(const Call& call) {
  const auto shape = call.tuned<histogram::Shape>();
  const unsigned blocks = histogram::blocks_of(call.problem, shape.blocks, shape.block_size);
  histogram::clear_bins(call);
  histogram::Items::with(shape.items_per_thread, [&]<int items>() {
    count<items><<<blocks, shape.block_size, 0, stream_of(call)>>>(
        call.problem.extents.x, call.array<const std::int32_t>(0), call.array<std::int32_t>(1));
  });
}

Variant form() {
  Variant variant =
      histogram::shape_variant("the plain form: atomic additions to one table in global memory");
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace global_atomic

// Each block has several interleaved tables: bin b of table t is word b * replicas + t. Lane l updates table
// l % replicas. With 32 tables each lane has its own bank, whatever its keys.
namespace replicated {

using Replicas = Choices<2, 4, 8, 16, 32>;

// The selectable numbers of blocks suit the 132 multiprocessors of an H200.
struct Shape {
  int block_size = 512, items_per_thread = 2, blocks = 528, replicas = 2;
};

template <int replicas>
struct SideBySide {
  static constexpr int words = histogram::few_bins * replicas;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    if (counts) atomicAdd(&table[key * replicas + static_cast<int>(threadIdx.x) % replicas], 1);
  }
  // Adds up a bin's counts over all tables. Each thread starts with a different table, so that neighbouring
  // threads read from different banks.
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

}  // namespace replicated

namespace shared_atomic {

struct OneTable {
  static constexpr int words = histogram::few_bins;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    if (counts) atomicAdd(&table[key], 1);
  }
  static __device__ __forceinline__ std::int32_t of(const std::int32_t* table, int bin) { return table[bin]; }
};

}  // namespace shared_atomic

}  // namespace

std::vector<Variant> histogram_cuda() {
  return {
      named("aggregated", aggregated::form()),
      named("global_atomic", global_atomic::form()),
      {.name = "replicated",
       .description = "several tables per block, interleaved in shared memory so that fewer lanes conflict",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<replicated::Shape>(
           {{"block_size", &replicated::Shape::block_size, histogram::Blocks::list()},
            {"items_per_thread", &replicated::Shape::items_per_thread, histogram::Items::list()},
            {"blocks", &replicated::Shape::blocks, histogram::block_counts},
            {"replicas", &replicated::Shape::replicas, replicated::Replicas::list()}}),
       .launch = {.int32 = replicated::launch},
       .constraint = histogram::refuse_many_bins,
       .adapt = by_name<histogram::adapt_to_few<replicated::Shape>>},
      named("shared_atomic",
            histogram::table_variant<shared_atomic::OneTable>(
                "one table per block in shared memory, atomic additions; added to the result at the end")),
  };
}

}  // namespace sextant
