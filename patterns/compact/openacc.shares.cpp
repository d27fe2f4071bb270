// Compaction by slices of the input, one slice per warp (toolbox/openacc/shares.hpp). The first region counts
// the kept elements of each slice. Two small regions compute the output offsets (runs_of_shares.hpp). The
// last region reads the slices again and writes the kept elements in order, through gang-private memory. It
// starts at the end of a, which is still in the L2 cache.
//
// Kernel arguments are in a global variable (acc declare), because GCC maps other arguments at each launch,
// which is slow (docs/reference/openacc.md). The optimizations below are off, because values that GCC 12
// moves out of loops would occupy registers in all lanes.
#pragma GCC optimize("no-tree-loop-im", "no-tree-pre", "no-move-loop-invariants", "no-gcse", "no-ivopts")
#include <openacc.h>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/runs_of_shares.hpp"

namespace sextant {
namespace compact {

struct AccShares : openacc::RunsOfShares {
  std::int32_t* count;  // receives the total number of kept elements
};
AccShares acc_compact_shares;
#pragma acc declare create(acc_compact_shares)

}  // namespace compact
namespace {

using compact::acc_compact_shares;
using openacc::pack_width, openacc::share_lanes, openacc::store_pack;
using openacc::rows_of_share, openacc::shares_at_once, openacc::shares_of_run;
constexpr int compact_shares_queue = 1;
using Room = openacc::RoomOfShare<rows_of_share>;
template <typename T>
using Share = openacc::Share<rows_of_share, T>;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Shape {
  int num_gangs = 4224;
};

// Number of elements of the buffer for a slice's kept elements. One extra 16-byte pack lets the first element
// have the same alignment as in y.
template <typename T>
constexpr int size_of_stage = Share<T>::size + pack_width<T>;

template <typename T>
SEXTANT_INLINE int kept_of_pack(const T* x) {
  int kept = 0;
#pragma GCC unroll 4
  for (int k = 0; k < pack_width<T>; ++k) kept += x[k] >= 0;
  return kept;
}

// Writes pack `p` of the buffer to y, but only elements with buffer indices in [lead, end).
template <typename T>
SEXTANT_INLINE void write_kept(int p, int lead, int end, const T* stage, T* y) {
  constexpr int width = pack_width<T>;
  const int at = p * width;
  if (at >= lead && at + width <= end) {
    T x[width];
    openacc::load_of_gang(stage + at, x);
    store_pack(y + at, x);
  } else {
#pragma GCC unroll 4
    for (int k = 0; k < width; ++k)
      if (at + k >= lead && at + k < end) y[at + k] = stage[at + k];
  }
}

// The arguments are volatile, so that each lane reads them inside the vector loop. GCC broadcasts values read
// before the loop to all lanes by shuffles.
using Given = const volatile compact::AccShares;

template <typename T>
SEXTANT_INLINE void load_lane(Given* given, std::int64_t share, int lane,
                              T (&x)[rows_of_share][pack_width<T>]) {
  const std::int64_t first = share * Share<T>::size;
  openacc::load_share<rows_of_share>(static_cast<const T*>(given->a) + first, given->n - first, lane, T(-1),
                                     x);
}

template <typename T>
SEXTANT_INLINE int kept_of_lane(Given* given, std::int64_t share, int lane) {
  T x[rows_of_share][pack_width<T>];
  load_lane(given, share, lane, x);
  int kept = 0;
#pragma GCC unroll 8
  for (int r = 0; r < rows_of_share; ++r) kept += kept_of_pack(x[r]);
  return kept;
}

template <typename T>
struct ShareOfWarp {
  int share;
  int* room;
  T* stage;
};

// The state of one lane while its warp writes the kept elements of a slice.
template <typename T>
struct LaneOfShare {
  Given* given;
  int* room;
  T* stage;
  int share, lane;
  T x[rows_of_share][pack_width<T>];
  std::uint32_t kept;  // bit r * width + k is 1 if element k of the lane's pack r is kept

  static constexpr int steps = 5, width = pack_width<T>;
  static_assert(rows_of_share * width <= 32);

  SEXTANT_INLINE void begin(const ShareOfWarp<T>& warp, int warp_lane) {
    given = &acc_compact_shares, room = warp.room, stage = warp.stage, share = warp.share, lane = warp_lane;
  }

  template <int step>
  SEXTANT_INLINE void take(int) {
    if constexpr (step == 0)
      bring();
    else if constexpr (step == 1)
      openacc::add_up_chunk<rows_of_share>(lane, room);
    else if constexpr (step == 2)
      openacc::add_up_chunks<rows_of_share>(lane, room);
    else if constexpr (step == 3)
      keep();
    else
      write();
  }

