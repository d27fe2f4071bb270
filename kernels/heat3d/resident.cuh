// The kernel of `resident`: a box stays in the multiprocessors' shared memory over all steps.
//
// A block computes all planes of a tile of 32 x 16 columns. Its warps form groups. Each group updates
// consecutive planes in place, two planes (a "unit") at a time. Barriers that count arrivals (`Meetings`)
// protect planes that two groups read.
//
// Blocks exchange the faces of their tiles through global memory, in practice the L2 cache. Each value
// carries a tag with its step, so no other synchronisation is needed. While a group computes one unit, it
// already reads the halo of its next unit. Tags require values below 2: inputs are at most 1, and the steps
// damp them.
//
// The wait for a halo is bounded (toolbox/cuda/poll_limit.cuh), because the neighbouring block might not run.
// Waits within a block need no bound, because its threads always make progress.
//
// Adjacent groups march in opposite directions, so that both begin or both end at their common boundary. A
// group's planes lie in shared memory in the order in which the group processes them.
#pragma once

#include "resident_parts.cuh"
#include "toolbox/cuda/arrival_barrier.cuh"

namespace sextant::heat3d {

// A thread's march through the planes of its group of warps, step after step. Values in registers are
// arguments of the member functions: the queue of planes, the results of a unit, and one flag per plane that
// tells whether the plane changes. The queue starts at z-R for the first plane z of the unrolled period.
template <int radius, int length, int rows, typename T, typename Ends>
struct ResidentMarch {
  using R = Resident<radius, length, rows>;
  using Column = ResidentColumn<radius, length, rows, T>;
  using Rows = typename Column::Rows;
  static constexpr int reach = 2 * radius, unit = R::unit, plane_bytes = Column::plane_bytes;
  static_assert(radius <= 2 * unit && radius <= R::period);  // otherwise adjacent groups would deadlock
  using Queue = Rows[reach + R::period];
  struct Unit {
    Rows result[unit];
    bool written[unit] = {};
  };

  const Group<radius, R>& group;
  // Barriers of this group, of the adjacent group at its first plane (if there is one), and of the adjacent
  // group at its last plane.
  Meetings *const own, *const at_begin, *const at_end;
  const int steps;
  Word<T>* const mail;
  Column& column;
  Inbox<radius, length, R, T>& inbox;
  Ends& ends;
  const BlockPollLimit poll_limit;

  __device__ __forceinline__ ResidentMarch(const Group<radius, R>& of_group, Meetings* meetings,
                                           int all_steps, Word<T>* all_mail, Column& of_column,
                                           Inbox<radius, length, R, T>& of_inbox, Ends& of_ends,
                                           const BlockPollLimit& of_block)
      : group(of_group),
        own(meetings + group.number),
        at_begin(own - group.by),
        at_end(own + group.by),
        steps(all_steps),
        mail(all_mail),
        column(of_column),
        inbox(of_inbox),
        ends(of_ends),
        poll_limit(of_block) {}

  // Address in the exchange buffer for the faces that the group stores in a step.
  __device__ __forceinline__ Word<T>* posts_of(int step) const {
    return mail +
           mail_of<R>(static_cast<int>(ends.round_of(step) & 1),
                      static_cast<int>(blockIdx.y * gridDim.x + blockIdx.x), group.planes) +
           group.number * group.planes * R::face;
  }

  // Writes the results of unit number `which` to shared memory. `parity` is the parity of the step that
  // computed them.
  __device__ __forceinline__ void write(const Unit& results, int which, int parity, int offset) const {
    if (which * unit < radius && group.meets) ArrivalBarrier(&at_begin->begun).wait(parity);
    if ((which + 1) * unit > group.planes - radius) ArrivalBarrier(&at_end->ended).wait(parity);
#pragma unroll
    for (int i = 0; i < unit; ++i)
      if (results.written[i])
#pragma unroll
        for (int j = 0; j < rows; ++j) *column.in_column(j, offset + i * plane_bytes) = results.result[i][j];
    if (which == (radius - 1) / unit) ArrivalBarrier(&own->first).arrive();
    if (which == group.units - 1) ArrivalBarrier(&own->stored).arrive();
  }
  __device__ __forceinline__ void write_last(const Unit& results, int parity) const {
    write(results, group.units - 1, parity, (group.units - 1) * unit * plane_bytes);
  }

  // Waits until all warps of the group have read the planes of the previous unit.
  __device__ __forceinline__ void gather() const {
    if constexpr (R::group_warps > 1)
      asm volatile("bar.sync %0, %1;" ::"r"(group.number + 1), "n"(R::group_threads) : "memory");
    else
      __syncwarp();
  }

  // Returns true if the unit at position `at` has one plane, as the last unit of a period may (see
  // planes_of).
  static __device__ __forceinline__ bool cut(int at, int room) {
    return radius < 4 && at == R::period - 1 && at >= room;
  }

