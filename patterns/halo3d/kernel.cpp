#include "suite/kernel.hpp"

#include <algorithm>

#include "cut.hpp"
#include "suite/extents.hpp"
#include "toolbox/host/traits.hpp"

namespace sextant {
namespace {

using namespace halo3d;

constexpr std::int64_t standard_variables = 3, standard_width = 1;  // defaults, as in RAJAPerf

// The largest cube whose array has at most n elements, with halo and the default number of variables.
Extents cube_of(std::int64_t n) {
  const std::int64_t side = cube_root(n / standard_variables) - 2 * standard_width;
  return side < standard_width ? Extents{0, 0, 0} : Extents{side, side, side};
}

std::int64_t length(const Problem& problem, int) {
  std::int64_t elements = 0;
  for (const Part& part : parts_of(problem)) elements += part.elements(problem);
  return elements;
}

// Returns the index of the subdomain that contains point `place` of an axis. The axis has `side` points and
// is divided into `parts`.
int part_with(std::int64_t place, std::int64_t side, std::int64_t parts) {
  int part = 0;
  while (share_of(side, static_cast<int>(parts), part + 1).first <= place && part + 1 < parts) ++part;
  return part;
}

// Takes each value of each subdomain's array from the subdomain that owns the point.
template <typename T>
void reference(const Problem& problem, const void* const* arrays, double* const* results) {
  const T* u = static_cast<const T*>(arrays[0]);
  const std::vector<Part> all = parts_of(problem);
  const PerAxis grid = grid_of(problem), sides = sides_of(problem.extents);
  const std::int64_t width = width_of(problem);
  for (const Part& part : all) {
    const std::int64_t nx = part.padded(0, width), ny = part.padded(1, width), nz = part.padded(2, width);
#pragma omp parallel for collapse(2) schedule(static)
    for (std::int64_t plane = 0; plane < variables_of(problem) * nz; ++plane)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x) {
          const PerAxis point = {x, y, plane % nz};
          PerAxis cell, local;
          for (std::size_t axis = 0; axis < axes; ++axis) {
            const std::int64_t place =
                (part.own[axis].first + point[axis] - width + sides[axis]) % sides[axis];
            cell[axis] = part_with(place, sides[axis], grid[axis]);
            local[axis] =
                place -
                share_of(sides[axis], static_cast<int>(grid[axis]), static_cast<int>(cell[axis])).first;
          }
          const Part& owner =
              all[static_cast<std::size_t>((cell[2] * grid[1] + cell[1]) * grid[0] + cell[0])];
          const Region at = region_at(problem, owner, local);
          results[0][part.first + (plane * ny + y) * nx + x] =
              static_cast<double>(u[owner.first + at.first + plane / nz * at.variable]);
        }
  }
}

// Counts all halo points as read and written. bytes_sent counts only data that go to another subdomain.
Work work(const Problem& problem) {
  const std::vector<Part> all = parts_of(problem);
  const auto bytes = static_cast<std::int64_t>(element_size(problem.type));
  std::int64_t halos = 0, most = 0;
  for (int part = 0; part < problem.parts; ++part) {
    for (const Piece& piece : pieces_of(problem, all, part)) halos += piece.count();
    most = std::max(most, sent_by(problem, all, part));
  }
  return {.bytes_read = halos * bytes,
          .bytes_written = halos * bytes,
          .items = halos,
          .bytes_sent = most * bytes};
}

}  // namespace

std::vector<Kernel> halo3d_kernels() {
  Kernel kernel;
  kernel.name = "halo3d";
  kernel.group = "collective";
  kernel.formula =
      "u[partition][variable][halo] = outermost points of the neighbours: 6 faces, 12 edges, 8 corners";
  kernel.arrays = {{"u", Role::inout}};
  kernel.parameter_list = {{"variables", standard_variables, 1, 64, {1, 2}},
                           {"width", standard_width, 1, 16, {2}},
                           {"grid", compact, compact, planes, {planes}}};
  kernel.shaped = true;
  kernel.extents = cube_of;
  kernel.length = length;
  kernel.work = work;
  kernel.traits = [](const Problem&) { return elementwise_traits(1, 1); };
  kernel.fillable = [](const Problem&, int) { return true; };  // a call only copies elements
  kernel.reference = SEXTANT_FLOAT_DOUBLE(reference);
  kernel.tolerance = [](const Problem&) { return Tolerance{}; };
  kernel.tolerance_reason = "elements are copied unchanged, so every bit must match";
  kernel.refuse = why_too_narrow;
  kernel.sizes = pattern_sizes;
  return {kernel};
}

}  // namespace sextant
