#include <openacc.h>

#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "sweeps.hpp"
#include "toolbox/openacc/runs.hpp"

namespace sextant {
namespace {

// Two compute regions that each read the input (toolbox/openacc/runs.hpp). In the second, every warp adds up
// the sums of the warps before it, which is faster than a third region for these sums.
namespace blocked {

using openacc::load_pack;
using openacc::pack_width;
using openacc::store_pack;
using Gangs = openacc::RunGangs;
using Workers = openacc::RunWorkers;
constexpr int lanes = openacc::lanes_of_runs;

template <typename T, int workers>
void sum_runs(std::int64_t n, int gangs, int warps, std::int64_t run, const T* a, T* sums, T* totals) {
  constexpr int width = pack_width<T>;
#pragma acc parallel loop gang worker deviceptr(a, sums, totals) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  for (int warp = 0; warp < warps; ++warp) {
    T total = 0;
#pragma acc loop vector reduction(+ : total)
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t begin = (warp * std::int64_t{lanes} + lane) * run;
      const std::int64_t end = begin + run < n ? begin + run : n;
      T sum = 0;
      std::int64_t i = begin;
      for (; i + width <= end; i += width) {
        T pack[width];
        load_pack(a + i, pack);
        for (int k = 0; k < width; ++k) sum += pack[k];
      }
      for (; i < end; ++i) sum += a[i];
      sums[warp * lanes + lane] = sum;
      total += sum;
    }
    totals[warp] = total;
  }
}

template <typename T, int workers>
void scan_runs(std::int64_t n, int gangs, int warps, std::int64_t run, const T* a, T* y, const T* sums,
               const T* totals) {
  constexpr int width = pack_width<T>;
#pragma acc parallel loop gang worker deviceptr(a, y, sums, totals) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  for (int warp = 0; warp < warps; ++warp) {
    T before = 0;
#pragma acc loop vector reduction(+ : before)
    for (int other = 0; other < warp; ++other) before += totals[other];
#pragma acc loop vector
    for (int lane = 0; lane < lanes; ++lane) {
      const std::int64_t begin = (warp * std::int64_t{lanes} + lane) * run;
      const std::int64_t end = begin + run < n ? begin + run : n;
      T sum = before;
      for (int other = 0; other < lane; ++other) sum += sums[warp * lanes + other];
      std::int64_t i = begin;
      for (; i + width <= end; i += width) {
        T pack[width];
        load_pack(a + i, pack);
        for (int k = 0; k < width; ++k) pack[k] = sum += pack[k];
        store_pack(y + i, pack);
      }
      for (; i < end; ++i) y[i] = sum += a[i];
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
  T* sums = static_cast<T*>(call.state);
  T* totals = sums + std::int64_t{lanes} * runs.warps;
  Workers::with(shape.num_workers, [&]<int workers>() {
    const int gangs = (runs.warps + workers - 1) / workers;
    sum_runs<T, workers>(n, gangs, runs.warps, runs.run, a, sums, totals);
    scan_runs<T, workers>(n, gangs, runs.warps, runs.run, a, y, sums, totals);
  });
}

std::int64_t workspace(const Problem& problem, const Gangs& gangs) {
  return openacc::sums_of_runs(gangs) * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gangs>())));
  return *state ? nullptr : "no device memory for the sums of runs";
}

}  // namespace blocked

// The straightforward implementation (Hillis and Steele): log2(n) passes. Each adds the element that is 1, 2,
// 4, … positions earlier.
namespace doubling {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument because GCC requires a constant.
template <typename T, int length>
void sweep(std::int64_t n, std::int64_t distance, const T* from, T* to) {
#pragma acc parallel loop deviceptr(from, to) vector_length(length)
  for (std::int64_t i = 0; i < n; ++i) to[i] = i < distance ? from[i] : from[i - distance] + from[i];
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t n = call.problem.extents.x;
  const T* a = static_cast<const T*>(acc_deviceptr(call.address(0)));
  T* y = static_cast<T*>(acc_deviceptr(call.address(1)));
  BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    inclusive_scan::for_sweeps(
        n, a, y, static_cast<T*>(call.state),
        [n](std::int64_t distance, const T* from, T* to) { sweep<T, length>(n, distance, from, to); });
  });
}

std::int64_t workspace(const Problem& problem, const Gang&) {
  return problem.extents.x * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  return *state ? nullptr : "no device memory for the sums between passes";
}

}  // namespace doubling

}  // namespace

std::vector<Variant> inclusive_scan_openacc() {
  return {
      {.name = "blocked",
       .description = "two regions: sum one run of 16-byte packs per lane, then scan it from the sum of "
                      "earlier runs",
       .memory_space = MemorySpace::openacc,
       .tunables = openacc::run_tunables(),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(blocked::launch),
       .prepare = blocked::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<blocked::workspace>},
      {.name = "doubling",
       .description = "the plain form: log2(n) passes; each adds the element 1, 2, 4, ... positions earlier",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<doubling::Gang>({{"vector_length", &doubling::Gang::vector_length, BlockSizes::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE_INT(doubling::launch),
       .prepare = doubling::prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<doubling::workspace>},
  };
}

}  // namespace sextant
