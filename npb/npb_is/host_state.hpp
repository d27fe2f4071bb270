// Components of NAS IS that the host variants share: keys, their changes per iteration, and test keys.
#pragma once

#include <algorithm>

#include "problem.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant::npb_is {
namespace {

using HostKeys = HostMemory<std::int32_t>;

// Generates keys first … last - 1.
inline void generate_keys(std::int64_t first, std::int64_t last, int bits, std::int32_t* keys) {
  std::uint64_t state = state_before(first);
  for (std::int64_t j = first; j < last; ++j) keys[j] = next_key(state, bits);
}

// Allocates and generates all keys. The threads that will read keys first touch their memory (NUMA
// placement). Returns null if memory is insufficient.
inline HostKeys make_keys(const Problem& problem) {
  constexpr std::int64_t chunk = 1 << 14;
  const std::int64_t count = key_count(problem);
  HostKeys made = allocate_host<std::int32_t>(count);
  std::int32_t* keys = made.get();
  if (!keys) return made;
#pragma omp parallel for schedule(static)
  for (std::int64_t first = 0; first < count; first += chunk)
    generate_keys(first, std::min(count, first + chunk), max_log2(problem), keys);
  return made;
}

inline std::int64_t key_bytes(const Problem& problem) { return key_count(problem) * 4; }

// Applies the key changes of iteration `it`. The first iteration also resets all keys that iterations change,
// because a previous run may have changed them.
inline void change_keys(const Problem& problem, int it, std::int32_t* keys) {
  const int bits = max_log2(problem);
  if (it == 1)
    for (std::int64_t j = 1; j < changed_end; ++j) keys[j] = key_at(j, 1, bits);
  keys[it] = key_at(it, it, bits);
  keys[it + iterations] = key_at(it + iterations, it, bits);
}

// Runs all iterations. rank(keys, counts) must set counts[v] to the number of keys <= v.
template <typename Rank>
void rank_all(const Call& call, std::int32_t* keys, Rank&& rank) {
  auto* found = call.array<std::int32_t>(ranks);
  auto* c = call.array<std::uint32_t>(counts);
  const TestKeys tests = test_keys(call.problem);
  for (int it = 1; it <= iterations; ++it) {
    change_keys(call.problem, it, keys);
    std::int32_t test[test_count];
    for (int i = 0; i < test_count; ++i) test[i] = keys[tests.index[i]];
    rank(keys, c);
    for (int i = 0; i < test_count; ++i)
      found[(it - 1) * test_count + i] = test[i] == 0 ? 0 : static_cast<std::int32_t>(c[test[i] - 1]);
  }
}

// Prepares the state of a variant that needs only the keys.
inline const char* prepare_keys(const Call& call, void** state) {
  HostKeys keys = make_keys(call.problem);
  *state = keys.release();
  return *state ? nullptr : "host memory ran out";
}
inline void release_keys(void* state) { FreeMemory()(state); }

}  // namespace
}  // namespace sextant::npb_is
