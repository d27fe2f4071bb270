// all_to_all: every part has a piece of m numbers for every part, itself too, and gets as many from each: a
// matrix of pieces is transposed.
//
//     for (to = 0; to < parts; ++to)
//       for (from = 0; from < parts; ++from)
//         for (i = 0; i < m; ++i) c[to][from][i] = b[from][to][i];
//
// One part by itself has but its own piece: it is copied.
#pragma once

#include "suite/variant.hpp"

namespace sextant::all_to_all {

// Static: each variant compiles its own copy with its own flags.
template <typename T>
static void loop(const Call& call) {
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] = b[i];
}

}  // namespace sextant::all_to_all
