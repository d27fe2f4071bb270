// Each warp solves one system at a time, in one compute region. Its lanes reduce every few rows (a piece) to
// two equations, which they store in the warp's slot in device memory. Parallel cyclic reduction solves
// these. Then the lanes solve the pieces; they read the rows again, from the caches.
//
// The region maps no data (docs/reference/openacc.md). Its arguments are in a global variable (acc declare).
// The pragma turns off optimizations of GCC 12 that hoist values out of loops, because these values would
// occupy registers in all lanes.
#pragma GCC optimize("no-tree-loop-im", "no-tree-pre", "no-move-loop-invariants", "no-gcse", "no-ivopts")
#include <openacc.h>

#include "pieces.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace tridiagonal {

struct AccWarps {
  std::int64_t systems;
  int slots, length, pieces;
  const void *a, *b, *c, *d;
  void *x, *places;
};
AccWarps acc_warps;
#pragma acc declare create(acc_warps)

}  // namespace tridiagonal
namespace {

using tridiagonal::acc_warps, tridiagonal::Reduced;
using RowsOfLane = Choices<4, 8, 16>;
constexpr int lanes = 32, queue = 1, workers = 4;
constexpr std::int64_t most = 4096;  // maximum number of rows per system
// numbers that a slot stores per piece: two equations and two buffers for a reduced equation, three numbers
// each
constexpr int of_place = 12;

// The choices for num_gangs are multiples of 132, the number of multiprocessors of an H200.
struct Gang {
  int num_gangs = 924, rows = 8;  // rows: number of rows that a lane reduces to two equations
};

// Returns the reduced equation of piece p. Its three numbers are `pieces` elements apart.
template <typename T>
SEXTANT_INLINE Reduced<T> row_at(const T* rows, int pieces, int p) {
  if (p < 0 || p >= pieces) return {0, 0, 0};
  return {rows[p], rows[pieces + p], rows[2 * pieces + p]};
}

template <typename T>
SEXTANT_INLINE void store_row(const Reduced<T>& row, T* rows, int pieces, int p) {
  rows[p] = row.before, rows[pieces + p] = row.behind, rows[2 * pieces + p] = row.right;
}

// The kernel arguments are volatile, so that each lane reads them inside the vector loop. Otherwise GCC reads
// them before the loop and broadcasts them to all lanes by shuffles, which is slower.
template <typename T>
struct Lane {
  const volatile tridiagonal::AccWarps* const warps = &acc_warps;
  const int pieces = warps->pieces;

  SEXTANT_INLINE T* segments(int slot) const {
    return static_cast<T*>(warps->places) + std::int64_t{slot} * of_place * pieces;
  }
  // The buffer of the pieces' reduced equations before step `step` of cyclic reduction.
  SEXTANT_INLINE T* rows(int slot, int step) const { return segments(slot) + (6 + step % 2 * 3) * pieces; }

