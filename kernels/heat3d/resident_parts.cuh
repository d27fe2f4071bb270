// Components that `resident` and `peers_resident` share: a thread's column, the exchange with neighbouring
// blocks, and the exchange between slabs on different GPUs.
#pragma once

#include "point.cuh"
#include "resident_layout.cuh"
#include "toolbox/cuda/poll_limit.cuh"
#include "toolbox/cuda/tagged.cuh"

// Blocks of `resident` exchange the faces of their tiles as tagged values through global memory, in practice
// the L2 cache. The thread that computes a face value stores it (`ResidentColumn::post_faces`). The receiver
// reads it while computing something else, and waits only for values that have not arrived by then.
namespace sextant::heat3d {

// Offset of a block's faces in the exchange buffer. The buffer is ordered by buffer number (0 or 1), block,
// group of warps, plane and position within the plane's faces. Planes are in the order of processing.
template <typename R>
__device__ __forceinline__ int mail_of(int buffer, int block, int planes) {
  return (buffer * static_cast<int>(gridDim.x * gridDim.y) + block) * R::groups * planes * R::face;
}

// Limits how long a block waits. If one warp exceeds the limit, the other warps of the block stop waiting as
// well, so that the block ends soon.
struct BlockPollLimit {
  const PollLimit& launch;
  // Number of times that a warp may still poll for each halo. The counter is in shared memory; 0 means that a
  // warp gave up.
  volatile int* const left;

  // Returns true if the warp should poll again after `looks` polls.
  __device__ __forceinline__ bool lasts(int looks) const {
    if (__any_sync(~0u, looks < *left)) return true;
    *left = 0;
    launch.give_up();
    return false;
  }
};

// Fetches the halo values that a thread needs for the planes of its group of warps. It fetches one unit (two
// planes) at a time, in up to `shares` vectors per thread.
template <int radius, int length, typename R, typename T>
struct Inbox {
  static constexpr int shares = (R::unit * R::halo + R::group_threads - 1) / R::group_threads;
  static constexpr int bytes = static_cast<int>(sizeof(T));
  // Position of each vector of the group's first unit in buffer 0 of the exchange buffer. -1: the vector is
  // outside the box.
  int source[shares];
  int target[shares];   // byte offset of each vector in shared memory, for the first unit
  int plane[shares];    // plane of each vector within the unit
  unsigned wanted = 0;  // bit i is set if vector i is fetched
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
  // Starts reading the halo of the unit that begins at plane `first` of the group.
  __device__ __forceinline__ void look(const Word<T>* buffer, const Group<radius, R>& group, int first) {
    wanted = 0;
#pragma unroll
    for (int share = 0; share < shares; ++share) {
      const bool wants = source[share] >= 0 && group.computes(first + plane[share]);
      wanted |= static_cast<unsigned>(wants) << share;
      peek(buffer + (source[share] + first * R::face), wants, words[share]);
    }
  }
  // Waits until the halo has arrived and stores it in shared memory. If the wait times out, stores whatever
  // the buffer contains.
  __device__ __forceinline__ void put(const Word<T>* buffer, unsigned tag, int first, char* shared,
                                      const BlockPollLimit& poll_limit) {
    unsigned missing = wanted;
    for (int looks = 0;; ++looks) {
#pragma unroll
      for (int share = 0; share < shares; ++share)
        if (have_come<T>(words[share], tag)) missing &= ~(1u << share);
      if (!__any_sync(~0u, missing != 0) || !poll_limit.lasts(looks)) break;
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

// A thread's column of a tile that stays in shared memory. It stores the positions of its vectors and their
// neighbours, computes the new values of a plane, and sends those that belong to faces.

// Returns `one` or `other`, selected by a mask of all ones or all zeros, in one instruction for floats.
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
  // Number of rows whose positions are stored. The position of row i + 8 is computed from that of row i.
  static constexpr int across = length == 1 || rows + reach < 8 ? rows + reach : 8;
  // True if R is a multiple of the vector length and rows consist of whole vectors. A vector then lies
  // entirely inside or entirely outside the boundary along x.
  static constexpr bool alike = radius % length == 0;

  struct Places {
    // Byte offsets in shared memory, for the first plane of the current period of unrolled planes.
    // `column_at` is for the column's vectors, `beside_at` for the vectors left and right of its rows. The
    // march increments the offsets, because computing them anew would take longer.
    int column_at[across], beside_at[rows][2 * R::sides];
    unsigned fixed[rows][alike ? 1 : length];  // masks of the elements on the boundary
    // Position of each row's vector among a plane's faces in the exchange buffer. -1: the vector does not
    // belong to a face.
    int row_to[rows], column_to[rows];
  };

  char* const shared;
  // Index of the vector along x and of the first row in the tile; coordinates of the first point in the box.
  const int lane, row, x, y;
  Places&
      // The positions are a reference instead of members. Next to an array, the compiler would keep the other
      // members in local memory until all loops are unrolled.
      places;

  // The column of thread number `id` of the block. `posts` tells whether faces are exchanged.
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

  // Moves the column by `planes` planes.
  __device__ __forceinline__ void move(int planes) {
#pragma unroll
    for (int i = 0; i < across; ++i) places.column_at[i] += planes * plane_bytes;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int k = 0; k < 2 * R::sides; ++k) places.beside_at[j][k] += planes * plane_bytes;
  }

  // Returns the address of row `i`, counted from -radius, `offset` bytes beyond the current position.
  __device__ __forceinline__ Row* in_column(int i, int offset) const {
    return reinterpret_cast<Row*>(shared + places.column_at[(i + radius) % across] +
                                  (i + radius) / across * 8 * R::width * bytes + offset);
  }

  // Loads the thread's own rows from the plane at `offset`.
  __device__ __forceinline__ void take(int offset, Rows& to) const {
#pragma unroll
    for (int j = 0; j < rows; ++j) to[j] = *in_column(j, offset);
  }

  // Adds c[k] times the points at distance k on either side of row j to `sum`; `centre` has the points of row
  // j.
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

  // Replaces the sums of points on the boundary along x and y by their old values.
  __device__ __forceinline__ void keep_rim(int j, const Row& centre, Row& sum) const {
#pragma unroll
    for (int e = 0; e < length; ++e) sum[e] = either(places.fixed[j][alike ? 0 : e], centre[e], sum[e]);
  }

  // Stores row j in the exchange buffer if it belongs to a face. `to` is the address of the plane's faces.
  __device__ __forceinline__ void post_faces(int j, const Row& row_of, unsigned tag, bool wanted,
                                             Word<T>* to) const {
    Vector<Word<T>, length> words;
#pragma unroll
    for (int e = 0; e < length; ++e) words[e] = with_tag(as_word(row_of[e]), tag);
    post(to + places.row_to[j], wanted ? places.row_to[j] : -1, words);
    post(to + places.column_to[j], wanted ? places.column_to[j] : -1, words);
  }

  // Sets `sum` to the new values of the plane at `offset`, without the contributions along x. plane_at(k)
  // must return the thread's rows in plane k of -R … R around it.
  template <typename PlaneAt>
  __device__ __forceinline__ void sum_along_z_and_y(PlaneAt plane_at, int offset, Rows& sum) const {
    sum_along_z<radius>(plane_at, sum);
    add_along_y<radius>(
        plane_at(0), [&](int i) { return *in_column(i, offset); }, sum);
  }
};

// The exchange between adjacent slabs, which lie on different GPUs. The stencil has no diagonals, so a thread
// needs only its own column of the planes beyond the slab's end. The thread with the same number in the other
// slab has that column. The groups at a slab's ends begin each step there. They store their first planes in
// the other GPU's exchange buffer as tagged values. They read the incoming planes in their last unit, so the
// values have almost a whole step to arrive.
//
// The exchanges of all calls are numbered consecutively ("rounds"), because the neighbour's buffer is never
// cleared. Message m of a call is round base + m: message 0 is the initial state, message m the state after m
// steps.

// Replaces SlabEnds if a single GPU has the whole box. Nothing is exchanged then.
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
  static __device__ __forceinline__ void take(int, const Column&, int, const BlockPollLimit&) {}
  template <typename Column>
  static __device__ __forceinline__ void begin(const Column&, int, const BlockPollLimit&) {}
};

// The exchange of a thread whose group is at a slab's end. `to` and `from` are null if there is no neighbour.
template <int radius, int length, int rows, typename T>
struct SlabEnd {
  static constexpr bool there = true;
  static constexpr int vectors = radius * rows,
                       // distance in words between a thread's vectors in a buffer
      step = Resident<radius, length, rows>::group_threads * length;
  // words of one buffer for `blocks` blocks
  static __host__ __device__ constexpr std::int64_t words(int blocks) {
    return std::int64_t{blocks} * vectors * step;
  }

