#include <atomic>

#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  for_each_index(0, bins, [=](std::int64_t b) { c[b] = 0; });
  for_each_index(0, n, [=](std::int64_t i) {
    std::atomic_ref<std::int32_t>(c[k[i]]).fetch_add(1, std::memory_order_relaxed);
  });
}

}  // namespace

Variant histogram_stdpar_atomic() {
  Variant variant;
  variant.description = "std::for_each over the keys, std::atomic_ref to count";
  variant.launch.int32 = launch;
  return variant;
}

}  // namespace sextant
