// What `resident` and `peers_resident` share below their kernel: a block's column, what it exchanges with its
// neighbours, the ends.
#pragma once

#include "point.cuh"
#include "resident_layout.cuh"
#include "toolbox/cuda/patience.cuh"
#include "toolbox/cuda/tagged.cuh"

// How the blocks of `resident` send each other the faces of their tiles: through global memory, which is the
// second-level cache here, as tagged values. Who computes a face posts it (`ResidentColumn::post_faces`); who
// needs it looks for it while it computes something else, and waits only for what has not come by then.
namespace sextant::heat3d {

// The mail: for both buffers, all blocks, all groups, their planes in the order in which they take them, a
// plane's faces.
template <typename R>
__device__ __forceinline__ int mail_of(int buffer, int block, int planes) {
  return (buffer * static_cast<int>(gridDim.x * gridDim.y) + block) * R::groups * planes * R::face;
}

// A block's patience: where a warp has none left, no other of the block has, so that the block ends soon.
struct BlockPatience {
  const Patience& launch;
  volatile int* const left;  // in shared memory: looks at a halo, 0 from when a warp gave up

  // Whether the warp, which has looked so many times, is to look again.
  __device__ __forceinline__ bool lasts(int looks) const {
    if (__any_sync(~0u, looks < *left)) return true;
    *left = 0;
    launch.give_up();
    return false;
  }
};

// What a thread brings of the halos of its group's planes, a unit at a time.
template <int radius, int length, typename R, typename T>
struct Inbox {
  static constexpr int shares = (R::unit * R::halo + R::group_threads - 1) / R::group_threads;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  int source[shares];   // in buffer 0 of the mail, from the group's first unit on; -1: nothing is there
  int target[shares];   // bytes of shared memory, likewise
  int plane[shares];    // of the unit
  unsigned wanted = 0;  // a bit a share
  Vector<Word<T>, length> words[shares];

  __device__ Inbox(const Group<radius, R>& group, const Box& box, int thread) {
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      const int i = share * R::group_threads + thread;
      const auto [row, vector] = R::of_halo(i % R::halo);
      const int block_x = static_cast<int>(blockIdx.x) + (vector < 0           ? -1
                                                          : vector >= R::lanes ? 1
                                                                               : 0),
                block_y = static_cast<int>(blockIdx.y) + (row < 0            ? -1
                                                          : row >= R::height ? 1
                                                                             : 0);
      const int own_row = (row + R::height) % R::height, own_vector = (vector + R::lanes) % R::lanes;
      const int x = block_x * R::width + own_vector * length, y = block_y * R::height + own_row;
      const int face = own_row != row ? R::row_of_face(own_row, vector) : R::column_of_face(row, own_vector);
      plane[share] = i / R::halo;
      const bool there = plane[share] < R::unit && x >= 0 && x < box.x && y >= 0 && y < box.y;
      source[share] = there ? mail_of<R>(0, block_y * static_cast<int>(gridDim.x) + block_x, group.planes) +
                                  (group.number * group.planes + plane[share]) * R::face + face
                            : -1;
      target[share] = ((group.slot + plane[share]) * R::plane + R::place(row, vector)) * bytes;
    }
  }
  // Looks for the halo of the unit that begins at plane `first` of the group.
  __device__ __forceinline__ void look(const Word<T>* buffer, const Group<radius, R>& group, int first) {
    wanted = 0;
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      const bool wants = source[share] >= 0 && group.computes(first + plane[share]);
      wanted |= static_cast<unsigned>(wants) << share;
      peek(buffer + (source[share] + first * R::face), wants, words[share]);
    }
  }
  // Puts it into shared memory when all of it is there, or patience ends: then with what was there instead.
  __device__ __forceinline__ void put(const Word<T>* buffer, unsigned tag, int first, char* shared,
                                      const BlockPatience& patience) {
    unsigned missing = wanted;
    for (int looks = 0;; ++looks) {
#pragma unroll
      for (int share = 0; share < shares; ++share)
        if (have_come<T>(words[share], tag)) missing &= ~(1u << share);
      if (!__any_sync(~0u, missing != 0) || !patience.lasts(looks)) break;
#pragma unroll
      for (int share = 0; share < shares; ++share)
        peek(buffer + (source[share] + first * R::face), missing >> share & 1, words[share]);
    }
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      Vector<T, length> values;
#pragma unroll
      for (int e = 0; e < length; ++e) values[e] = without_tag(words[share][e]);
      if (wanted >> share & 1)
        *reinterpret_cast<Vector<T, length>*>(shared + target[share] + first * R::plane * bytes) = values;
    }
  }
};

// A thread's column of a tile that stays in shared memory, for `resident`: where its vectors and their
// neighbours lie, the new values of a plane, and which of them are faces that go to the mail.

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

  // sum = the new values of a plane that lies `offset` bytes further, but for what comes from along x;
  // plane_at(k): the thread's rows in plane k of -R … R around it.
  template <typename PlaneAt>
  __device__ __forceinline__ void sum_along_z_and_y(PlaneAt plane_at, int offset, Rows& sum) const {
    sum_along_z<radius>(plane_at, sum);
    add_along_y<radius>(
        plane_at(0), [&](int i) { return *in_column(i, offset); }, sum);
  }
};

