// Prefix computations in two regions. Each lane owns a run of consecutive elements. The first region computes
// the sum of each run and of each warp's runs. In the second region, each warp adds up the sums of all
// previous warps and runs, and goes through its elements again. Lanes access 16-byte packs of their own run,
// so caching in the first level is essential.
#pragma once

#include <algorithm>
#include <cstdint>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant::openacc {

inline constexpr int lanes_of_runs = 32;
using RunWorkers = Choices<4, 8, 16>;

// Gang counts for an H200 with 132 multiprocessors: two to sixteen gangs per multiprocessor.
struct RunGangs {
  int num_gangs = 1056, num_workers = 8;
};

inline std::vector<Tunable> run_tunables() {
  return tunables<RunGangs>({{"num_gangs", &RunGangs::num_gangs, {264, 528, 1056, 2112}},
                             {"num_workers", &RunGangs::num_workers, RunWorkers::list()}});
}

// Maximum number of sums over runs and over warps with this tuning.
constexpr std::int64_t sums_of_runs(const RunGangs& gangs) {
  return std::int64_t{gangs.num_gangs} * gangs.num_workers * (lanes_of_runs + 1);
}

// Distribution of n elements over `warps` warps. Each lane owns `run` elements, a multiple of the pack width.
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
