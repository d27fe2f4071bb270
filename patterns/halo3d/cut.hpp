// Domain decomposition of a box. Each axis is divided as evenly as possible; the subdomains ("parts") form a
// grid of nx x ny x nz, x fastest. Each part stores its own points of all variables, with a halo of `width`
// points on all six sides, edges and corners:
//
//     u[part][variable][z + width][y + width][x + width], the parts' arrays one after another
//
// A "piece" is the data that a part sends to one of its 26 neighbours: its outermost points in that
// direction. They become the neighbour's halo on the opposite side. The box is periodic, so a part may be its
// own neighbour, or another part's neighbour in several directions.
#pragma once

#include <array>
#include <vector>

#include "suite/problem.hpp"
#include "toolbox/share.hpp"

namespace sextant::halo3d {

inline constexpr int axes = 3, directions = 26;
enum ParameterIndex : int { variables_index, width_index, grid_index };
enum GridKind : std::int64_t { compact, planes };

inline std::int64_t variables_of(const Problem& problem) { return problem.parameters[variables_index]; }
inline std::int64_t width_of(const Problem& problem) { return problem.parameters[width_index]; }

using PerAxis = std::array<std::int64_t, axes>;
inline PerAxis sides_of(const Extents& e) { return {e.x, e.y, e.z}; }

// Returns true if each subdomain has at least as many points along each axis as the halo is wide.
inline bool is_wide_enough(const Problem& problem, const PerAxis& grid) {
  const PerAxis sides = sides_of(problem.extents);
  for (std::size_t axis = 0; axis < axes; ++axis)
    if (sides[axis] / grid[axis] < width_of(problem)) return false;
  return true;
}

// Returns the number of points on the faces between a subdomain and other subdomains.
inline double faces_of(const Problem& problem, const PerAxis& grid) {
  const PerAxis sides = sides_of(problem.extents);
  double points = 0;
  for (std::size_t axis = 0; axis < axes; ++axis) {
    if (grid[axis] == 1) continue;
    double face = 2;
    for (std::size_t other = 0; other < axes; ++other)
      if (other != axis) face *= static_cast<double>(sides[other]) / static_cast<double>(grid[other]);
    points += face;
  }
  return points;
}

// Returns the grid of subdomains: slabs along z if the problem asks for planes, otherwise the grid with the
// fewest points to send. Among equal grids it prefers more subdomains along z.
inline PerAxis grid_of(const Problem& problem) {
  const std::int64_t parts = problem.parts;
  PerAxis best = {1, 1, parts};
  if (problem.parameters[grid_index] == planes) return best;
  bool found = is_wide_enough(problem, best);
  for (std::int64_t x = 1; x <= parts; ++x)
    for (std::int64_t y = 1; x * y <= parts; ++y) {
      const PerAxis grid = {x, y, parts / (x * y)};
      if (x * y * grid[2] != parts || !is_wide_enough(problem, grid)) continue;
      if (!found || faces_of(problem, grid) < faces_of(problem, best)) best = grid;
      found = true;
    }
  return best;
}

// Returns null if the box can be decomposed, otherwise the reason.
inline const char* why_too_narrow(const Problem& problem) {
  return is_wide_enough(problem, grid_of(problem))
             ? nullptr
             : "a partition would have fewer points along an axis than the halo is wide: choose fewer "
               "partitions, a larger box or a smaller width";
}

// A subdomain: its range of points along each axis, its position in the grid, and the start of its array.
struct Part {
  std::array<Share, axes> own;
  PerAxis cell;
  std::int64_t first = 0;

