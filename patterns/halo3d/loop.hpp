// halo3d: each subdomain ("part") of a periodic box receives its halo from the neighbouring parts.
//
//     for (part = 0; part < parts; ++part)
//       for (variable …) for (point of the part's halo …)
//         u[part][variable][point] = the same point's value in the part that owns it
//
// A single part is its own neighbour in all directions. cut.hpp describes the memory layout.
#pragma once

#include "cut.hpp"
#include "suite/variant.hpp"

namespace sextant::halo3d {

// Copies rows `first` to `last` - 1 of a piece. `static` gives each variant its own copy, compiled with that
// variant's flags.
template <typename T>
static void copy_rows(const Piece& piece, const Region& in, const Region& out, const T* from, T* to,
                      std::int64_t first, std::int64_t last) {
  for (std::int64_t row = first; row < last; ++row) {
    const T* const source = from + row_at(in, piece, row);
    T* const target = to + row_at(out, piece, row);
    for (std::int64_t x = 0; x < piece.nx; ++x) target[x] = source[x];
  }
}

// The halo exchange for a single subdomain, which is its own neighbour in all directions.
template <typename T>
static void loop(const Call& call) {
  T* u = call.array<T>(0);
  for (const Piece& piece : pieces_of(call.problem, parts_of(call.problem), 0))
    copy_rows<T>(piece, piece.from, piece.to, u, u, 0, piece.rows());
}

}  // namespace sextant::halo3d
