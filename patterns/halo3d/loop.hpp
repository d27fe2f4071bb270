// halo3d: each part of a periodic box gets its halo from the parts around it.
//
//     for (part = 0; part < parts; ++part)
//       for (variable …) for (point of the part's halo …)
//         u[part][variable][point] = the same point's value where it is some part's own
//
// One part by itself is its own neighbour in all directions. (How parts lie in memory: cut.hpp.)
#pragma once

#include "cut.hpp"
#include "suite/variant.hpp"

namespace sextant::halo3d {

// Rows [first, last) of a piece. Static: each variant compiles its own copy with its own flags.
template <typename T>
static void copy_rows(const Piece& piece, const Region& in, const Region& out, const T* from, T* to,
                      std::int64_t first, std::int64_t last) {
  for (std::int64_t row = first; row < last; ++row) {
    const T* const source = from + row_at(in, piece, row);
    T* const target = to + row_at(out, piece, row);
    for (std::int64_t x = 0; x < piece.nx; ++x) target[x] = source[x];
  }
}

// Of a problem in one part.
template <typename T>
static void loop(const Call& call) {
  T* u = call.array<T>(0);
  for (const Piece& piece : pieces_of(call.problem, parts_of(call.problem), 0))
    copy_rows<T>(piece, piece.from, piece.to, u, u, 0, piece.rows());
}

}  // namespace sextant::halo3d