  std::int64_t padded(std::size_t axis, std::int64_t width) const { return own[axis].count + 2 * width; }
  std::int64_t elements(const Problem& problem) const {
    const std::int64_t width = width_of(problem);
    return variables_of(problem) * padded(0, width) * padded(1, width) * padded(2, width);
  }
};

// Returns all subdomains, numbered with x fastest.
inline std::vector<Part> parts_of(const Problem& problem) {
  const PerAxis grid = grid_of(problem), sides = sides_of(problem.extents);
  std::vector<Part> all(static_cast<std::size_t>(problem.parts));
  std::int64_t first = 0;
  for (std::int64_t i = 0; i < problem.parts; ++i) {
    Part& part = all[static_cast<std::size_t>(i)];
    part.cell = {i % grid[0], i / grid[0] % grid[1], i / (grid[0] * grid[1])};
    for (std::size_t axis = 0; axis < axes; ++axis)
      part.own[axis] = share_of(sides[axis], static_cast<int>(grid[axis]), static_cast<int>(part.cell[axis]));
    part.first = first;
    first += part.elements(problem);
  }
  return all;
}

// Location of a piece in an array: its first element and its strides, in elements, to the next row, plane and
// variable.
struct Region {
  std::int64_t first = 0, row = 0, plane = 0, variable = 0;
};

// The data that a subdomain sends to one neighbour.
struct Piece {
  int to_part = 0;
  std::int64_t nx = 0, ny = 0, nz = 0, variables = 0;
  Region from, to;  // the piece's region in the sender's array and in the neighbour's array

  std::int64_t count() const { return nx * ny * nz * variables; }
  std::int64_t rows() const { return ny * nz * variables; }
  Region dense(std::int64_t first) const { return {first, nx, nx * ny, nx * ny * nz}; }
};

// Array index of the first element of row number `row` of a piece, counted over all planes and variables.
inline std::int64_t row_at(const Region& region, const Piece& piece, std::int64_t row) {
  const std::int64_t y = row % piece.ny, z = row / piece.ny % piece.nz, v = row / (piece.ny * piece.nz);
  return region.first + y * region.row + z * region.plane + v * region.variable;
}

// Returns the region that starts at point `at` of a subdomain. Points are counted from the subdomain's first
// own point, so coordinates below 0 or from own[axis].count on are in the halo.
inline Region region_at(const Problem& problem, const Part& part, const PerAxis& at) {
  const std::int64_t width = width_of(problem), row = part.padded(0, width),
                     plane = row * part.padded(1, width);
  return {(at[2] + width) * plane + (at[1] + width) * row + at[0] + width, row, plane,
          plane * part.padded(2, width)};
}

// Returns the 26 pieces that subdomain `part` sends, one per direction.
inline std::array<Piece, directions> pieces_of(const Problem& problem, const std::vector<Part>& all,
                                               int part) {
  const PerAxis grid = grid_of(problem);
  const std::int64_t width = width_of(problem);
  const Part& own = all[static_cast<std::size_t>(part)];
  std::array<Piece, directions> pieces;
  for (int number = 0, made = 0; number < 27; ++number) {
    const PerAxis way = {number % 3 - 1, number / 3 % 3 - 1, number / 9 - 1};
    if (number == 13) continue;  // direction (0, 0, 0) is the subdomain itself
    PerAxis cell, count, from;
    for (std::size_t axis = 0; axis < axes; ++axis) {
      cell[axis] = (own.cell[axis] + way[axis] + grid[axis]) % grid[axis];
      count[axis] = way[axis] == 0 ? own.own[axis].count : width;
      from[axis] = way[axis] > 0 ? own.own[axis].count - width : 0;
    }
    Piece& piece = pieces[static_cast<std::size_t>(made++)];
    piece.to_part = static_cast<int>((cell[2] * grid[1] + cell[1]) * grid[0] + cell[0]);
    piece.nx = count[0], piece.ny = count[1], piece.nz = count[2];
    piece.variables = variables_of(problem);
    const Part& there = all[static_cast<std::size_t>(piece.to_part)];
    PerAxis to;
    for (std::size_t axis = 0; axis < axes; ++axis)
      to[axis] = way[axis] == 0 ? 0 : way[axis] > 0 ? -width : there.own[axis].count;
    piece.from = region_at(problem, own, from);
    piece.to = region_at(problem, there, to);
  }
  return pieces;
}

// The number of elements in the largest subdomain's array.
inline std::int64_t most_elements(const Problem& problem, const std::vector<Part>& all) {
  std::int64_t most = 0;
  for (const Part& part : all) most = std::max(most, part.elements(problem));
  return most;
}

// The number of elements that subdomain `part` sends to other subdomains.
inline std::int64_t sent_by(const Problem& problem, const std::vector<Part>& all, int part) {
  std::int64_t elements = 0;
  for (const Piece& piece : pieces_of(problem, all, part))
    if (piece.to_part != part) elements += piece.count();
  return elements;
}

}  // namespace sextant::halo3d
