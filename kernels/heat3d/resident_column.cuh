// A thread's column of a tile that stays in shared memory, for `resident`: where its vectors and their neighbours lie,
// the new values of a plane, and which of them are faces that go to the mail.
#pragma once

#include "point.cuh"
#include "resident_layout.cuh"
#include "toolbox/cuda/tagged.cuh"

namespace sextant::heat3d {

// One or the other, for a mask of all bits or none: one instruction.
__device__ __forceinline__ float either(unsigned mask, float one, float other) {
  return __uint_as_float((__float_as_uint(one) & mask) | (__float_as_uint(other) & ~mask));
}
__device__ __forceinline__ double either(unsigned mask, double one, double other) {
  return mask ? one : other;
}

template <int radius, int length, int rows, typename T>
struct ResidentColumn {
  using R = Resident<radius, length, rows>;
  using Row = Vector<T, length>;
  using Rows = Row[rows];
  static constexpr int reach = 2 * radius, bytes = static_cast<int>(sizeof(T)),
                       plane_bytes = R::plane * bytes;
  // Rows whose places are kept: rows 8 further lie 8 rows further.
  static constexpr int across = length == 1 || rows + reach < 8 ? rows + reach : 8;
  // Where R is a multiple of a vector all elements of one lie in the rim or none, as rows hold whole vectors.
  static constexpr bool alike = radius % length == 0;

  struct Places {
    // Where the vectors of the column, and those beside its rows, lie in shared memory: bytes, of the first
    // plane of the current period. They move along, as working them out anew would take longer.
    int column_at[across], beside_at[rows][2 * R::sides];
    unsigned fixed[rows][alike ? 1 : length];  // masks of elements in the rim
    int row_to[rows], column_to[rows];  // where a vector goes in a plane's mail, as part of a face, or -1
  };

  char* const shared;
  const int lane, row, x, y;  // vector and first row of the tile; the first point in the box
  Places&
      places;  // not members: beside arrays the compiler keeps all else in memory until loops are unrolled

  // Of thread `id` of the block; `posts`: there is mail.
  __device__ ResidentColumn(const Box& box, int slot, int id, bool posts, T* memory, Places& of_thread)
      : shared(reinterpret_cast<char*>(memory)),
        lane(id % R::lanes),
        row(id % R::group_threads / R::lanes * rows),
        x(static_cast<int>(blockIdx.x) * R::width + lane * length),
        y(static_cast<int>(blockIdx.y) * R::height + row),
        places(of_thread) {
    find_places(slot);
    find_rim_and_faces(box, posts);
  }

  __device__ __forceinline__ void find_places(int slot) {
#pragma unroll
    for (int i = 0; i < across; ++i)
      places.column_at[i] = slot * plane_bytes + R::place(row + i - radius, lane) * bytes;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int k = 0; k < R::sides; ++k) {
        places.beside_at[j][k] = slot * plane_bytes + R::place(row + j, lane + k - R::sides) * bytes;
        places.beside_at[j][R::sides + k] = slot * plane_bytes + R::place(row + j, lane + k + 1) * bytes;
      }
  }

  __device__ __forceinline__ void find_rim_and_faces(const Box& box, bool posts) {
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      const bool ends = row + j < radius || row + j >= R::height - radius,
                 sides = lane < R::sides || lane >= R::lanes - R::sides;
      places.row_to[j] = ends && posts ? R::row_of_face(row + j, lane) : -1;
      places.column_to[j] = sides && posts ? R::column_of_face(row + j, lane) : -1;
#pragma unroll
      for (int e = 0; e < (alike ? 1 : length); ++e)
        places.fixed[j][e] = in_rim<radius>(x + e, box.x) || in_rim<radius>(y + j, box.y) ? ~0u : 0;
    }
  }

  // On by so many planes.
  __device__ __forceinline__ void move(int planes) {
#pragma unroll
    for (int i = 0; i < across; ++i) places.column_at[i] += planes * plane_bytes;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int k = 0; k < 2 * R::sides; ++k) places.beside_at[j][k] += planes * plane_bytes;
  }

  // Row `i` of the column, from -radius on, `offset` bytes further.
  __device__ __forceinline__ Row* in_column(int i, int offset) const {
    return reinterpret_cast<Row*>(shared + places.column_at[(i + radius) % across] +
                                  (i + radius) / across * 8 * R::width * bytes + offset);
  }

  // The thread's own rows.
  __device__ __forceinline__ void take(int offset, Rows& to) const {
#pragma unroll
    for (int j = 0; j < rows; ++j) to[j] = *in_column(j, offset);
  }

  // sum += c[k] * the points at distance k on either side in row j, whose own are `centre`.
  __device__ __forceinline__ void add_along_x(int j, const Row& centre, int offset, Row& sum) const {
    constexpr Coefficients<radius, T> c;
#pragma unroll
    for (int k = -R::sides; k <= R::sides; ++k) {
      const int side = k < 0 ? k + R::sides : k > 0 ? k + R::sides - 1 : 0;
      const Row part =
          k == 0 ? centre : *reinterpret_cast<const Row*>(shared + offset + places.beside_at[j][side]);
#pragma unroll
      for (int e = 0; e < length; ++e)
#pragma unroll
        for (int m = 0; m < length; ++m) {
          const int distance = k * length + m < e ? e - k * length - m : k * length + m - e;
          if (distance >= 1 && distance <= radius) sum[e] += c.at[distance] * part[m];
        }
    }
  }

  // Takes back what is in the rim along x and y.
  __device__ __forceinline__ void keep_rim(int j, const Row& centre, Row& sum) const {
#pragma unroll
    for (int e = 0; e < length; ++e) sum[e] = either(places.fixed[j][alike ? 0 : e], centre[e], sum[e]);
  }

  // Posts row j as far as it belongs to faces; `to`: the plane's mail.
  __device__ __forceinline__ void post_faces(int j, const Row& row_of, unsigned tag, bool wanted,
                                             Word<T>* to) const {
    Vector<Word<T>, length> words;
#pragma unroll
    for (int e = 0; e < length; ++e) words[e] = with_tag(as_word(row_of[e]), tag);
    post(to + places.row_to[j], wanted ? places.row_to[j] : -1, words);
    post(to + places.column_to[j], wanted ? places.column_to[j] : -1, words);
  }

  // sum = the new values of a plane that lies `offset` bytes further, but for what comes from along x; plane_at(k): the
  // thread's rows in plane k of -R … R around it.
  template <typename PlaneAt>
  __device__ __forceinline__ void sum_along_z_and_y(PlaneAt plane_at, int offset, Rows& sum) const {
    sum_along_z<radius>(plane_at, sum);
    add_along_y<radius>(
        plane_at(0), [&](int i) { return *in_column(i, offset); }, sum);
  }
};

}  // namespace sextant::heat3d
