// sort_keys sorts keys in ascending order. sort_pairs sorts keys with their values; equal keys keep their
// order.
//
//     sorted = keys; std::sort(sorted)
//     pairs = (keys, values); std::stable_sort(pairs) by key
#pragma once

#include <algorithm>

#include "ordered.hpp"
#include "suite/variant.hpp"

namespace sextant::sort {

// True for sort_pairs, whose arrays are keys, values, sorted keys, sorted values. The arrays of sort_keys are
// keys and sorted keys.
constexpr bool has_values(const Problem& problem) { return problem.parameters[1] != 0; }

// Sorts a call's keys by sort(begin, end, other), which may be any sort of numbers. Pairs are sorted as
// numbers that consist of key and original index. `other` has room for as many items as there are. `other`
// and the items of pairs are the state of a comparison_variant. `static` gives each variant its own copy,
// compiled with that variant's flags.
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

// Bytes of the state: the items of pairs and, if the sort needs it, `other`.
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
