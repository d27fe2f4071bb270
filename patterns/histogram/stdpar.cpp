#include <atomic>

#include "loop.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

namespace atomic {

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  for_each_index(0, bins, [=](std::int64_t b) { c[b] = 0; });
  for_each_index(0, n, [=](std::int64_t i) {
    std::atomic_ref<std::int32_t>(c[k[i]]).fetch_add(1, std::memory_order_relaxed);
  });
}

}  // namespace atomic

namespace tables {

constexpr std::int64_t stretch = 1 << 16;  // keys that are counted in one private table

void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x, bins = histogram::bins_of(call.problem);
  const std::int32_t* k = call.array<const std::int32_t>(0);
  std::int32_t* c = call.array<std::int32_t>(1);
  std::fill(c, c + bins, 0);
  for_each_index(0, (n + stretch - 1) / stretch, [=](std::int64_t part) {
    std::int32_t table[histogram::few_bins] = {};
    for (std::int64_t i = part * stretch; i < std::min(n, (part + 1) * stretch); ++i) ++table[k[i]];
    for (std::int64_t b = 0; b < bins; ++b)
      std::atomic_ref<std::int32_t>(c[b]).fetch_add(table[b], std::memory_order_relaxed);
  });
}

}  // namespace tables

}  // namespace

std::vector<Variant> histogram_stdpar() {
  return {
      {.name = "atomic",
       .description = "std::for_each over the keys, counted by std::atomic_ref",
       .launch = {.int32 = atomic::launch}},
      {.name = "tables",
       .description = "std::for_each over chunks of 65536 keys, each with its own table",
       .launch = {.int32 = tables::launch},
       .constraint = histogram::refuse_many_bins},
  };
}

}  // namespace sextant