  // Starts a step: writes the last results of the previous step, then fills the queue except for the planes
  // that each unit loads itself.
  __device__ __forceinline__ void begin(int step, const Unit& results, Queue& queue) const {
    if (step > 0) {
      write_last(results, (step & 1) ^ 1);
      if (group.meets) ArrivalBarrier(&at_begin->first).wait((step & 1) ^ 1);
    }
#pragma unroll
    for (int k = 0; k < radius; ++k)
      column.take((group.before + radius - 1 - k - group.slot) * plane_bytes, queue[k]);
#pragma unroll
    for (int k = radius; k < reach; ++k) column.take((k - radius) * plane_bytes, queue[k]);
    ArrivalBarrier(&own->begun).arrive();
  }

  // Loads the last planes that the unit at position `at` of the period needs. Planes after the group's own
  // belong to the adjacent group, which stores them in descending order. Plane i from here is therefore in
  // slot `turn` - i.
  __device__ __forceinline__ void take_ahead(int step, int first, int at, Queue& queue) const {
    const int room = group.planes - first, turn = group.after + 2 * group.planes - 1 - group.slot - 2 * first;
    if (at + unit + radius > room && at + radius <= room && step > 0)
      ArrivalBarrier(&at_end->stored).wait((step & 1) ^ 1);
#pragma unroll
    for (int i = 0; i < unit; ++i) {
      // This plane is not needed, and the adjacent group may already be overwriting it.
      if (cut(at + i, room)) break;
      column.take((at + radius + i < room ? at + radius + i : turn - (at + radius + i)) * plane_bytes,
                  queue[reach + at + i]);
    }
    if (at + unit >= room) ArrivalBarrier(&own->ended).arrive();
  }

  // Computes the unit's planes and stores their faces in the exchange buffer.
  __device__ __forceinline__ void compute(int step, int first, int at, const Queue& queue, Unit& results,
                                          Word<T>* to) const {
    bool any_written = false;
#pragma unroll
    for (int i = 0; i < unit; ++i) {
      results.written[i] = group.computes(first + at + i);
      any_written |= results.written[i];
    }
    if (!any_written) return;
#pragma unroll
    for (int i = 0; i < unit; ++i) {
      if (cut(at + i, group.planes - first)) break;
      const int offset = (at + i) * plane_bytes;
      Rows& sum = results.result[i];
      const Rows& centre = queue[at + i + radius];
      column.sum_along_z_and_y([&](int k) -> const Rows& { return queue[at + i + radius + k]; }, offset, sum);
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        column.add_along_x(j, centre[j], offset, sum[j]);
        column.keep_rim(j, centre[j], sum[j]);
        column.post_faces(j, sum[j], tag_of(ends.round_of(step)), results.written[i], to + i * R::face);
      }
      if (step + 1 < steps) ends.post(step + 1, first + at + i, results.written[i], sum);
    }
  }

  // Processes the unit at position `at` of the period that begins at plane `first`. Meanwhile the halo of the
  // next unit is loaded.
  __device__ __forceinline__ void advance(int step, int first, int at, Queue& queue, Unit& results,
                                          Word<T>*& to) const {
    const int room = group.planes - first;
    gather();
    const bool begins = at == 0 && first == 0, at_end_of_step = at + unit >= room;
    if (begins) begin(step, results, queue);
    take_ahead(step, first, at, queue);
    if (!begins) write(results, (first + at) / unit - 1, step & 1, (at - unit) * plane_bytes);

    const int next = at_end_of_step ? 0 : first + at + unit, next_step = at_end_of_step ? step + 1 : step;
    const bool comes = next_step > 0 && next_step < steps;
    const Word<T>* const buffer =
        mail + mail_of<R>(static_cast<int>(ends.round_of(next_step - 1) & 1), 0, group.planes);
    if (comes) inbox.look(buffer, group, next);
    if (comes && at_end_of_step) ends.look(next_step);
    compute(step, first, at, queue, results, to);
    to += unit * R::face;
    if (comes) {
      if (group.units == 1) gather();  // the group's only unit is also the next one
      inbox.put(buffer, tag_of(ends.round_of(next_step - 1)), next, column.shared, poll_limit);
      if (at_end_of_step) ends.take(next_step, column, group.before - group.slot - first, poll_limit);
    }
  }

  // Computes one step. The group's planes are processed in periods, over which the march is unrolled.
  __device__ __forceinline__ void advance_step(int step, Unit& results) const {
    Word<T>* to = posts_of(step);
    Queue queue;
    int first = 0;
    while (true) {
      const int room = group.planes - first;
#pragma unroll
      for (int at = 0; at < R::period; at += unit) {
        if (at >= room) break;
        advance(step, first, at, queue, results, to);
      }
      if (room <= R::period) break;
      first += R::period;
      column.move(R::period);
#pragma unroll
      for (int k = 0; k < reach; ++k)
#pragma unroll
        for (int j = 0; j < rows; ++j) queue[k][j] = queue[k + R::period][j];
    }
    column.move(-first);
  }

