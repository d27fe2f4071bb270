// Hierarchical scan whose lanes need not communicate. Level 1 consists of groups of 64 bytes, one per lane;
// level 2 of runs of 16 groups; level 3 of tiles of 16 runs. One gang scans the totals of the tiles. Then
// each lane scans its group again, starting from the prefix sum before it.
//
// Lanes of a warp read neighbouring groups, so that the L1 cache serves most of their loads. The last region
// starts at the end of a, which is still in the L2 cache. Kernel arguments are in a global variable (acc
// declare), because GCC maps other arguments at each launch, which is slow (docs/reference/openacc.md).
#include <openacc.h>

#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/levels.hpp"

namespace sextant {
namespace inclusive_scan {

struct AccLevels {
  std::int64_t n;
  int tiles;
  const void* a;
  void *y, *groups, *runs;
  openacc::levels::Top top;  // totals of the tiles
};
AccLevels acc_levels;
#pragma acc declare create(acc_levels)

}  // namespace inclusive_scan
namespace {

using inclusive_scan::acc_levels;
using openacc::levels::runs_of_tile, openacc::levels::groups_of_run, openacc::levels::groups_of_tile;

constexpr int queue = 1, length = 256;

// Number of elements in a group, which one lane processes.
template <typename T>
constexpr int group = 64 / static_cast<int>(sizeof(T));

template <typename T>
void add_groups(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t n = acc_levels.n, all = std::int64_t{acc_levels.tiles} * groups_of_tile;
    const T* const a = static_cast<const T*>(acc_levels.a);
    T* const groups = static_cast<T*>(acc_levels.groups);
#pragma acc loop gang(static : 1) vector
    for (std::int64_t g = 0; g < all; ++g) {
      const std::int64_t begin = g * group<T>;
      T sum = 0;
      if (begin + group<T> <= n)
        sum = openacc::levels::sum_of<group<T>>(a + begin);
      else
        for (std::int64_t i = begin; i < n; ++i) sum += a[i];
      groups[g] = sum;
    }
  }
}

template <typename T>
void add_runs(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const std::int64_t all = std::int64_t{acc_levels.tiles} * runs_of_tile;
    const T* const groups = static_cast<const T*>(acc_levels.groups);
    T* const runs = static_cast<T*>(acc_levels.runs);
#pragma acc loop gang(static : 1) vector
    for (std::int64_t r = 0; r < all; ++r)
      runs[r] = openacc::levels::sum_of<groups_of_run>(groups + r * groups_of_run);
  }
}

template <typename T>
void add_tiles(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    const int tiles = acc_levels.tiles;
    const T* const runs = static_cast<const T*>(acc_levels.runs);
    T* const totals = static_cast<T*>(acc_levels.top.values);
#pragma acc loop gang(static : 1) vector
    for (int t = 0; t < tiles; ++t)
      totals[t] = openacc::levels::sum_of<runs_of_tile>(runs + std::int64_t{t} * runs_of_tile);
  }
}

template <typename T>
void run_over_groups(int gangs) {
#pragma acc parallel num_gangs(gangs) vector_length(length) async(queue)
  {
    static_assert(length == groups_of_tile);
    constexpr int width = openacc::pack_width<T>;
    const std::int64_t n = acc_levels.n, tiles = acc_levels.tiles;
    const T* const a = static_cast<const T*>(acc_levels.a);
    T* const y = static_cast<T*>(acc_levels.y);
    const T* const groups = static_cast<const T*>(acc_levels.groups);
    const T* const runs = static_cast<const T*>(acc_levels.runs);
    const T* const totals = static_cast<const T*>(acc_levels.top.values);
#pragma acc loop gang(static : 1) vector
    for (std::int64_t at = 0; at < tiles * length; ++at) {
      const std::int64_t tile = tiles - 1 - at / length;
      const int in_tile = static_cast<int>(at % length), run = in_tile / groups_of_run;
      const std::int64_t begin = (tile * length + in_tile) * group<T>;
      const T* const runs_before = runs + tile * runs_of_tile;
      const T* const groups_before = groups + tile * length + run * groups_of_run;
      if (begin + group<T> <= n) {
        T x[group<T>];  // loaded early, before the sums are needed
#pragma GCC unroll 4
        for (int k = 0; k < group<T>; k += width) openacc::load_pack(a + begin + k, x + k);
        T sum = totals[tile] + openacc::levels::sum_of_first(runs_before, run) +
                openacc::levels::sum_of_first(groups_before, in_tile % groups_of_run);
#pragma GCC unroll 16
        for (int k = 0; k < group<T>; ++k) x[k] = sum += x[k];
#pragma GCC unroll 4
        for (int k = 0; k < group<T>; k += width) openacc::store_pack(y + begin + k, x + k);
      } else {
        T sum = totals[tile] + openacc::levels::sum_of_first(runs_before, run) +
                openacc::levels::sum_of_first(groups_before, in_tile % groups_of_run);
        for (std::int64_t i = begin; i < n; ++i) y[i] = sum += a[i];
      }
    }
  }
}

template <typename T>
std::int64_t tiles_of(const Problem& problem) {
  constexpr std::int64_t tile = std::int64_t{groups_of_tile} * group<T>;
  return (problem.extents.x + tile - 1) / tile;
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t tiles = tiles_of<T>(call.problem);
  const openacc::levels::Room room(tiles);
  const int gangs = static_cast<int>(tiles);
  T* const groups = static_cast<T*>(call.state);
  T* const runs = groups + room.groups;
  T* const totals = runs + room.runs;
  acc_levels = {call.problem.extents.x,
                gangs,
                acc_deviceptr(call.address(0)),
                acc_deviceptr(call.address(1)),
                groups,
                runs,
                {gangs, totals, totals + room.totals}};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_levels, sizeof acc_levels);
  add_groups<T>(gangs);
  add_runs<T>((gangs * runs_of_tile + length - 1) / length);
  add_tiles<T>((gangs + length - 1) / length);
  openacc::levels::sum_up_top<T, acc_levels, queue>();
  run_over_groups<T>(gangs);
#pragma acc wait(queue)
}

std::int64_t workspace(const Problem& problem, const int*) {
  const std::int64_t tiles =
      element_size(problem.type) == sizeof(double) ? tiles_of<double>(problem) : tiles_of<float>(problem);
  const openacc::levels::Room room(tiles);
  return (room.groups + room.runs + room.totals + openacc::levels::sums_of_top) *
         static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, nullptr)));
  return *state ? nullptr : "no device memory for the sums of the levels";
}

}  // namespace

std::vector<Variant> inclusive_scan_openacc_levels() {
  return {{.name = "levels",
           .description =
               "hierarchical: sums of 64 bytes per lane, of 16 lanes and of 256 lanes; then one scan "
               "per lane",
           .memory_space = MemorySpace::openacc,
           .launch = SEXTANT_FLOAT_DOUBLE_INT(launch),
           .prepare = prepare,
           .release = [](void* state) { acc_free(state); },
           .workspace = workspace}};
}

}  // namespace sextant