  unsigned base;
  std::int64_t buffer;  // words of one buffer
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
  // Waits for the message and stores it in shared memory; all threads of a warp must call it. Plane -1 - i of
  // the group is stored `before` + i planes beyond the column's position.
  template <typename Column>
  __device__ __forceinline__ void take(int message, const Column& column, int before,
                                       const BlockPollLimit& poll_limit) {
    const unsigned tag = tag_of(round_of(message));
    for (int looks = 0;; ++looks) {
      bool missing = false;
#pragma unroll
      for (int i = 0; i < vectors; ++i) missing |= !have_come<T>(found[i], tag);
      missing &= from != nullptr;
      if (!__any_sync(~0u, missing) || !poll_limit.lasts(looks)) break;
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
  // Sends plane number `plane` of the group if the neighbour reads it.
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
  // Sends the initial planes to the neighbour and receives the neighbour's.
  template <typename Column>
  __device__ __forceinline__ void begin(const Column& column, int before, const BlockPollLimit& poll_limit) {
#pragma unroll
    for (int i = 0; i < radius; ++i) {
      typename Column::Rows values;
      column.take(i * Column::plane_bytes, values);
      post(0, i, true, values);
    }
    look(0);
    take(0, column, before, poll_limit);
  }
};

// The exchange buffers at both ends of a GPU's slab. They are contiguous, two buffers for each end.
template <typename T>
struct SlabEnds {
  static constexpr bool there = true;
  const Word<T>* mail;  // exchange buffer of this slab
  Word<T>*low, *high;   // exchange buffers of the neighbours; null if there is none
  unsigned base;        // number of rounds before this call

  // Returns how many of the group's first planes are on the boundary: R at an end without a neighbour, else
  // 0.
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
