// Solves systems of at most 512 unknowns in one compute region, which reads each element once. A group of
// lanes holds a system in registers, with 8 or 16 rows per lane. Each lane reduces its rows to two equations.
// Parallel cyclic reduction through gang-private memory then gives the last unknown of each lane.
//
// The region maps no data (docs/reference/openacc.md). Its arguments are in a global variable (acc declare).
// The pragma turns off optimizations of GCC 12 that hoist values out of loops, because these values would
// occupy registers in all lanes.
#pragma GCC optimize("no-tree-loop-im", "no-tree-pre", "no-move-loop-invariants", "no-gcse", "no-ivopts")
#include <openacc.h>

#include "pieces.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace tridiagonal {

struct AccLanes {
  std::int64_t systems, step;  // step: number of systems that all warps process at once
  // lanes: number of lanes per system, 2 to the power of lane_bits
  int length, lanes, lane_bits, gangs;
  const void *a, *b, *c, *d;
  void* x;
};
AccLanes acc_lanes;
#pragma acc declare create(acc_lanes)

}  // namespace tridiagonal
namespace {

using tridiagonal::acc_lanes, tridiagonal::Reduced;
using RowsOfLanes = Choices<8, 16>;
constexpr int warp_lanes = 32, lanes_queue = 1, warps_of_gang = 4;
constexpr int most_bits = 5;  // log2 of the number of lanes in a warp

// The choices for num_gangs suit an H200, which has 132 multiprocessors. Each can hold 7 gangs in float or 4
// in double.
struct Lanes {
  int num_gangs = 792, rows = 8;  // rows: number of rows per lane
};

// Layout of a warp's equations in gang-private memory. Each coefficient is an array of 32 values, one per
// lane. The first buffer holds the equation of each lane's first row. Two more buffers, used alternately,
// hold the reduced equations.
constexpr int of_first = 0, of_turn = 3 * warp_lanes, of_warp = 3 * of_turn;

template <typename T>
SEXTANT_INLINE Reduced<T> equation_of(const T* equations, int lane) {
  return {equations[lane], equations[warp_lanes + lane], equations[2 * warp_lanes + lane]};
}

template <typename T>
SEXTANT_INLINE void leave_equation(const Reduced<T>& row, T* equations, int lane) {
  equations[lane] = row.before, equations[warp_lanes + lane] = row.behind,
  equations[2 * warp_lanes + lane] = row.right;
}

template <typename T>
struct OfWarp {
  std::int64_t first;  // number of the first system that the warp processes
  T* equations;
};

template <int width, int rows, typename T>
struct LaneOfSystem {
  const volatile tridiagonal::AccLanes* given;
  T* equations;
  // there: number of rows from the lane's first row to the end of the system
  int lane, lanes, piece, there;
  std::int64_t at;  // index of the lane's first row in the arrays
  tridiagonal::Rows<rows, T> reduced;
  Reduced<T> row;

  static constexpr int steps = 3 + most_bits;

  SEXTANT_INLINE void begin(const OfWarp<T>& warp, int warp_lane) {
    given = &acc_lanes, equations = warp.equations, lane = warp_lane;
    const int length = given->length;
    lanes = given->lanes, piece = lane & (lanes - 1);
    const std::int64_t system = warp.first + (lane >> given->lane_bits);
    there = system < given->systems ? length - piece * rows : 0;
    at = system * length + piece * rows;
  }

  // The buffer of reduced equations after `turn` steps of cyclic reduction.
  SEXTANT_INLINE T* left(int turn) const { return equations + of_turn * (1 + turn % 2); }

  template <int step>
  SEXTANT_INLINE void take(int) {
    if constexpr (step == 0)
      eliminate();
    else if constexpr (step == 1)
      join();
    else if constexpr (step < steps - 1)
      double_distance<step - 2>();
    else
      finish();
  }

  SEXTANT_INLINE void eliminate() {
    reduced = tridiagonal::eliminated<width, rows>(
        static_cast<const T*>(given->a) + at, static_cast<const T*>(given->b) + at,
        static_cast<const T*>(given->c) + at, static_cast<const T*>(given->d) + at, there);
    leave_equation({reduced.before[0], reduced.last[0], reduced.right[0]}, equations + of_first, lane);
  }

