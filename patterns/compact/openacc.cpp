#include <openacc.h>

#include "../inclusive_scan/sweeps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/runs.hpp"

namespace sextant {
namespace {

// The straightforward implementation: compute one flag per element, then the prefix sums of the flags in
// log2(n) passes, then move each kept element to its destination.
namespace doubling {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <typename T, int length>
void flag(std::int64_t n, const T* a, std::int32_t* flags) {
#pragma acc parallel loop deviceptr(a, flags) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) flags[i] = a[i] >= 0 ? 1 : 0;
}

template <int length>
void sweep(std::int64_t n, std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
#pragma acc parallel loop deviceptr(from, to) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T, int length>
void write(std::int64_t n, const T* a, const std::int32_t* sums, T* y, std::int32_t* count) {
#pragma acc parallel loop deviceptr(a, sums, y, count) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) {
    if (a[i] >= 0) y[sums[i] - 1] = a[i];
    if (i == n - 1) *count = sums[i];
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = static_cast<const T*>(acc_deviceptr(call.address(0)));
  T* y = static_cast<T*>(acc_deviceptr(call.address(1)));
  auto* count = static_cast<std::int32_t*>(acc_deviceptr(call.address(2)));
  auto* flags = static_cast<std::int32_t*>(call.state);
  std::int32_t *sums = flags + n, *other = sums + n;
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    flag<T, length>(n, a, flags);
    inclusive_scan::for_sweeps(n, flags, sums, other,
                               [n](std::int64_t distance, const std::int32_t* from, std::int32_t* to) {
                                 sweep<length>(n, distance, from, to);
                               });
    write<T, length>(n, a, sums, y, count);
  });
}

std::int64_t workspace(const Problem& problem, const Gang&) {
  return 3 * problem.extents.x * static_cast<std::int64_t>(sizeof(std::int32_t));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the flags and their prefix sums";
}

}  // namespace doubling

// Two compute regions that each read the input. A warp processes one run of consecutive elements. The first
// region counts the kept elements of each run; the second writes them after those of earlier runs
// (toolbox/openacc/runs.hpp).
namespace two_regions {

using openacc::load_pack;
using openacc::pack_width;
using Gangs = openacc::RunGangs;
using Workers = openacc::RunWorkers;
constexpr int lanes = openacc::lanes_of_runs;

template <typename T, int workers>
void count_runs(std::int64_t n, int gangs, int warps, std::int64_t run, const T* a, int* counts,
                int* totals) {
  constexpr int width = pack_width<T>;
#pragma acc parallel loop gang worker deviceptr(a, counts, totals) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  for (int warp = 0; warp < warps; ++warp) {
    int total = 0;
#pragma acc loop vector reduction(+ : total)
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t begin = (warp * std::int64_t{lanes} + lane) * run;
      const std::int64_t end = begin + run < n ? begin + run : n;
      int count = 0;
      std::int64_t i = begin;
      for (; i + width <= end; i += width) {
        T pack[width];
        load_pack(a + i, pack);
        for (int k = 0; k < width; ++k) count += pack[k] >= 0;
      }
      for (; i < end; ++i) count += a[i] >= 0;
      counts[warp * lanes + lane] = count;
      total += count;
    }
    totals[warp] = total;
  }
}

template <typename T, int workers>
void write_runs(std::int64_t n, int gangs, int warps, std::int64_t run, const T* a, T* y, std::int32_t* all,
                const int* counts, const int* totals) {
  constexpr int width = pack_width<T>;
#pragma acc parallel loop gang worker deviceptr(a, y, all, counts, totals) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  for (int warp = 0; warp < warps; ++warp) {
    int before = 0;
#pragma acc loop vector reduction(+ : before)
    for (int other = 0; other < warp; ++other) before += totals[other];
#pragma acc loop vector
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t begin = (warp * std::int64_t{lanes} + lane) * run;
      const std::int64_t end = begin + run < n ? begin + run : n;
      std::int64_t place = before;
      for (int other = 0; other < lane; ++other) place += counts[warp * lanes + other];
      std::int64_t i = begin;
      for (; i + width <= end; i += width) {
        T pack[width];
        load_pack(a + i, pack);
        for (int k = 0; k < width; ++k)
          if (pack[k] >= 0) y[place++] = pack[k];
      }
      for (; i < end; ++i)
        if (a[i] >= 0) y[place++] = a[i];
      if (warp == warps - 1 && lane == lanes - 1) *all = static_cast<std::int32_t>(place);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Gangs>();
  const std::int64_t n = call.problem.extents.x;
  const openacc::Runs runs = openacc::runs_of<T>(n, shape);
  const T* a = static_cast<const T*>(acc_deviceptr(call.address(0)));
  T* y = static_cast<T*>(acc_deviceptr(call.address(1)));
  auto* all = static_cast<std::int32_t*>(acc_deviceptr(call.address(2)));
  int* counts = static_cast<int*>(call.state);
  int* totals = counts + std::int64_t{lanes} * runs.warps;
  Workers::with(shape.num_workers, [&]<int workers>() {
    const int gangs = (runs.warps + workers - 1) / workers;
    count_runs<T, workers>(n, gangs, runs.warps, runs.run, a, counts, totals);
    write_runs<T, workers>(n, gangs, runs.warps, runs.run, a, y, all, counts, totals);
  });
}

std::int64_t workspace(const Problem&, const Gangs& gangs) {
  return openacc::sums_of_runs(gangs) * static_cast<std::int64_t>(sizeof(int));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the counts of the runs";
}

}  // namespace two_regions

}  // namespace

std::vector<Variant> compact_openacc() {
  return {
      {.name = "doubling",
       .description =
           "the plain form: one flag per element, prefix sums by log2(n) passes, then each kept element is "
           "moved",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<doubling::Gang>({{"vector_length", &doubling::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(doubling::launch),
       .prepare = doubling::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<doubling::workspace>},
      {.name = "two_regions",
       .description =
           "two regions, two reads: count the kept elements of each lane's run, then write them; 16-byte "
           "packs",
       .memory_space = MemorySpace::openacc,
       .tunables = openacc::run_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(two_regions::launch),
       .prepare = two_regions::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<two_regions::workspace>},
  };
}

}  // namespace sextant