  SEXTANT_INLINE void bring() {
    load_lane(given, share, lane, x);
    kept = 0;
#pragma GCC unroll 8
    for (int r = 0; r < rows_of_share; ++r) {
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) kept |= x[r][k] >= 0 ? 1u << (r * width + k) : 0u;
      room[Room::of_pack(r, lane)] = __builtin_popcount(kept >> r * width & ((1u << width) - 1));
    }
  }

  SEXTANT_INLINE void keep() {
    const int lead = openacc::before_share<std::int32_t>(given, share) % width;
#pragma GCC unroll 8
    for (int r = 0; r < rows_of_share; ++r) {
      int at = lead + openacc::before_pack<rows_of_share>(r, lane, room);
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k)
        if (kept & 1u << (r * width + k)) stage[at++] = x[r][k];
    }
  }

  SEXTANT_INLINE void write() {
    const int begin = openacc::before_share<std::int32_t>(given, share),
              end = begin + static_cast<const std::int32_t*>(given->numbers)[share], lead = begin % width,
              upto = lead + end - begin;
    for (int p = lane; p * width < upto; p += share_lanes)
      write_kept(p, lead, upto, stage, static_cast<T*>(given->y) + (begin - lead));
    if (lane == 0 && share == given->shares - 1) *given->count = end;
  }
};

template <typename T>
void count_shares(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(shares_at_once) vector_length(share_lanes) \
    async(compact_shares_queue)
  {
    auto* const counts = static_cast<std::int32_t*>(acc_compact_shares.numbers);
    const int shares = acc_compact_shares.top.count * shares_of_run;
#pragma acc loop gang(static : 1) worker
    for (int share = 0; share < shares; ++share) {
      int kept = 0;
#pragma acc loop vector reduction(+ : kept)
      for (int lane = 0; lane < share_lanes; ++lane)
        kept += kept_of_lane<T>(&acc_compact_shares, share, lane);
      counts[share] = kept;
    }
  }
}

template <typename T>
void write_shares(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(shares_at_once) vector_length(share_lanes) \
    async(compact_shares_queue)
  {
#pragma acc loop gang
    for (int gang = 0; gang < acc_compact_shares.gangs; ++gang) {
      SEXTANT_GANG_ARRAY(T, stages_of_gang, size_of_stage<T> * shares_at_once);
      SEXTANT_GANG_ARRAY(int, rooms_of_gang, Room::size* shares_at_once);
#pragma acc loop worker
      for (int worker = 0; worker < shares_at_once; ++worker) {
        Given* const given = &acc_compact_shares;
        for (int share = given->shares - 1 - gang * shares_at_once - worker; share >= 0;
             share -= given->gangs * shares_at_once) {
#pragma acc loop vector
          for (int lane = 0; lane < share_lanes; ++lane) {
            SEXTANT_GANG_POINTER(T, stages, stages_of_gang);
            SEXTANT_GANG_POINTER(int, rooms, rooms_of_gang);
            openacc::go_together<LaneOfShare<T>, LaneOfShare<T>::steps>(
                lane, ShareOfWarp<T>{share, rooms + worker * Room::size, stages + worker * size_of_stage<T>});
          }
        }
      }
    }
  }
}

void set_count_to_zero() {
#pragma acc parallel num_gangs(1) vector_length(share_lanes) async(compact_shares_queue)
  *acc_compact_shares.count = 0;
}

template <typename T>
void launch(const Call& call) {
  const openacc::RoomOfRuns room(call.problem);
  acc_compact_shares = {openacc::runs_of_shares(call, room, call.tuned<Shape>().num_gangs,
                                                static_cast<std::int32_t*>(call.state)),
                        static_cast<std::int32_t*>(acc_deviceptr(call.address(2)))};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_compact_shares, sizeof acc_compact_shares);
  if (room.shares == 0) {
    set_count_to_zero();
  } else {
    count_shares<T>(openacc::gangs_for(room.runs * shares_of_run, shares_at_once));
    openacc::sum_up_runs<std::int32_t, acc_compact_shares, compact_shares_queue>();
    write_shares<T>(acc_compact_shares.gangs);
  }
#pragma acc wait(compact_shares_queue)
}

const char* refuse(const Problem& problem, const Shape&) {
  return openacc::RoomOfRuns(problem).is_countable() ? nullptr
                                                     : "more slices of 4 KiB than an int32 can count";
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return openacc::RoomOfRuns(problem).all() * static_cast<std::int64_t>(sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the counts";
}

}  // namespace

std::vector<Variant> compact_openacc_shares() {
  return {
      {.name = "shares",
       .description =
           "counts of 4 KiB slices, one per warp; kept elements are collected in shared memory and written "
           "in order",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Shape>({{"num_gangs", &Shape::num_gangs, {1056, 2112, 4224}}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
       .constraint = by_name<refuse>,
       .prepare = prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<workspace>,
       .for_large_arrays = true}};
}

}  // namespace sextant
