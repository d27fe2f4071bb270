// Computes the edges of a triangular mesh of k x k vertices by formulas. Each square cell has one diagonal.
// The mesh does not depend on the seed, so data prepared for one input serve every other input.
#pragma once

#include <cstdint>

#include "suite/extents.hpp"
#include "suite/problem.hpp"
#include "toolbox/draws.hpp"

namespace sextant::mesh {

enum Numbering : std::int64_t { ordered, shuffled };  // values of Problem::parameters[0]

inline std::int64_t side_of(const Problem& problem) { return square_root(problem.extents.x); }
constexpr std::int64_t vertices_of(const Problem& problem) { return problem.extents.x; }
constexpr std::int64_t edges_of_side(std::int64_t k) { return 3 * k * k - 4 * k + 1; }
inline std::int64_t edges_of(const Problem& problem) { return edges_of_side(side_of(problem)); }

struct Edge {
  std::int64_t i, j;
};

// Edge e of the mesh with k vertices per side, numbered row by row: first the edges along rows, then those
// along columns, then the diagonals.
constexpr Edge natural_edge(std::int64_t k, std::int64_t e) {
  const std::int64_t along = k * (k - 1);
  if (e < along) {
    const std::int64_t v = e / (k - 1) * k + e % (k - 1);
    return {v, v + 1};
  }
  if (e < 2 * along) return {e - along, e - along + k};
  const std::int64_t cell = e - 2 * along, v = cell / (k - 1) * k + cell % (k - 1);
  return {v, v + k + 1};
}

// Computes edge e of a mesh in the problem's numbering: row by row, or shuffled.
class Edges {
 public:
  explicit Edges(const Problem& problem)
      : k_(side_of(problem)),
        in_order_(problem.parameters[0] == ordered),
        edges_(structure_seed(1), edges_of_side(k_)),
        vertices_(structure_seed(2), k_ * k_) {}

  Edge operator()(std::int64_t e) const {
    if (in_order_) return natural_edge(k_, e);
    const Edge edge = natural_edge(k_, edges_(e));
    return {vertices_(edge.i), vertices_(edge.j)};
  }

 private:
  std::int64_t k_;
  bool in_order_;
  Permutation edges_, vertices_;
};

}  // namespace sextant::mesh
