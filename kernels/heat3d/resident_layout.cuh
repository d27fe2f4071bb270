// How `resident` lays a box out: tiles, groups of warps and their planes, places in shared memory and in the
// mail.
#pragma once

#include <cstdint>

#include "steps.hpp"

namespace sextant::heat3d {

// The make-up of a block whose threads have vectors of `length` elements, `rows` one above the other.
template <int radius, int length, int rows>
struct Resident {
  static constexpr int width = 32, height = 16, lanes = width / length;
  static constexpr int unit = 2;
  static constexpr int group_threads = lanes * height / rows, group_warps = group_threads / 32;
  static constexpr int groups = length == 4 ? 4 : 2;  // an even number
  static constexpr int threads = groups * group_threads;
  static constexpr int period = 8;  // planes over which the march is unrolled

  // A tile's plane in shared memory: rows -R … height-1+R, then the columns of vectors on either side. Each
  // eight vectors are turned by the row's number, so that those of one row and those beside eight rows
  // have a line of 128 bytes without bank conflicts.
  static constexpr int sides = (radius + length - 1) / length, side = sides * length;
  static constexpr int plane = (height + 2 * radius) * width + 2 * side * height;
  static constexpr __host__ __device__ int turned(int base, int number, int row) {
    return length == 1 ? base + number : base + (number & ~7) + ((number + row) & 7);
  }
  // Of vector -sides … lanes+sides-1 of row -R … height-1+R.
  static constexpr __host__ __device__ int place(int row, int vector) {
    if (vector >= 0 && vector < lanes) return length * turned((row + radius) * lanes, vector, row);
    const int column =
        (height + 2 * radius) * lanes + (vector < 0 ? vector + sides : vector - lanes + sides) * height;
    return length * (length == 1 ? column + row : turned(column + (row & ~7), vector & 7, row));
  }

  // What a plane's faces take in the mail: the first and last rows, then the columns of vectors on either
  // side.
  static constexpr int face = 2 * radius * width + 2 * side * height;
  static constexpr __host__ __device__ int row_of_face(int row, int vector) {
    return ((row < radius ? row : row - height + 2 * radius) * lanes + vector) * length;
  }
  static constexpr __host__ __device__ int column_of_face(int row, int vector) {
    return (2 * radius * lanes + (vector < sides ? vector : vector - lanes + 2 * sides) * height + row) *
           length;
  }

  // The vectors of a plane's halo by their number: in rows above and below, then in columns on either side.
  static constexpr int halo = 2 * radius * lanes + 2 * sides * height;
  struct Place {
    int row, vector;
  };
  static constexpr __host__ __device__ Place of_halo(int i) {
    const int row = i / lanes, k = i - 2 * radius * lanes, column = k / height;
    if (k < 0) return {row < radius ? row - radius : row - radius + height, i % lanes};
    return {k % height, column < sides ? column - sides : column - sides + lanes};
  }

  // Planes of a group, of those between the rims: whole units, or one plane less than whole periods, whose
  // last unit the march cuts; for R = 4 that would make groups that meet wait for each other, as they read
  // each other's first or last R planes. Some of the last group may lie beyond; those have no place in shared
  // memory.
  static constexpr int planes_of(int z) {
    const int share = (z - 2 * radius + groups - 1) / groups;
    const bool cut = radius <= 3 && share % period == period - 1;
    const int planes = cut ? share : (share + unit - 1) / unit * unit;
    return planes > radius ? planes : (radius + unit - 1) / unit * unit;
  }
  static constexpr __host__ __device__ int beyond(int planes, int z) {  // of the last group, the rim included
    const int beyond = 2 * radius + groups * planes - z;
    return beyond < 0 ? 0 : beyond < planes ? beyond : planes;
  }
  static constexpr __host__ __device__ int without_place(int planes, int z) {
    return beyond(planes, z) > radius ? beyond(planes, z) - radius : 0;
  }
  // In shared memory: the rim below, by its distance from the other planes, the last group's planes, the rim
  // above, as far as it is not among them, the other groups' planes. Where the last group's planes without a
  // place would lie, the rim below does, and nothing else: the march reads there, in vain, and nobody writes.
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

inline constexpr int most_groups = 4;  // of a block

// What threads tell each other of their group. Each barrier has a phase a step.
struct Meetings {
  std::uint64_t begun;   // the group has read the planes of the one that it meets where it begins
  std::uint64_t ended;   // … where it ends
  std::uint64_t first;   // its first planes are written, which the other there reads
  std::uint64_t stored;  // all of its planes are written
};

// A group of a block: which planes it takes, and in which slots of shared memory they and those before and
// after them lie. Planes before the first come in the order of their distance, those after the last in the
// opposite one.
template <int radius, typename R>
struct Group {
  int number, planes, first, by, slot, before, after, units;
  int low, high;  // planes low … high-1 of the group's are computed, the others lie in the rim or beyond
  bool meets;     // a group before its first plane, not the rim
  // rim: of its first planes so many lie in the rim, although there are others before them.
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