  SEXTANT_INLINE void join() {
    const Reduced<T> next = equation_of(equations + of_first, piece == lanes - 1 ? lane : lane + 1);
    const T of_last[3] = {reduced.before[rows - 1], reduced.last[rows - 1], reduced.right[rows - 1]},
            behind[3] = {next.before, next.behind, next.right};
    row = tridiagonal::reduced(of_last, behind);
    leave_equation(row, left(0), lane);
  }

  // One step of parallel cyclic reduction with the lanes at distance 2^turn. If there is no such lane, the
  // lane uses its own equation, which has no effect: the coupling beyond the ends of a system is 0.
  template <int turn>
  SEXTANT_INLINE void double_distance() {
    constexpr int apart = 1 << turn;
    if (apart >= lanes) return;
    row = tridiagonal::between(equation_of(left(turn), piece < apart ? lane : lane - apart), row,
                               equation_of(left(turn), piece + apart < lanes ? lane + apart : lane));
    leave_equation(row, left(turn + 1), lane);
  }

  SEXTANT_INLINE void finish() {
    const T* const last = left(given->lane_bits) + 2 * warp_lanes + lane;
    T solved[rows];
    reduced.finish(piece == 0 ? T(0) : *(last - 1), row.right, solved);
    tridiagonal::store_piece<width, rows>(solved, there, static_cast<T*>(given->x) + at);
  }
};

template <int width, int rows, typename T>
void solve(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(warps_of_gang) vector_length(warp_lanes) async(lanes_queue)
  {
#pragma acc loop gang
    for (int gang = 0; gang < acc_lanes.gangs; ++gang) {
      SEXTANT_GANG_ARRAY(T, equations_of_gang, of_warp * warps_of_gang);
#pragma acc loop worker
      for (int worker = 0; worker < warps_of_gang; ++worker) {
        const volatile tridiagonal::AccLanes* const given = &acc_lanes;
        for (std::int64_t first =
                 std::int64_t{gang * warps_of_gang + worker} * (warp_lanes >> given->lane_bits);
             first < given->systems; first += given->step) {
#pragma acc loop vector
          for (int lane = 0; lane < warp_lanes; ++lane) {
            SEXTANT_GANG_POINTER(T, equations, equations_of_gang);
            using Lane = LaneOfSystem<width, rows, T>;
            openacc::go_together<Lane, Lane::steps>(lane, OfWarp<T>{first, equations + worker * of_warp});
          }
        }
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  if (systems == 0) return;
  const auto shape = call.tuned<Lanes>();
  const auto length = static_cast<int>(tridiagonal::length_of(call.problem));
  const int gangs = shape.num_gangs;
  int bits = 0;
  while (shape.rows << bits < length) ++bits;
  acc_lanes = {systems,
               std::int64_t{gangs} * warps_of_gang * (warp_lanes >> bits),
               length,
               1 << bits,
               bits,
               gangs,
               acc_deviceptr(call.address(0)),
               acc_deviceptr(call.address(1)),
               acc_deviceptr(call.address(2)),
               acc_deviceptr(call.address(3)),
               acc_deviceptr(call.address(4))};
  // copied by a function call, because GCC 12 ignores `update device` for variables in a declare directive
  acc_update_device(&acc_lanes, sizeof acc_lanes);
  tridiagonal::with_packs<T>(call.problem, [&]<int width>() {
    RowsOfLanes::with(shape.rows, [&]<int rows>() { solve<width, rows, T>(gangs); });
  });
#pragma acc wait(lanes_queue)
}

const char* refuse(const Problem& problem, const Lanes& shape) {
  return tridiagonal::length_of(problem) > shape.rows * warp_lanes
             ? "a system has more than 32 * rows unknowns"
             : nullptr;
}

void adapt(const Problem& problem, Lanes& shape) {
  if (refuse(problem, shape)) shape.rows = 16;
  if (problem.type == ElementType::float64) shape.num_gangs = 1056;
}

}  // namespace

std::vector<Variant> tridiagonal_openacc_lanes() {
  return {{.name = "lanes",
           .description =
               "one system of at most 512 unknowns per group of lanes, in registers; cyclic reduction "
               "in gang-private memory",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Lanes>({{"num_gangs", &Lanes::num_gangs, {528, 792, 924, 1056, 1848}},
                                        {"rows", &Lanes::rows, RowsOfLanes::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .adapt = by_name<adapt>,
           .for_large_arrays = true}};
}

}  // namespace sextant
