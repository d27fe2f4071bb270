// Definitions shared by all variants of npb_is, NAS IS: ranking integer keys (Bailey et al., "The NAS
// Parallel Benchmarks", RNR-94-007, section 2.3.1).
//
//     for (j = 0; j < n; ++j) key[j] = floor(max/4 * (r1 + r2 + r3 + r4))   // before the timed part
//     for (it = 1; it <= 10; ++it) {
//       key[it] = it;  key[it + 10] = max - it
//       count[0 .. max-1] = 0
//       for (j = 0; j < n; ++j) ++count[key[j]]
//       for (v = 1; v < max; ++v) count[v] += count[v - 1]                  // number of keys <= v
//       for (i = 0; i < 5; ++i) rank[it][i] = count[key[index[i]] - 1]      // keys below a test key
//     }
//
// The results are the fifty ranks and the last iteration's counts. The position of key k in sorted order is
// count[k - 1]. A run first resets the twenty changed keys, so that every run does the same work.
#pragma once

#include <cstdint>

#include "suite/problem.hpp"
#include "toolbox/npb_random.hpp"

namespace sextant::npb_is {

enum Array : int { ranks, counts };

inline constexpr int iterations = 10, test_count = 5, rank_count = iterations * test_count;
inline constexpr std::int64_t changed_end = 2 * iterations + 1;  // iterations change keys 1 to 20
inline constexpr std::int64_t least_keys = 32;
inline constexpr int least_max_log2 = 5, most_max_log2 = 27;
inline constexpr std::int64_t most_keys = std::int64_t{1} << 31;  // a count has 32 bits
inline constexpr double densest = 8.0 / 3;  // ratio of the largest to the mean density of the keys

inline std::int64_t key_count(const Problem& problem) { return problem.extents.x; }
inline int max_log2(const Problem& problem) { return static_cast<int>(problem.parameters[0]); }
inline std::int64_t value_count(const Problem& problem) { return std::int64_t{1} << max_log2(problem); }

struct Class {
  const char* name;
  int keys_log2, max_log2;
  std::int64_t index[test_count];
  std::int64_t rank[test_count];
  int slope[test_count], offset[test_count];  // iteration `it` adds slope * it + offset to `rank`

  constexpr std::int64_t keys() const { return std::int64_t{1} << keys_log2; }
  constexpr std::int64_t rank_at(int it, int test) const {
    return rank[test] + slope[test] * it + offset[test];
  }
};

// Sizes, test keys and ranks of the official problem classes, from NPB 3.4.2 (IS/is.c).
inline constexpr Class classes[] = {
    {"S", 16, 11, {48427, 17148, 23627, 62548, 4431}, {0, 18, 346, 64917, 65463}, {1, 1, 1, -1, -1}, {}},
    {"W",
     20,
     16,
     {357773, 934767, 875723, 898999, 404505},
     {1249, 11698, 1039987, 1043896, 1048018},
     {1, 1, -1, -1, -1},
     {-2, -2, 0, 0, 0}},
    {"A",
     23,
     19,
     {2112377, 662041, 5336171, 3642833, 4250760},
     {104, 17523, 123928, 8288932, 8388264},
     {1, 1, 1, -1, -1},
     {-1, -1, -1, 1, 1}},
    {"B",
     25,
     21,
     {41869, 812306, 5102857, 18232239, 26860214},
     {33422937, 10244, 59149, 33135281, 99},
     {-1, 1, 1, -1, 1},
     {}},
    {"C",
     27,
     23,
     {44172927, 72999161, 74326391, 129606274, 21736814},
     {61147, 882988, 266290, 133997595, 133525895},
     {1, 1, 1, -1, -1},
     {}},
    {"D",
     31,
     27,
     {1317351170, 995930646, 1157283250, 1503301535, 1453734525},
     {1, 36538729, 1978098519, 2145192618, 2147425337},
     {1, 1, -1, -1, -1},
     {}},
};

// Returns the problem class with this number and range of keys, or null.
constexpr const Class* class_of(std::int64_t keys, std::int64_t max_log2) {
  for (const Class& one : classes)
    if (one.keys() == keys && one.max_log2 == max_log2) return &one;
  return nullptr;
}

// Positions of the test keys. Problems outside the official classes spread them over all keys.
struct TestKeys {
  std::int64_t index[test_count];
};
constexpr TestKeys test_keys(std::int64_t keys, std::int64_t max_log2) {
  TestKeys tests = {};
  const Class* known = class_of(keys, max_log2);
  for (int i = 0; i < test_count; ++i) tests.index[i] = known ? known->index[i] : keys / 10 * (2 * i + 1);
  return tests;
}
inline TestKeys test_keys(const Problem& problem) {
  return test_keys(key_count(problem), problem.parameters[0]);
}

// Returns the key made from the next four random numbers and advances `state`. The sum of the four is below
// 2^48.
SEXTANT_HOST_DEVICE constexpr std::int32_t next_key(std::uint64_t& state, int max_log2) {
  std::uint64_t sum = 0;
  for (int i = 0; i < 4; ++i) sum += state = npb::random_next(state);
  return static_cast<std::int32_t>(sum >> (48 - max_log2));
}

// Returns the state of the random number generator before key j.
SEXTANT_HOST_DEVICE constexpr std::uint64_t state_before(std::int64_t j) {
  return npb::random_skip(npb::other_seed, 4 * static_cast<std::uint64_t>(j));
}

// Returns key j < 21 as it is in iteration `it`: the changed value if iterations 1 to `it` changed it, else
// the generated value.
SEXTANT_HOST_DEVICE constexpr std::int32_t key_at(std::int64_t j, int it, int max_log2) {
  if (j >= 1 && j <= it) return static_cast<std::int32_t>(j);
  if (j > iterations && j <= iterations + it)
    return static_cast<std::int32_t>((std::int64_t{1} << max_log2) - (j - iterations));
  std::uint64_t state = state_before(j);
  return next_key(state, max_log2);
}

}  // namespace sextant::npb_is
