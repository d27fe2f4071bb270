// Counting of keys with 32-bit or one-byte counters. One-byte counters need a quarter of the cache. Overflows
// are detected only at the end: each one lowers the sum of all counters by 256, so the sum differs from the
// number of keys.
#pragma once

#include <cstdint>

#include "host_state.hpp"
#include "suite/tunables.hpp"

namespace sextant::npb_is {
namespace {

struct Counters {
  int counter_bits = 8;        // 8, or 32 to count directly in the result
  int prefetch_distance = 32;  // number of keys by which counters are prefetched ahead; 0: no prefetch
};

// Calls count(value) for keys begin … end - 1, one cache line of keys per iteration. Calls touch(value) for
// the key `ahead` positions later. Keys are prefetched with a non-temporal hint, so that they do not evict
// the counters.
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

// Counts the keys with one-byte counters.
inline void count_bytes(const std::int32_t* keys, std::int64_t begin, std::int64_t end, int ahead,
                        std::uint8_t* byte) {
  each_key(
      keys, begin, end, ahead, [=](std::uint32_t v) { __builtin_prefetch(byte + v, 1); },
      [=](std::uint32_t v) { ++byte[v]; });
}

// Chooses one-byte counters if the most frequent value does not overflow them, as in every NAS problem class.
// Tables of up to 512 KiB stay in the L2 cache and need no prefetch.
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