  template <int width, int piece>
  SEXTANT_INLINE tridiagonal::Piece<width, piece, T> load(std::int64_t system, int p) const {
    const int length = warps->length, row = p * piece;
    const std::int64_t at = system * length + row;
    return {static_cast<const T*>(warps->a) + at, static_cast<const T*>(warps->b) + at,
            static_cast<const T*>(warps->c) + at, static_cast<const T*>(warps->d) + at, length - row};
  }
};

template <int width, int piece, typename T>
void solve(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int slots = acc_warps.slots;
#pragma acc loop gang worker
    for (int slot = 0; slot < slots; ++slot) {
      const volatile tridiagonal::AccWarps* const warps = &acc_warps;
      for (std::int64_t system = slot; system < warps->systems; system += warps->slots) {
#pragma acc loop vector
        for (int p = 0; p < acc_warps.pieces; ++p) {
          const Lane<T> lane;
          T* const segments = lane.segments(slot);
          const auto of = lane.template load<width, piece>(system, p);
          tridiagonal::Rows<piece, T> reduced;
          reduced.eliminate(of.a, of.b, of.c, of.d);
          const auto segment = reduced.segment();
          for (int e = 0; e < 3; ++e)
            segments[e * lane.pieces + p] = segment.of_first[e],
                                       segments[(3 + e) * lane.pieces + p] = segment.of_last[e];
        }
#pragma acc loop vector
        for (int p = 0; p < acc_warps.pieces; ++p) {
          const Lane<T> lane;
          const T* const segments = lane.segments(slot);
          T of_last[3], behind[3] = {0, 0, 0};
          for (int e = 0; e < 3; ++e) of_last[e] = segments[(3 + e) * lane.pieces + p];
          if (p + 1 < lane.pieces)
            for (int e = 0; e < 3; ++e) behind[e] = segments[e * lane.pieces + p + 1];
          store_row(tridiagonal::reduced(of_last, behind), lane.rows(slot, 0), lane.pieces, p);
        }
        int step = 0;
        for (; 1 << step < warps->pieces; ++step) {
#pragma acc loop vector
          for (int p = 0; p < acc_warps.pieces; ++p) {
            const Lane<T> lane;
            const T* const rows = lane.rows(slot, step);
            const int apart = 1 << step;
            store_row(tridiagonal::between(row_at(rows, lane.pieces, p - apart), row_at(rows, lane.pieces, p),
                                           row_at(rows, lane.pieces, p + apart)),
                      lane.rows(slot, step + 1), lane.pieces, p);
          }
        }
#pragma acc loop vector
        for (int p = 0; p < acc_warps.pieces; ++p) {
          const Lane<T> lane;
          const T* const last = lane.rows(slot, step) + 2 * lane.pieces;
          const int length = lane.warps->length, row = p * piece;
          const auto of = lane.template load<width, piece>(system, p);
          T solved[piece];
          tridiagonal::solve_between<piece>(of.a, of.b, of.c, of.d, p == 0 ? T(0) : last[p - 1], last[p],
                                            solved);
          tridiagonal::store_piece<width, piece>(solved, length - row,
                                                 static_cast<T*>(lane.warps->x) + system * length + row);
        }
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const std::int64_t systems = tridiagonal::systems_of(call.problem);
  if (systems == 0) return;
  const auto shape = call.tuned<Gang>();
  const int gangs = shape.num_gangs;
  acc_warps = {systems,
               gangs * workers,
               static_cast<int>(tridiagonal::length_of(call.problem)),
               static_cast<int>(tridiagonal::pieces_of(call.problem, shape.rows)),
               acc_deviceptr(call.address(0)),
               acc_deviceptr(call.address(1)),
               acc_deviceptr(call.address(2)),
               acc_deviceptr(call.address(3)),
               acc_deviceptr(call.address(4)),
               call.state};
  // copied by a function call, because GCC 12 ignores `update device` for variables in a declare directive
  acc_update_device(&acc_warps, sizeof acc_warps);
  tridiagonal::with_packs<T>(call.problem, [&]<int width>() {
    RowsOfLane::with(shape.rows, [&]<int rows>() { solve<width, rows, T>(gangs); });
  });
#pragma acc wait(queue)
}

const char* refuse(const Problem& problem, const Gang&) {
  return tridiagonal::length_of(problem) > most ? "systems of more than 4096 unknowns" : nullptr;
}

std::int64_t workspace(const Problem& p, const Gang& gang) {
  return std::int64_t{gang.num_gangs} * workers * of_place * tridiagonal::pieces_of(p, gang.rows) *
         static_cast<std::int64_t>(element_size(p.type));
}

const char* prepare(const Call& call, void** state) {
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, call.tuned<Gang>())));
  return *state ? nullptr : "no device memory for the reduced equations";
}

}  // namespace

std::vector<Variant> tridiagonal_openacc_warps() {
  return {{.name = "warps",
           .description =
               "one system per warp: lanes reduce rows to two equations each, cyclic reduction, then "
               "the rows again",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gang>({{"num_gangs", &Gang::num_gangs, {264, 396, 528, 660, 792, 924, 1056}},
                                       {"rows", &Gang::rows, RowsOfLane::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .constraint = by_name<refuse>,
           .prepare = prepare,
           .release = [](void* state) { acc_free(state); },
           .workspace = by_name<workspace>}};
}

}  // namespace sextant
