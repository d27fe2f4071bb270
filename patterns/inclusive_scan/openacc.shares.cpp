// Scan by slices of the input, one slice per warp (toolbox/openacc/shares.hpp). The first region sums each
// slice. Two small regions compute the prefix sum before each slice (runs_of_shares.hpp). The last region
// reads the slices again and scans them in gang-private memory. It starts at the end of a, which is still in
// the L2 cache.
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
namespace inclusive_scan {

openacc::RunsOfShares acc_shares;
#pragma acc declare create(acc_shares)

}  // namespace inclusive_scan
namespace {

using inclusive_scan::acc_shares;
using openacc::pack_width, openacc::share_lanes, openacc::store_pack;
using openacc::rows_of_share, openacc::shares_at_once, openacc::shares_of_run;
constexpr int shares_queue = 1;
using Room = openacc::RoomOfShare<rows_of_share>;
template <typename T>
using Share = openacc::Share<rows_of_share, T>;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Shape {
  int num_gangs = 4224;
};

template <typename T>
SEXTANT_INLINE T sum_of_pack(const T* x) {
  T sum = x[0];
#pragma GCC unroll 4
  for (int k = 1; k < pack_width<T>; ++k) sum += x[k];
  return sum;
}

// The arguments are volatile, so that each lane reads them inside the vector loop. GCC broadcasts values read
// before the loop to all lanes by shuffles.
using Given = const volatile openacc::RunsOfShares;

template <typename T>
SEXTANT_INLINE void load_lane(Given* given, std::int64_t share, int lane,
                              T (&x)[rows_of_share][pack_width<T>]) {
  const std::int64_t first = share * Share<T>::size;
  openacc::load_share<rows_of_share>(static_cast<const T*>(given->a) + first, given->n - first, lane, T(0),
                                     x);
}

template <typename T>
SEXTANT_INLINE T sum_of_lane(Given* given, std::int64_t share, int lane) {
  T x[rows_of_share][pack_width<T>], sum = 0;
  load_lane(given, share, lane, x);
#pragma GCC unroll 8
  for (int r = 0; r < rows_of_share; ++r) sum += sum_of_pack(x[r]);
  return sum;
}

template <typename T>
struct ShareOfWarp {
  int share;
  T* room;
};

// The state of one lane while its warp scans a slice.
template <typename T>
struct LaneOfShare {
  Given* given;
  T* room;
  int share, lane;
  T x[rows_of_share][pack_width<T>];

  static constexpr int steps = 4;

  SEXTANT_INLINE void begin(const ShareOfWarp<T>& warp, int warp_lane) {
    given = &acc_shares, room = warp.room, share = warp.share, lane = warp_lane;
  }

  template <int step>
  SEXTANT_INLINE void take(int) {
    if constexpr (step == 0)
      bring();
    else if constexpr (step == 1)
      openacc::add_up_chunk<rows_of_share>(lane, room);
    else if constexpr (step == 2)
      openacc::add_up_chunks<rows_of_share>(lane, room);
    else
      write();
  }

  SEXTANT_INLINE void bring() {
    load_lane(given, share, lane, x);
#pragma GCC unroll 8
    for (int r = 0; r < rows_of_share; ++r) room[Room::of_pack(r, lane)] = sum_of_pack(x[r]);
  }

  SEXTANT_INLINE void write() {
    constexpr int width = pack_width<T>;
    const T before = openacc::before_share<T>(given, share);
    const std::int64_t first = std::int64_t{share} * Share<T>::size, left = given->n - first;
    T* const to = static_cast<T*>(given->y) + first;
#pragma GCC unroll 8
    for (int r = 0; r < rows_of_share; ++r) {
      const int at = r * Share<T>::row + lane * width;
      T sum = before + openacc::before_pack<rows_of_share>(r, lane, room);
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) x[r][k] = sum += x[r][k];
      if (at + width <= left) {
        store_pack(to + at, x[r]);
      } else {
#pragma GCC unroll 4
        for (int k = 0; k < width; ++k)
          if (at + k < left) to[at + k] = x[r][k];
      }
    }
  }
};

template <typename T>
void add_shares(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(shares_at_once) vector_length(share_lanes) \
    async(shares_queue)
  {
    T* const sums = static_cast<T*>(acc_shares.numbers);
    const int shares = acc_shares.top.count * shares_of_run;
#pragma acc loop gang(static : 1) worker
    for (int share = 0; share < shares; ++share) {
      T sum = 0;
#pragma acc loop vector reduction(+ : sum)
      for (int lane = 0; lane < share_lanes; ++lane) sum += sum_of_lane<T>(&acc_shares, share, lane);
      sums[share] = sum;
    }
  }
}

template <typename T>
void scan_shares(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(shares_at_once) vector_length(share_lanes) \
    async(shares_queue)
  {
#pragma acc loop gang
    for (int gang = 0; gang < acc_shares.gangs; ++gang) {
      SEXTANT_GANG_ARRAY(T, rooms_of_gang, Room::size * shares_at_once);
#pragma acc loop worker
      for (int worker = 0; worker < shares_at_once; ++worker) {
        Given* const given = &acc_shares;
        for (int share = given->shares - 1 - gang * shares_at_once - worker; share >= 0;
             share -= given->gangs * shares_at_once) {
#pragma acc loop vector
          for (int lane = 0; lane < share_lanes; ++lane) {
            SEXTANT_GANG_POINTER(T, rooms, rooms_of_gang);
            openacc::go_together<LaneOfShare<T>, LaneOfShare<T>::steps>(
                lane, ShareOfWarp<T>{share, rooms + worker * Room::size});
          }
        }
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const openacc::RoomOfRuns room(call.problem);
  if (room.shares == 0) return;
  acc_shares =
      openacc::runs_of_shares(call, room, call.tuned<Shape>().num_gangs, static_cast<T*>(call.state));
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_shares, sizeof acc_shares);
  add_shares<T>(openacc::gangs_for(room.runs * shares_of_run, shares_at_once));
  openacc::sum_up_runs<T, acc_shares, shares_queue>();
  scan_shares<T>(acc_shares.gangs);
#pragma acc wait(shares_queue)
}

const char* refuse(const Problem& problem, const Shape&) {
  return openacc::RoomOfRuns(problem).is_countable() ? nullptr
                                                     : "more slices of 4 KiB than an int32 can count";
}

std::int64_t workspace(const Problem& problem, const Shape&) {
  return openacc::RoomOfRuns(problem).all() * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the sums of slices";
}

}  // namespace

std::vector<Variant> inclusive_scan_openacc_shares() {
  return {{.name = "shares",
           .description =
               "sums of 4 KiB per warp and of 16 warps; then each warp scans its slice in gang-private "
               "memory",
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