  // Computes all steps on the planes in shared memory.
  __device__ __forceinline__ void run() const {
    Unit results;
    ends.begin(column, group.before - group.slot, poll_limit);
    for (int step = 0; step < steps; ++step) advance_step(step, results);
    gather();
    write_last(results, (steps - 1) & 1);
  }

  // Stores the thread's points in v. Stores NaN instead if `good` is false (an input was out of range) or if
  // the block gave up waiting.
  __device__ __forceinline__ void give(const Box& box, bool good, T* v) const {
    using Row = typename Column::Row;
    good &= *poll_limit.left > 0;
    Row nothing;
#pragma unroll
    for (int e = 0; e < length; ++e) nothing[e] = static_cast<T>(NAN);
    const auto give_plane = [&](int slots, int z) {
#pragma unroll
      for (int j = 0; j < rows; ++j)
        if (column.x < box.x && column.y + j < box.y && z < box.z)
          *reinterpret_cast<Row*>(v + z * box.plane + static_cast<std::int64_t>(column.y + j) * box.x +
                                  column.x) = good ? *column.in_column(j, slots * plane_bytes) : nothing;
    };
    for (int i = 0; i < group.planes; ++i) give_plane(i, group.plane(i));
    if (!group.meets && !Ends::there)
      for (int i = 0; i < radius; ++i) give_plane(group.before + i - group.slot, group.plane(-1 - i));
  }
};

// Bytes of static shared memory per block: the groups' barriers and the counter of remaining polls, padded to
// the alignment of the planes.
inline constexpr std::size_t static_shared_bytes =
    (most_groups * sizeof(Meetings) + sizeof(int) + 127) / 128 * 128;

// Computes all steps of the thread's columns in shared memory and stores the result in v.
template <int radius, int length, int rows, typename T, typename AllEnds>
__device__ __forceinline__ void advance(const Box& box, int planes, int steps, bool good, T* v, Word<T>* mail,
                                        const AllEnds& all_ends, Meetings* meetings, T* memory,
                                        const BlockPollLimit& poll_limit) {
  using R = Resident<radius, length, rows>;
  const int id = static_cast<int>(threadIdx.x), number = __shfl_sync(~0u, id / R::group_threads, 0);
  const Group<radius, R> group(number, planes, box.z, all_ends.rim(number, R::groups, radius));
  using Column = ResidentColumn<radius, length, rows, T>;
  typename Column::Places places;
  Column column(box, group.slot, id, steps > 1, memory, places);
  Inbox<radius, length, R, T> inbox(group, box, id % R::group_threads);
  auto ends = all_ends.template of_thread<radius, length, rows>(number, id % R::group_threads);
  const ResidentMarch<radius, length, rows, T, decltype(ends)> march(group, meetings, steps, mail, column,
                                                                     inbox, ends, poll_limit);
  march.run();
  march.give(box, good, v);
}

// Computes all steps from u to v. All threads of a block must call it. Each group has `planes` planes.
template <int radius, int length, int rows, typename T, typename AllEnds>
__device__ __forceinline__ void stay_resident(const Box& box, int planes, int steps, const T* u, T* v,
                                              Word<T>* mail, const AllEnds& all_ends,
                                              const PollLimit& poll_limit) {
  using R = Resident<radius, length, rows>;
  using Row = Vector<T, length>;
  extern __shared__ __align__(128) unsigned char memory[];
  __shared__ Meetings meetings[most_groups];
  __shared__ int looks_left;
  T* const tile = reinterpret_cast<T*>(memory);
  const int id = static_cast<int>(threadIdx.x), thread = id % R::group_threads;
  if (id == 0) looks_left = poll_limit.peeks;
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
  if (!group.meets && !AllEnds::there)
    for (int i = 0; i < radius; ++i) bring_own(group.before + i, group.plane(-1 - i));
  good = __syncthreads_and(good) != 0;
  advance<radius, length, rows>(box, planes, steps, good, v, mail, all_ends, meetings, tile,
                                {poll_limit, &looks_left});
}

// Computes all steps from u to v. `mail` is the exchange buffer; it must be zero at the start and is unused
// for one step. There is one block per tile, all blocks must be resident at once, and each group has `planes`
// planes. Inputs must be at most 1 in magnitude. A block that finds larger ones, or gives up waiting for its
// neighbours, stores NaN.
template <int radius, int length, int rows, typename T>
__global__ void __launch_bounds__(Resident<radius, length, rows>::threads, 1)
    resident(Box box, int planes, int steps, const T* u, T* v, Word<T>* mail, PollLimit poll_limit) {
  stay_resident<radius, length, rows>(box, planes, steps, u, v, mail, NoEnds{}, poll_limit);
}

}  // namespace sextant::heat3d
