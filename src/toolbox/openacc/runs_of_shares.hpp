// Device-wide prefix sums over shares (shares.hpp), each processed by one warp. A first region stores one
// number per share, a sum or a count. A second region sums runs of 16 shares, and a third one scans the runs
// (levels.hpp).
#pragma once

#include <openacc.h>

#include "suite/variant.hpp"
#include "toolbox/openacc/levels.hpp"
#include "toolbox/openacc/shares.hpp"

namespace sextant::openacc {

inline constexpr int rows_of_share = 8, shares_at_once = 4, shares_of_run = 16, adders_of_runs = 256;

// Arguments of the regions. A variant declares a variable of this type on the device.
struct RunsOfShares {
  std::int64_t n;
  int shares, room, gangs;  // room: number of elements for the runs' totals
  const void* a;
  void *y, *numbers;
  levels::Top top;  // arguments for the scan of the runs' totals
};

// Number of elements of each array, in memory order: one number per share (padded to whole runs), the totals
// of the runs, and the sums of the top level.
struct RoomOfRuns {
  std::int64_t shares, runs, totals;
  explicit RoomOfRuns(const Problem& problem) {
    const std::int64_t size = Share<rows_of_share, float>::size * sizeof(float) / element_size(problem.type);
    shares = (problem.extents.x + size - 1) / size;
    runs = (shares + shares_of_run - 1) / shares_of_run;
    totals = levels::Room(runs).totals;
  }
  bool is_countable() const { return shares <= INT32_MAX - shares_of_run; }
  std::int64_t all() const { return runs * shares_of_run + totals + levels::sums_of_top; }
};

template <typename T>
RunsOfShares runs_of_shares(const Call& call, const RoomOfRuns& room, int most_gangs, T* numbers) {
  const auto shares = static_cast<int>(room.shares);
  T* const totals = numbers + room.runs * shares_of_run;
  return {call.problem.extents.x,
          shares,
          static_cast<int>(room.totals),
          std::min(gangs_for(shares, shares_at_once), most_gangs),
          acc_deviceptr(call.address(0)),
          acc_deviceptr(call.address(1)),
          numbers,
          {static_cast<int>(room.runs), totals, totals + room.totals}};
}

// Replaces each run's total by the sum of all previous runs.
template <typename T, auto& given, int queue>
void sum_up_runs() {
  const int gangs = gangs_for(given.room, adders_of_runs);
#pragma acc parallel num_gangs(gangs) vector_length(adders_of_runs) async(queue)
  {
    const int runs = given.top.count, room = given.room;
    const T* const numbers = static_cast<const T*>(given.numbers);
    T* const totals = static_cast<T*>(given.top.values);
#pragma acc loop gang(static : 1) vector
    for (int run = 0; run < room; ++run)
      totals[run] =
          run < runs ? levels::sum_of<shares_of_run>(numbers + std::int64_t{run} * shares_of_run) : 0;
  }
  levels::sum_up_top<T, given, queue>();
}

// Returns the sum of the numbers of all shares before `share`. Call it after sum_up_runs.
template <typename T, typename Given>
SEXTANT_INLINE T before_share(Given* given, int share) {
  const int run = share / shares_of_run;
  return static_cast<const T*>(given->top.values)[run] +
         levels::sum_of_first(static_cast<const T*>(given->numbers) + run * shares_of_run,
                              share % shares_of_run);
}

}  // namespace sextant::openacc
