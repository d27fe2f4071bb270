// Least-significant-digit radix sort on the CPU, with 8-bit digits. Each pass distributes the keys by one
// digit, in a stable way.
#pragma once

#include <vector>

#include "loop.hpp"

namespace sextant::sort {

inline constexpr int radix = 256;

template <typename T>
inline constexpr int digits_of = static_cast<int>(sizeof(T));

template <typename T>
SEXTANT_SORT_INLINE int digit_of(T key, int digit) {
  return static_cast<int>(ordered(key) >> (8 * digit) & (radix - 1));
}

// The arrays that a pass reads or writes.
template <typename T>
struct Arrays {
  T* keys;
  std::int32_t* values;  // null if there are no values
};

// The arrays of all passes. The first pass reads the inputs and the last one writes the outputs. The passes
// between them alternate between the outputs and `other`.
template <typename T>
struct Route {
  Arrays<T> in, out, other;
  bool with_values;

  Route(const Call& call, void* workspace) : with_values(has_values(call.problem)) {
    T* keys = static_cast<T*>(workspace);
    auto* values = reinterpret_cast<std::int32_t*>(keys + call.problem.extents.x);
    if (with_values) {
      in = {call.array<T>(0), call.array<std::int32_t>(1)};
      out = {call.array<T>(2), call.array<std::int32_t>(3)};
      other = {keys, values};
    } else {
      in = {call.array<T>(0), nullptr};
      out = {call.array<T>(1), nullptr};
      other = {keys, nullptr};
    }
  }
  Arrays<T> target(int pass, int passes) const { return (passes - 1 - pass) % 2 == 0 ? out : other; }
  Arrays<T> source(int pass, int passes) const { return pass == 0 ? in : target(pass - 1, passes); }

  static std::int64_t workspace(const Problem& problem) {
    return problem.extents.x *
           (static_cast<std::int64_t>(element_size(problem.type)) + (has_values(problem) ? 4 : 0));
  }
};

// Moves elements begin … end - 1 to their positions. places[d] is the position of the next element with digit
// d; it is advanced. `static`: each including source file compiles its own copy with its own compiler flags.
template <typename T>
static void distribute(const Arrays<T>& from, const Arrays<T>& to, std::int64_t begin, std::int64_t end,
                       int digit, std::int64_t* places) {
  for (std::int64_t i = begin; i < end; ++i) {
    const std::int64_t place = places[digit_of(from.keys[i], digit)]++;
    to.keys[place] = from.keys[i];
    if (to.values) to.values[place] = from.values[i];
  }
}

}  // namespace sextant::sort
