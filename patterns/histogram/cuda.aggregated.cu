#include "keys.cuh"

namespace sextant {
namespace {

// Lanes with the same key elect one that adds for all: no two lanes of a warp ask for the same place.
struct Elected {
  static constexpr int words = histogram::few_bins;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    const unsigned same = __match_any_sync(~0u, counts ? static_cast<unsigned>(key) : ~0u);
    if (counts && __ffs(static_cast<int>(same)) - 1 == static_cast<int>(threadIdx.x % 32))
      atomicAdd(&table[key], __popc(same));
  }
  static __device__ __forceinline__ std::int32_t of(const std::int32_t* table, int bin) { return table[bin]; }
};

// What won on an H200, with many keys by what they are.
void adapt(const Problem& problem, histogram::Shape& shape) {
  shape = problem.parameters[0] == histogram::skewed ? histogram::Shape{1024, 1, 1056}
                                                     : histogram::Shape{256, 1, 528};
  histogram::adapt_to_few(problem, shape);
}

}  // namespace

Variant histogram_cuda_aggregated() {
  Variant variant = histogram::table_variant<Elected>(
      "a table a block; lanes with the same key count together before they add");
  variant.adapt = by_name<adapt>;
  return variant;
}

}  // namespace sextant