// What the blocks of a slab exchange with those of the slabs before and after it, which are on other GPUs. A
// stencil without diagonals needs of a plane beyond the slab's end a thread's own column alone, which the
// thread of the same number there has. So the groups at a slab's ends, which begin a step there, post their
// first planes in that GPU's mail as tagged values, and look for what comes from there in their last unit: it
// had the time of nearly a step to come.
//
// Rounds go on from call to call, as nobody clears a neighbour's mail: message m of a call is round base + m,
// where 0 is the start and m what m steps have made of it.

// A box by itself.
struct NoEnds {
  static constexpr bool there = false;
  static __device__ __forceinline__ int rim(int, int, int) { return 0; }
  template <int radius, int length, int rows>
  __device__ __forceinline__ NoEnds of_thread(int, int) const {
    return {};
  }
  static __device__ __forceinline__ unsigned round_of(int step) { return static_cast<unsigned>(step); }
  static __device__ __forceinline__ void look(int) {}
  template <typename Rows>
  static __device__ __forceinline__ void post(int, int, bool, const Rows&) {}
  template <typename Column>
  static __device__ __forceinline__ void take(int, const Column&, int, const BlockPatience&) {}
  template <typename Column>
  static __device__ __forceinline__ void begin(const Column&, int, const BlockPatience&) {}
};

// A thread's, of a group at a slab's end; `to` and `from` are null where there is no neighbour.
template <int radius, int length, int rows, typename T>
struct SlabEnd {
  static constexpr bool there = true;
  static constexpr int vectors = radius * rows,
                       step = Resident<radius, length, rows>::group_threads * length;  // words
  static __host__ __device__ constexpr std::int64_t words(int blocks) {                // of a buffer
    return std::int64_t{blocks} * vectors * step;
  }

  unsigned base;
  std::int64_t buffer;  // words
  const Word<T>* from;
  Word<T>* to;
  Vector<Word<T>, length> found[vectors];

  __device__ __forceinline__ unsigned round_of(int message) const {
    return base + static_cast<unsigned>(message);
  }
  __device__ __forceinline__ std::int64_t buffer_of(int message) const {
    return (round_of(message) & 1) * buffer;
  }
  __device__ __forceinline__ void look(int message) {
#pragma unroll
    for (int i = 0; i < vectors; ++i)
      peek_far(from + buffer_of(message) + i * step, from != nullptr, found[i]);
  }
  // All threads of a warp. Plane -1 - i of the group lies i planes after what is `before` planes further than
  // the column.
  template <typename Column>
  __device__ __forceinline__ void take(int message, const Column& column, int before,
                                       const BlockPatience& patience) {
    const unsigned tag = tag_of(round_of(message));
    for (int looks = 0;; ++looks) {
      bool missing = false;
#pragma unroll
      for (int i = 0; i < vectors; ++i) missing |= !have_come<T>(found[i], tag);
      missing &= from != nullptr;
      if (!__any_sync(~0u, missing) || !patience.lasts(looks)) break;
      look(message);
    }
    if (!from) return;
#pragma unroll
    for (int i = 0; i < vectors; ++i) {
      Vector<T, length> values;
#pragma unroll
      for (int e = 0; e < length; ++e) values[e] = without_tag(found[i][e]);
      *column.in_column(i % rows, (before + i / rows) * Column::plane_bytes) = values;
    }
  }
  // `plane` of the group, as far as it is one that the neighbour reads.
  template <typename Rows>
  __device__ __forceinline__ void post(int message, int plane, bool written, const Rows& values) const {
    if (!to || !written || plane >= radius) return;
    const unsigned tag = tag_of(round_of(message));
#pragma unroll
    for (int j = 0; j < rows; ++j) {
      Vector<Word<T>, length> words;
#pragma unroll
      for (int e = 0; e < length; ++e) words[e] = with_tag(as_word(values[j][e]), tag);
      post_far(to + buffer_of(message) + (plane * rows + j) * step, words);
    }
  }
  // What there is at the start, of both.
  template <typename Column>
  __device__ __forceinline__ void begin(const Column& column, int before, const BlockPatience& patience) {
#pragma unroll
    for (int i = 0; i < radius; ++i) {
      typename Column::Rows values;
      column.take(i * Column::plane_bytes, values);
      post(0, i, true, values);
    }
    look(0);
    take(0, column, before, patience);
  }
};

// The ends of a GPU's slab. Mail of both ends lies one after the other, of each two buffers.
template <typename T>
struct SlabEnds {
  static constexpr bool there = true;
  const Word<T>* mail;  // the own one
  Word<T>*low, *high;   // the neighbours'; null where there is none
  unsigned base;        // rounds before this call

  // Of the box's own rim a slab without a neighbour has its outermost planes.
  __device__ __forceinline__ int rim(int group, int groups, int radius) const {
    return (group == 0 && !low) || (group == groups - 1 && !high) ? radius : 0;
  }
  template <int radius, int length, int rows>
  __device__ __forceinline__ SlabEnd<radius, length, rows, T> of_thread(int group, int thread) const {
    using End = SlabEnd<radius, length, rows, T>;
    constexpr int groups = Resident<radius, length, rows>::groups;
    const std::int64_t words = End::words(static_cast<int>(gridDim.x * gridDim.y)),
                       own = (static_cast<std::int64_t>(blockIdx.y) * gridDim.x + blockIdx.x) * End::vectors *
                                 End::step +
                             thread * length;
    const bool at_low = group == 0, at_high = group == groups - 1;
    End end{base, words, nullptr, nullptr, {}};
    if (at_low && low) end.from = mail + own, end.to = low + 2 * words + own;
    if (at_high && high) end.from = mail + 2 * words + own, end.to = high + own;
    return end;
  }
};

}  // namespace sextant::heat3d
