// all_to_all: every part (GPU or rank) holds one block of m numbers for each part, including itself, and
// receives one block from each. This transposes a matrix of blocks.
//
//     for (to = 0; to < parts; ++to)
//       for (from = 0; from < parts; ++from)
//         for (i = 0; i < m; ++i) c[to][from][i] = b[from][to][i];
//
// A single part copies its own block.
#pragma once

#include "suite/variant.hpp"

namespace sextant::all_to_all {

// `static` gives each variant its own copy, compiled with that variant's flags.
template <typename T>
static void loop(const Call& call) {
  const T* b = call.array<const T>(0);
  T* c = call.array<T>(1);
  for (std::int64_t i = 0; i < call.problem.extents.x; ++i) c[i] = b[i];
}

}  // namespace sextant::all_to_all
