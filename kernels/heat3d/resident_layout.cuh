// The layout of a box in the variant `resident`: tiles, groups of warps with their planes, and positions in
// shared memory and in the exchange buffer.
#pragma once

#include <cstdint>

#include "steps.hpp"

namespace sextant::heat3d {

// The layout of a block. Each thread has vectors of `length` elements in `rows` consecutive rows.
template <int radius, int length, int rows>
struct Resident {
  static constexpr int width = 32, height = 16, lanes = width / length;
  static constexpr int unit = 2;
  static constexpr int group_threads = lanes * height / rows, group_warps = group_threads / 32;
  static constexpr int groups = length == 4 ? 4 : 2;  // groups of warps per block; must be even
  static constexpr int threads = groups * group_threads;
  static constexpr int period = 8;  // number of planes over which the march is unrolled

  // A tile's plane in shared memory consists of the rows -R … height-1+R, then the columns of vectors on
  // either side. Each group of eight vectors is rotated by the row number. Eight vectors of one row, or of
  // one column in eight rows, can thus be accessed without bank conflicts.
  static constexpr int sides = (radius + length - 1) / length, side = sides * length;
  static constexpr int plane = (height + 2 * radius) * width + 2 * side * height;
  static constexpr __host__ __device__ int turned(int base, int number, int row) {
    return length == 1 ? base + number : base + (number & ~7) + ((number + row) & 7);
  }
  // Returns the position of a vector in a plane, for vectors -sides … lanes+sides-1 of rows -R … height-1+R.
  static constexpr __host__ __device__ int place(int row, int vector) {
    if (vector >= 0 && vector < lanes) return length * turned((row + radius) * lanes, vector, row);
    const int column =
        (height + 2 * radius) * lanes + (vector < 0 ? vector + sides : vector - lanes + sides) * height;
    return length * (length == 1 ? column + row : turned(column + (row & ~7), vector & 7, row));
  }

  // Elements of a plane's faces in the exchange buffer: the first and last R rows, then the columns of
  // vectors at either side of the tile.
  static constexpr int face = 2 * radius * width + 2 * side * height;
  static constexpr __host__ __device__ int row_of_face(int row, int vector) {
    return ((row < radius ? row : row - height + 2 * radius) * lanes + vector) * length;
  }
  static constexpr __host__ __device__ int column_of_face(int row, int vector) {
    return (2 * radius * lanes + (vector < sides ? vector : vector - lanes + 2 * sides) * height + row) *
           length;
  }

  // Number of vectors in the halo of a plane. They are numbered: first the rows below and above the tile,
  // then the columns on either side.
  static constexpr int halo = 2 * radius * lanes + 2 * sides * height;
  struct Place {
    int row, vector;
  };
  static constexpr __host__ __device__ Place of_halo(int i) {
    const int row = i / lanes, k = i - 2 * radius * lanes, column = k / height;
    if (k < 0) return {row < radius ? row - radius : row - radius + height, i % lanes};
    return {k % height, column < sides ? column - sides : column - sides + lanes};
  }

  // Returns the planes per group between the boundaries along z. The number is a multiple of the unit, or one
  // less than a multiple of the period; then the last unit has one plane. R = 4 allows only multiples of the
  // unit, because adjacent groups would otherwise deadlock. Planes of the last group may lie beyond the box.
  // Planes beyond the box's boundary get no slot in shared memory.
  static constexpr int planes_of(int z) {
    const int share = (z - 2 * radius + groups - 1) / groups;
    const bool cut = radius <= 3 && share % period == period - 1;
    const int planes = cut ? share : (share + unit - 1) / unit * unit;
    return planes > radius ? planes : (radius + unit - 1) / unit * unit;
  }
  // Returns how many planes of the last group lie on the upper boundary or beyond the box.
  static constexpr __host__ __device__ int beyond(int planes, int z) {
    const int beyond = 2 * radius + groups * planes - z;
    return beyond < 0 ? 0 : beyond < planes ? beyond : planes;
  }
  static constexpr __host__ __device__ int without_place(int planes, int z) {
    return beyond(planes, z) > radius ? beyond(planes, z) - radius : 0;
  }
  // The order of slots in shared memory:
  // - the lower boundary planes, sorted by distance from the other planes,
  // - the last group's planes,
  // - the upper boundary, unless the last group contains it,
  // - the other groups' planes.
  // Planes of the last group beyond the box have no slot. Their positions coincide with the lower boundary.
  // The march reads these positions but ignores the values, and no thread writes there.
  static constexpr __host__ __device__ int slot_of_last(int planes, int z) {
    return without_place(planes, z) < radius ? radius - without_place(planes, z) : 0;
  }
  static constexpr __host__ __device__ int slot_of_others(int planes, int z) {
    return slot_of_last(planes, z) + planes + (beyond(planes, z) >= radius ? 0 : radius);
  }
  static constexpr int slots_of(int planes, int z) {
    return slot_of_others(planes, z) + (groups - 1) * planes;
  }
};

inline constexpr int most_groups = 4;  // maximum groups per block

// The barriers by which the threads of a group inform adjacent groups. Each barrier completes one phase per
// step.
struct Meetings {
  // Completes when this group has read the adjacent group's planes next to its own first plane.
  std::uint64_t begun;
  // Completes when this group has read the adjacent group's planes next to its own last plane.
  std::uint64_t ended;
  // Completes when the group has written its first planes, which the adjacent group reads.
  std::uint64_t first;
  std::uint64_t stored;  // completes when the group has written all of its planes
};

// A group of a block: its planes, and the slots in shared memory of these planes and of the planes before and
// after them. Planes before the first are stored in order of distance, those after the last in reverse order.
template <int radius, typename R>
struct Group {
  int number, planes, first, by, slot, before, after, units;
  // The planes low … high-1 of the group are computed. Its other planes lie on the boundary or beyond the
  // box.
  int low, high;
  bool meets;  // true if another group precedes the first plane, false if the boundary does
  // The parameter `rim` is the number of the group's first planes that lie on the boundary although other
  // planes precede them.
  __device__ Group(int of_number, int of_planes, int box_z, int rim = 0)
      : number(of_number),
        planes(of_planes),
        first(radius + (number % 2 ? (number + 1) * planes - 1 : number * planes)),
        by(number % 2 ? -1 : 1),
        slot(slot_of(number, box_z)),
        before(number == 0               ? 0
               : number == R::groups - 1 ? R::beyond(planes, box_z) >= radius ? slot : slot + planes
                                         : slot_of(number - by, box_z)),
        after(slot_of(number + by, box_z)),
        units((planes + R::unit - 1) / R::unit),
        low(rim + (by > 0 ? 0 : max(0, first - (box_z - radius) + 1))),
        high(by > 0 ? min(planes, box_z - radius - first) : planes),
        meets(number > 0 && number < R::groups - 1) {}
  __device__ __forceinline__ int slot_of(int group, int box_z) const {
    return group == R::groups - 1 ? R::slot_of_last(planes, box_z)
                                  : R::slot_of_others(planes, box_z) + group * planes;
  }
  __device__ __forceinline__ int plane(int i) const { return first + i * by; }
  __device__ __forceinline__ bool computes(int i) const { return i >= low && i < high; }
};

}  // namespace sextant::heat3d
