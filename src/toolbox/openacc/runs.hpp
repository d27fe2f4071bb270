// Two regions for what depends on all elements before: every lane has a run of neighbouring elements, a warp
// those of its lanes. The first region adds up runs and warps; in the second a warp adds up the warps before
// its own and a lane the runs before its own, and goes through its run once more. Lanes read and write by
// 16-byte packs: a line is shared by neighbours in time, in the first-level cache, not by neighbouring lanes.
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

inline constexpr int lanes_of_runs = 32;
using RunWorkers = Choices<4, 8, 16>;

// The numbers of gangs suit an H200's 132 multiprocessors: from two to sixteen for each.
struct RunGangs {
  int num_gangs = 1056, num_workers = 8;
};

inline std::vector<Tunable> run_tunables() {
  return tunables<RunGangs>({{"num_gangs", &RunGangs::num_gangs, {264, 528, 1056, 2112}},
                             {"num_workers", &RunGangs::num_workers, RunWorkers::list()}});
}

// The runs that a tuning may lead to, and as many sums of them and of their warps.
constexpr std::int64_t sums_of_runs(const RunGangs& gangs) {
  return std::int64_t{gangs.num_gangs} * gangs.num_workers * (lanes_of_runs + 1);
}

// How n elements are dealt out: the lanes of `warps` warps have `run` elements each, a multiple of the
// packs'.
struct Runs {
  int warps;
  std::int64_t run;
};

template <typename T>
Runs runs_of(std::int64_t n, const RunGangs& gangs) {
  constexpr std::int64_t width = pack_width<T>,
                         least = 16;  // with fewer elements a lane there are fewer warps
  const std::int64_t most = std::int64_t{gangs.num_gangs} * gangs.num_workers;
  const std::int64_t warps =
      std::clamp((n + lanes_of_runs * least - 1) / (lanes_of_runs * least), std::int64_t{1}, most);
  const std::int64_t packs = (n + lanes_of_runs * warps * width - 1) / (lanes_of_runs * warps * width);
  return {static_cast<int>(warps), packs * width};
}

}  // namespace sextant::openacc
