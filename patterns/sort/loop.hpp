// sort_keys sorts keys in ascending order. sort_pairs sorts keys together with their values and is stable.
//
//     sorted = keys; std::sort(sorted)
//     pairs = (keys, values); std::stable_sort(pairs) by key
#pragma once

#include <algorithm>

#include "ordered.hpp"
#include "suite/variant.hpp"

namespace sextant::sort {

// True for sort_pairs. The arrays of sort_pairs are keys, values, sorted keys and sorted values; those of
// sort_keys are keys and sorted keys.
constexpr bool has_values(const Problem& problem) { return problem.parameters[1] != 0; }

// Sorts a call's keys by sort(begin, end, other), which may be any sort of numbers. `other` is a buffer for
// as many items as there are. A pair is packed into one number, key first, then original index. The call's
// state (comparison_variant) holds `other` and the packed pairs. `static`: each including source file
// compiles its own copy with its own compiler flags.
template <typename T, typename Sort>
static void sort_items(const Call& call, const Sort& sort) {
  const std::int64_t n = call.problem.extents.x;
  const T* keys = call.array<const T>(0);
  if (!has_values(call.problem)) {
    T* sorted = call.array<T>(1);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) sorted[i] = keys[i];
    sort(sorted, sorted + n, static_cast<T*>(call.state));
    return;
  }
  if constexpr (std::is_same_v<T, std::int32_t>) {
    const std::int32_t* values = call.array<const std::int32_t>(1);
    std::int32_t *sorted = call.array<std::int32_t>(2), *sorted_values = call.array<std::int32_t>(3);
    auto* items = static_cast<std::uint64_t*>(call.state);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) items[i] = placed(keys[i], i);
    sort(items, items + n, items + n);
#pragma omp parallel for schedule(static)
    for (std::int64_t i = 0; i < n; ++i) {
      sorted[i] = key_of(items[i]);
      sorted_values[i] = values[place_of(items[i])];
    }
  }
}

// Size in bytes of the state: the packed pairs and, if the sort needs it, the buffer `other`.
template <bool with_other>
std::int64_t bytes_of_items(const Problem& problem, const int*) {
  const auto key = static_cast<std::int64_t>(element_size(problem.type));
  return problem.extents.x * (has_values(problem) ? (with_other ? 16 : 8) : with_other ? key : 0);
}

// A variant whose launch calls sort_items.
template <bool with_other>
Variant comparison_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.workspace = bytes_of_items<with_other>;
  variant.prepare = [](const Call& call, void** state) -> const char* {
    *state = new std::uint64_t[static_cast<std::size_t>(
        bytes_of_items<with_other>(call.problem, nullptr) / 8 + 1)];
    return nullptr;
  };
  variant.release = [](void* state) { delete[] static_cast<std::uint64_t*>(state); };
  return variant;
}

}  // namespace sextant::sort
