// Tables of counters by which keys are counted one by one. Counters of one byte need a quarter of the cache.
// Nothing looks at each whether it runs over: one that does takes 256 from the sum of all, which then is not
// the number of keys.
#pragma once

#include <cstdint>

#include "host_state.hpp"
#include "suite/tunables.hpp"

namespace sextant::npb_is {
namespace {

struct Counters {
  int counter_bits = 8;        // 8, or 32: the counts themselves
  int prefetch_distance = 32;  // keys whose counters are called into the cache; 0: none
};

// count(value) for keys begin to end - 1, a line of memory a turn, and touch(value) `prefetch_distance` keys
// before. Lines are called ahead as what is read once, so that keys that went by do not take the counters'
// place in the cache.
template <typename Touch, typename Count>
void each_key(const std::int32_t* keys, std::int64_t begin, std::int64_t end, int ahead, Touch&& touch,
              Count&& count) {
  constexpr int at_once = 16, lines_ahead = 16;
  const auto value = [=](std::int64_t j) { return static_cast<std::uint32_t>(keys[j]); };
  std::int64_t j = begin;
  for (; j <= end - at_once - ahead; j += at_once) {
    __builtin_prefetch(keys + std::min(j + lines_ahead * at_once, end - 1), 0, 0);
    if (ahead > 0)
#pragma GCC unroll 16
      for (int k = 0; k < at_once; ++k) touch(value(j + ahead + k));
#pragma GCC unroll 16
    for (int k = 0; k < at_once; ++k) count(value(j + k));
  }
  for (; j < end; ++j) count(value(j));
}

// The same by one-byte counters.
inline void count_bytes(const std::int32_t* keys, std::int64_t begin, std::int64_t end, int ahead,
                        std::uint8_t* byte) {
  each_key(
      keys, begin, end, ahead, [=](std::uint32_t v) { __builtin_prefetch(byte + v, 1); },
      [=](std::uint32_t v) { ++byte[v]; });
}

// Bytes where the bell's middle leaves them room, which is so in every class. Half a megabyte stays in the
// second cache.
inline void adapt_counters(const Problem& problem, Counters& tuned) {
  const double most =
      densest * static_cast<double>(key_count(problem)) / static_cast<double>(value_count(problem));
  tuned.counter_bits = most <= 128 ? 8 : 32;
  tuned.prefetch_distance = max_log2(problem) > 19 ? 32 : 0;
}

inline Variant counter_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.tunables =
      tunables<Counters>({{"counter_bits", &Counters::counter_bits, {8, 32}},
                          {"prefetch_distance", &Counters::prefetch_distance, {0, 16, 32, 64}}});
  variant.adapt = by_name<adapt_counters>;
  return variant;
}

}  // namespace
}  // namespace sextant::npb_is
