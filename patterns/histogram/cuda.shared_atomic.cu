#include "keys.cuh"

namespace sextant {
namespace {

struct OneTable {
  static constexpr int words = histogram::few_bins;
  static __device__ __forceinline__ void count(std::int32_t* table, std::int32_t key, bool counts) {
    if (counts) atomicAdd(&table[key], 1);
  }
  static __device__ __forceinline__ std::int32_t of(const std::int32_t* table, int bin) { return table[bin]; }
};

}  // namespace

Variant histogram_cuda_shared_atomic() {
  return histogram::table_variant<OneTable>(
      "a table a block in shared memory, atomic additions, added to the one table in the end");
}

}  // namespace sextant
