// Prefix computations in two regions. Each lane owns a run of consecutive elements, and each warp owns the
// runs of its lanes. The first region computes the sum of each run and of each warp. In the second region, a
// warp adds up the sums of all previous warps, and a lane those of the previous runs. The lane then goes
// through its run again. Lanes access packs of 16 bytes. Consecutive iterations of one lane, not neighbouring
// lanes, use the packs of a cache line, so the first-level cache must hold the line.
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

inline constexpr int lanes_of_runs = 32;
using RunWorkers = Choices<4, 8, 16>;

// The gang counts suit the 132 multiprocessors of an H200: two to sixteen gangs for each.
struct RunGangs {
  int num_gangs = 1056, num_workers = 8;
};

inline std::vector<Tunable> run_tunables() {
  return tunables<RunGangs>({{"num_gangs", &RunGangs::num_gangs, {264, 528, 1056, 2112}},
                             {"num_workers", &RunGangs::num_workers, RunWorkers::list()}});
}

// Returns the number of sums, over runs and over warps, that a tuning may need.
constexpr std::int64_t sums_of_runs(const RunGangs& gangs) {
  return std::int64_t{gangs.num_gangs} * gangs.num_workers * (lanes_of_runs + 1);
}

// The distribution of n elements over `warps` warps. Each lane owns `run` elements, a multiple of the pack
// width.
struct Runs {
  int warps;
  std::int64_t run;
};

template <typename T>
Runs runs_of(std::int64_t n, const RunGangs& gangs) {
  constexpr std::int64_t width = pack_width<T>,
                         least = 16;  // minimum number of elements per lane; smaller problems use fewer warps
  const std::int64_t most = std::int64_t{gangs.num_gangs} * gangs.num_workers;
  const std::int64_t warps =
      std::clamp((n + lanes_of_runs * least - 1) / (lanes_of_runs * least), std::int64_t{1}, most);
  const std::int64_t packs = (n + lanes_of_runs * warps * width - 1) / (lanes_of_runs * warps * width);
  return {static_cast<int>(warps), packs * width};
}

}  // namespace sextant::openacc
