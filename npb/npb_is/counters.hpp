// Tables of counters by which keys are counted one by one. Counters of one byte need a quarter of the cache: one that runs
// over adds 256 to the value's count at once, as seldom as once in 256 keys.
#pragma once

#include <cstdint>

#include "host_state.hpp"
#include "suite/tunables.hpp"

namespace sextant::npb_is {
namespace {

struct Counters {
  int bits = 8;    // 8, or 32: the counts themselves
  int ahead = 32;  // keys whose counters are called into the cache; 0: none
};

// count(value) for keys begin to end - 1, and touch(value) `ahead` keys before.
template <typename Touch, typename Count>
void each_key(const std::int32_t* keys, std::int64_t begin, std::int64_t end, int ahead, Touch&& touch,
              Count&& count) {
  std::int64_t j = begin;
  if (ahead > 0)
    for (; j < end - ahead; ++j) {
      touch(keys[j + ahead]);
      count(keys[j]);
    }
  for (; j < end; ++j) count(keys[j]);
}

// 2^16 counts stay in the second cache, as does half a megabyte of bytes.
inline void adapt_counters(const Problem& problem, Counters& tuned) {
  tuned.bits = max_log2(problem) > 16 ? 8 : 32;
  tuned.ahead = max_log2(problem) > 19 ? 32 : 0;
}

inline Variant counter_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables =
      tunables<Counters>({{"bits", &Counters::bits, {8, 32}}, {"ahead", &Counters::ahead, {0, 16, 32, 64}}});
  variant.adapt = by_name<adapt_counters>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_is
