// A box that stays in the multiprocessors' shared memory over all steps: the kernel of `resident`.
//
// A block owns all planes of a tile of 32 x 16 columns; a group of its warps owns neighbouring planes, which
// it takes two at a time, a unit. Groups write results over what they read, a unit later, when the group has
// read all of it; planes that two groups read are held back by barriers that count arrivals (`Meetings`).
//
// Faces go through global memory, which is the second-level cache here, as tagged values: who computes them
// posts them, and while the neighbouring block's group computes one unit it looks for the halo of its next
// one, which had the time of nearly a step to come. So nobody waits for a step, and nothing but the values is
// sent. Tags ask for values below 2: inputs are at most 1, and steps damp them.
//
// Groups march up and down by turns, so that two that meet both begin or both end there, and a group's planes
// lie in shared memory in the order in which it takes them.
#pragma once

#include "arrival_barrier.cuh"
#include "point.cuh"
#include "resident_layout.cuh"
#include "toolbox/cuda/tagged.cuh"

namespace sextant::heat3d {

// The mail: for both buffers, all blocks, all groups, their planes in the order in which they take them, a
// plane's faces.
template <typename R>
__device__ __forceinline__ int mail_of(int buffer, int block, int planes) {
  return (buffer * static_cast<int>(gridDim.x * gridDim.y) + block) * R::groups * planes * R::face;
}

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
  // Puts it into shared memory, when all of it is there.
  __device__ __forceinline__ void put(const Word<T>* buffer, unsigned tag, int first, char* shared) {
    unsigned missing = wanted;
    while (true) {
#pragma unroll
      for (int share = 0; share < shares; ++share)
        if (have_come<T>(words[share], tag)) missing &= ~(1u << share);
      if (!__any_sync(~0u, missing != 0)) break;
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

// One or the other, for a mask of all bits or none: one instruction.
__device__ __forceinline__ float either(unsigned mask, float one, float other) {
  return __uint_as_float((__float_as_uint(one) & mask) | (__float_as_uint(other) & ~mask));
}
__device__ __forceinline__ double either(unsigned mask, double one, double other) {
  return mask ? one : other;
}

// All steps of the thread's columns, from shared memory to v.
template <int radius, int length, int rows, typename T>
__device__ __forceinline__ void advance(const Box& box, int planes, int steps, bool good, T* v, Word<T>* mail,
                                        Meetings* meetings, T* memory) {
  using R = Resident<radius, length, rows>;
  using Row = Vector<T, length>;
  constexpr int reach = 2 * radius, unit = R::unit;
  static_assert(radius <= 2 * unit && radius <= R::period);  // or groups that meet wait for each other
  constexpr Coefficients<radius, T> c;
  const int id = static_cast<int>(threadIdx.x), number = __shfl_sync(~0u, id / R::group_threads, 0);
  const Group<radius, R> group(number, planes, box.z);
  const int lane = id % R::lanes, row = id % R::group_threads / R::lanes * rows;
  const int x = static_cast<int>(blockIdx.x) * R::width + lane * length,
            y = static_cast<int>(blockIdx.y) * R::height + row;

  // Of this group, and of those that it meets where it begins, if there is one, and where it ends.
  Meetings *const own = meetings + number, *const at_begin = own - group.by, *const at_end = own + group.by;

  // Where the vectors of the column, and those beside its rows, lie in shared memory: bytes, of the first
  // plane of the current period. They move along, as working them out anew would take longer.
  constexpr int bytes = static_cast<int>(sizeof(T)), plane_bytes = R::plane * bytes;
  constexpr int across =
      length == 1 || rows + reach < 8 ? rows + reach : 8;  // rows 8 further lie 8 rows further
  int column_at[across], beside_at[rows][2 * R::sides];
#pragma unroll
  for (int i = 0; i < across; ++i)
    column_at[i] = group.slot * plane_bytes + R::place(row + i - radius, lane) * bytes;
#pragma unroll
  for (int j = 0; j < rows; ++j)
#pragma unroll
    for (int k = 0; k < R::sides; ++k) {
      beside_at[j][k] = group.slot * plane_bytes + R::place(row + j, lane + k - R::sides) * bytes;
      beside_at[j][R::sides + k] = group.slot * plane_bytes + R::place(row + j, lane + k + 1) * bytes;
    }
  const auto move = [&](int planes) {
#pragma unroll
    for (int i = 0; i < across; ++i) column_at[i] += planes * plane_bytes;
#pragma unroll
    for (int j = 0; j < rows; ++j)
#pragma unroll
      for (int k = 0; k < 2 * R::sides; ++k) beside_at[j][k] += planes * plane_bytes;
  };
  char* const shared = reinterpret_cast<char*>(memory);
  // Row `i` of the column, from -radius on, `offset` bytes further.
  const auto in_column = [&](int i, int offset) {
    return reinterpret_cast<Row*>(shared + column_at[(i + radius) % across] +
                                  (i + radius) / across * 8 * R::width * bytes + offset);
  };
  const auto take = [&](int offset, Row(&to)[rows]) {
#pragma unroll
    for (int j = 0; j < rows; ++j) to[j] = *in_column(j, offset);
  };

  // Masks of elements in the rim: where R is a multiple of a vector all elements of one are alike, as rows
  // hold whole vectors. And where the vector goes in a plane's mail, as part of a face, or -1.
  constexpr bool alike = radius % length == 0;
  unsigned fixed[rows][alike ? 1 : length];
  int row_to[rows], column_to[rows];
#pragma unroll
  for (int j = 0; j < rows; ++j) {
    const bool ends = row + j < radius || row + j >= R::height - radius,
               sides = lane < R::sides || lane >= R::lanes - R::sides;
    row_to[j] = ends && steps > 1 ? R::row_of_face(row + j, lane) : -1;
    column_to[j] = sides && steps > 1 ? R::column_of_face(row + j, lane) : -1;
#pragma unroll
    for (int e = 0; e < (alike ? 1 : length); ++e)
      fixed[j][e] = in_rim<radius>(x + e, box.x) || in_rim<radius>(y + j, box.y) ? ~0u : 0;
  }
  Inbox<radius, length, R, T> inbox(group, box, id % R::group_threads);
  Row result[unit][rows];
  bool written[unit] = {};  // whether the unit's planes change
  // Writes the results of unit `which`, computed at a step of this parity, to its place.
  const auto write = [&](int which, int parity, int offset) {
    if (which * unit < radius && group.meets) ArrivalBarrier(&at_begin->begun).wait(parity);
    if ((which + 1) * unit > planes - radius) ArrivalBarrier(&at_end->ended).wait(parity);
#pragma unroll
    for (int i = 0; i < unit; ++i)
      if (written[i])
#pragma unroll
        for (int j = 0; j < rows; ++j) *in_column(j, offset + i * plane_bytes) = result[i][j];
    if (which == (radius - 1) / unit) ArrivalBarrier(&own->first).arrive();
    if (which == group.units - 1) ArrivalBarrier(&own->stored).arrive();
  };
  // All of the group have read the planes of the unit before.
  const auto gather = [&] {
    if constexpr (R::group_warps > 1)
      asm volatile("bar.sync %0, %1;" ::"r"(number + 1), "n"(R::group_threads) : "memory");
    else
      __syncwarp();
  };

  // Whether a period's plane is missing, the second one of its last unit: whole units else (`planes_of`).
  const auto cut = [](int at, int room) { return radius < 4 && at == R::period - 1 && at >= room; };

  for (int step = 0; step < steps; ++step) {
    const int parity = step & 1;
    const unsigned tag = tag_of(static_cast<unsigned>(step));
    Word<T>* to = mail + mail_of<R>(step & 1, static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x), planes) +
                  number * planes * R::face;
    Row queue[reach + R::period][rows];  // from plane z-R on
    int first = 0;
    while (true) {
      // Planes of the group from here on. What follows them lies in the slots of the group that it meets,
      // from the last one on down: plane i from here is `turn` - i slots further.
      const int room = planes - first, turn = group.after + 2 * planes - 1 - group.slot - 2 * first;
#pragma unroll
      for (int at = 0; at < R::period; at += unit) {
        if (at >= room) break;
        const bool begins = at == 0 && first == 0;
        const int current = (first + at) / unit;
        gather();
        if (begins) {
          if (step > 0) {
            write(group.units - 1, parity ^ 1, (group.units - 1) * unit * plane_bytes);
            if (group.meets) ArrivalBarrier(&at_begin->first).wait(parity ^ 1);
          }
#pragma unroll
          for (int k = 0; k < radius; ++k)
            take((group.before + radius - 1 - k - group.slot) * plane_bytes, queue[k]);
#pragma unroll
          for (int k = radius; k < reach; ++k) take((k - radius) * plane_bytes, queue[k]);
          ArrivalBarrier(&own->begun).arrive();
        }
        if (at + unit + radius > room && at + radius <= room && step > 0)
          ArrivalBarrier(&at_end->stored).wait(parity ^ 1);
#pragma unroll
        for (int i = 0; i < unit; ++i) {
          if (cut(at + i, room)) break;  // its neighbour there is one that the other group may write by now
          take((at + radius + i < room ? at + radius + i : turn - (at + radius + i)) * plane_bytes,
               queue[reach + at + i]);
        }
        if (at + unit >= room) ArrivalBarrier(&own->ended).arrive();
        if (!begins) write(current - 1, parity, (at - unit) * plane_bytes);

        // The next unit's halo is on its way while this one is computed.
        const bool ends = at + unit >= room;
        const int next = ends ? 0 : first + at + unit, next_step = ends ? step + 1 : step;
        const bool comes = next_step > 0 && next_step < steps;
        const Word<T>* const buffer = mail + mail_of<R>((next_step - 1) & 1, 0, planes);
        if (comes) inbox.look(buffer, group, next);
        bool any_written = false;
#pragma unroll
        for (int i = 0; i < unit; ++i) {
          written[i] = group.computes(first + at + i);
          any_written |= written[i];
        }
        if (any_written)
#pragma unroll
          for (int i = 0; i < unit; ++i) {
            if (cut(at + i, room)) break;
            const Row(&centre)[rows] = queue[at + i + radius];
            Row(&sum)[rows] = result[i];
#pragma unroll
            for (int j = 0; j < rows; ++j)
#pragma unroll
              for (int e = 0; e < length; ++e) {
                sum[j][e] = c.at[0] * centre[j][e];
#pragma unroll
                for (int k = 1; k <= radius; ++k)
                  sum[j][e] +=
                      c.at[k] * (queue[at + i + radius - k][j][e] + queue[at + i + radius + k][j][e]);
              }
              // The column: each of its rows adds to all whose neighbour it is.
#pragma unroll
            for (int k = 0; k < rows + reach; ++k) {
              const Row part = k >= radius && k < radius + rows
                                   ? centre[k < radius || k >= radius + rows ? 0 : k - radius]
                                   : *in_column(k - radius, (at + i) * plane_bytes);
#pragma unroll
              for (int j = 0; j < rows; ++j) {
                const int distance = k - radius < j ? j + radius - k : k - radius - j;
                if (distance < 1 || distance > radius) continue;
#pragma unroll
                for (int e = 0; e < length; ++e) sum[j][e] += c.at[distance] * part[e];
              }
            }
#pragma unroll
            for (int j = 0; j < rows; ++j) {
#pragma unroll
              for (int k = -R::sides; k <= R::sides; ++k) {
                const int side = k < 0 ? k + R::sides : k > 0 ? k + R::sides - 1 : 0;
                const Row part =
                    k == 0
                        ? centre[j]
                        : *reinterpret_cast<const Row*>(shared + (at + i) * plane_bytes + beside_at[j][side]);
#pragma unroll
                for (int e = 0; e < length; ++e)
#pragma unroll
                  for (int m = 0; m < length; ++m) {
                    const int distance = k * length + m < e ? e - k * length - m : k * length + m - e;
                    if (distance >= 1 && distance <= radius) sum[j][e] += c.at[distance] * part[m];
                  }
              }
#pragma unroll
              for (int e = 0; e < length; ++e)
                sum[j][e] = either(fixed[j][alike ? 0 : e], centre[j][e], sum[j][e]);
              Vector<Word<T>, length> words;
#pragma unroll
              for (int e = 0; e < length; ++e) words[e] = with_tag(as_word(sum[j][e]), tag);
              post(to + i * R::face + row_to[j], written[i] ? row_to[j] : -1, words);
              post(to + i * R::face + column_to[j], written[i] ? column_to[j] : -1, words);
            }
          }
        to += unit * R::face;
        if (comes) {
          if (group.units == 1) gather();  // the next unit is this one
          inbox.put(buffer, tag_of(static_cast<unsigned>(next_step - 1)), next, shared);
        }
      }
      if (room <= R::period) break;
      first += R::period;
      move(R::period);
#pragma unroll
      for (int k = 0; k < reach; ++k)
#pragma unroll
        for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + R::period][j];
    }
    move(-first);
  }

  gather();
  write(group.units - 1, (steps - 1) & 1, (group.units - 1) * unit * plane_bytes);
  Row nothing;
#pragma unroll
  for (int e = 0; e < length; ++e) nothing[e] = static_cast<T>(NAN);
  const auto give = [&](int slots, int z) {
#pragma unroll
    for (int j = 0; j < rows; ++j)
      if (x < box.x && y + j < box.y && z < box.z)
        *reinterpret_cast<Row*>(v + z * box.plane + static_cast<std::int64_t>(y + j) * box.x + x) =
            good ? *in_column(j, slots * plane_bytes) : nothing;
  };
  for (int i = 0; i < planes; ++i) give(i, group.plane(i));
  if (!group.meets)
    for (int i = 0; i < radius; ++i) give(group.before + i - group.slot, group.plane(-1 - i));
}

// All steps from u to v, through the mail (zero; for one step none). A block a tile, all of them resident at
// once; `planes` of a group. Values must be at most 1 in magnitude; a block that finds others gives NaN.
template <int radius, int length, int rows, typename T>
__global__ void __launch_bounds__(Resident<radius, length, rows>::threads, 1)
    resident(Box box, int planes, int steps, const T* u, T* v, Word<T>* mail) {
  using R = Resident<radius, length, rows>;
  using Row = Vector<T, length>;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ Meetings meetings[most_groups];
  T* const tile = reinterpret_cast<T*>(memory);
  const int id = static_cast<int>(threadIdx.x), thread = id % R::group_threads;
  if (id < R::groups)
    for (auto* barrier :
         {&meetings[id].begun, &meetings[id].ended, &meetings[id].first, &meetings[id].stored})
      ArrivalBarrier(barrier).start(R::group_threads);

  const Group<radius, R> group(id / R::group_threads, planes, box.z);
  bool good = true;
  const auto bring = [&](int slot, int z, int row, int vector) {
    const int x = static_cast<int>(blockIdx.x) * R::width + vector * length,
              y = static_cast<int>(blockIdx.y) * R::height + row;
    if (x < 0 || x >= box.x || y < 0 || y >= box.y || z >= box.z) return;
    const Row values = load<length>(u + z * box.plane + static_cast<std::int64_t>(y) * box.x + x);
    *reinterpret_cast<Row*>(tile + slot * R::plane + R::place(row, vector)) = values;
#pragma unroll
    for (int e = 0; e < length; ++e) good &= values[e] >= -1 && values[e] <= 1;
  };
  const auto bring_own = [&](int slot, int z) {
    for (int j = 0; j < rows; ++j) bring(slot, z, thread / R::lanes * rows + j, thread % R::lanes);
  };
  for (int i = 0; i < planes; ++i) {
    bring_own(group.slot + i, group.plane(i));
    for (int k = thread; k < R::halo; k += R::group_threads)
      bring(group.slot + i, group.plane(i), R::of_halo(k).row, R::of_halo(k).vector);
  }
  if (!group.meets)
    for (int i = 0; i < radius; ++i) bring_own(group.before + i, group.plane(-1 - i));
  good = __syncthreads_and(good) != 0;
  advance<radius, length, rows>(box, planes, steps, good, v, mail, meetings, tile);
}

}  // namespace sextant::heat3d
