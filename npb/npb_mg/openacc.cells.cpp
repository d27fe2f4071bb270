// Variant openacc.cells: each iteration processes cells of 2 x 2 points plane by plane along z. The finest
// grid takes three regions per V-cycle.
#include <algorithm>
#include <memory>

#include "charges.hpp"
#include "openacc_cells.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"

namespace sextant {
namespace npb_mg {
namespace {

struct Cells {
  int planes = 16;
  int single_block_max_side = 16;
};

using Field = openacc::Memory<double>;

struct State {
  Field u, r, v, coarse_u, coarse_r, parts;
  AccGrids grids = {};
};

std::int64_t part_count(std::int64_t n, int planes) {
  return column_count(log2_of(n), log2_of(planes)) + sum_parts + workers * length + length;
}

std::int64_t state_bytes(const Problem& problem, const int* tuning) {
  const std::int64_t n = side(problem);
  return 8 * ((with_field(problem) ? 1 : 3) * cube(n) + 2 * coarser_points(n) +
              part_count(n, values_of<Cells>(tuning).planes));
}

const char* prepare(const Call& call, void** state) {
  const std::int64_t n = side(call.problem);
  const auto tuned = call.tuned<Cells>();
  auto made = std::make_unique<State>();
  const bool own = !with_field(call.problem);
  if ((own && !(made->u.allocate(cube(n)) && made->r.allocate(cube(n)))) || !made->v.allocate(cube(n)) ||
      !made->coarse_u.allocate(coarser_points(n)) || !made->coarse_r.allocate(coarser_points(n)) ||
      !made->parts.allocate(part_count(n, tuned.planes)))
    return "device memory ran out";
  const auto given = [&](int array) { return static_cast<double*>(acc_deviceptr(call.address(array))); };
  AccGrids& grids = made->grids;
  grids.u = own ? made->u.data : given(field_u);
  grids.r = own ? made->r.data : given(field_r);
  grids.v = made->v.data;
  grids.coarse_u = made->coarse_u.data;
  grids.coarse_r = made->coarse_r.data;
  grids.parts = made->parts.data;
  grids.norms = given(norms);
  grids.finest = log2_of(n);
  grids.alone = std::min(log2_of(tuned.single_block_max_side), grids.finest - 1);
  grids.planes = log2_of(tuned.planes);
  const Smoother s = smoother(call.problem);
  grids.centre = s.centre;
  grids.face = s.face;
  grids.edge = s.edge;
  const Charges charges = find_charges(n);
  double* const v = made->v.data;
  const auto count = static_cast<int>(cube(n));
#pragma acc parallel loop gang vector vector_length(length) deviceptr(v)
  for (int i = 0; i < count; ++i) v[i] = 0;
  for (int i = 0; i < charge_count; ++i) {
    double charge[2] = {-1, 1};
    acc_memcpy_to_device(v + charges.negative[i], &charge[0], sizeof(double));
    acc_memcpy_to_device(v + charges.positive[i], &charge[1], sizeof(double));
  }
  *state = made.release();
  return nullptr;
}

struct Program {
  const Call& call;
  const AccGrids& grids;

  int gangs(int bits) const { return std::max(1, column_count(bits, grids.planes) / length); }

  template <int which>
  void norm() const {
    call.phase("residual");
    residual_squared(gangs(grids.finest));
    call.phase("norm");
    added_parts();
    put_norm<which>();
  }

  void cycle() const {
    call.phase("restrict");
    residual_restricted(gangs(grids.finest));
    for (int bits = grids.finest - 1; bits > grids.alone; --bits)
      if ((grids.finest - 1 - bits) % 2 == 0)
        restricted_level<0>(gangs(bits));
      else
        restricted_level<1>(gangs(bits));
    call.phase("small");
    small_levels();
    for (int bits = grids.alone + 1; bits < grids.finest; ++bits) {
      call.phase("residual");
      corrected_residual<false>(gangs(bits));
      call.phase("smooth");
      corrected_smooth<false>(gangs(bits));
    }
    call.phase("residual");
    corrected_residual<true>(gangs(grids.finest));
    call.phase("smooth");
    corrected_smooth<true>(gangs(grids.finest));
  }

  void run() const {
    acc_grids = grids;
    acc_update_device(&acc_grids,
                      // Replaces the directive `update device`, which GCC 12 ignores for a declared variable.
                      sizeof acc_grids);
    call.phase("residual");
    clear_u(gangs(grids.finest));
    norm<0>();
    for (std::int64_t t = 0; t < iterations(call.problem); ++t) cycle();
    norm<1>();
    call.phase("");
#pragma acc wait(queue)
  }
};

void launch(const Call& call) { Program{call, static_cast<const State*>(call.state)->grids}.run(); }

}  // namespace
}  // namespace npb_mg

std::vector<Variant> npb_mg_openacc_cells() {
  using namespace npb_mg;
  Variant variant;
  variant.name = "cells";
  variant.memory_space = MemorySpace::openacc;
  variant.description = "cells of 2 x 2 points march along z; three regions per cycle on the finest grid";
  variant.tunables =
      tunables<Cells>({{"planes", &Cells::planes, {2, 4, 8, 16, 32, 64}},
                       {"single_block_max_side", &Cells::single_block_max_side, {2, 4, 8, 16, 32}}});
  variant.launch.float64 = launch;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  variant.workspace = state_bytes;
  return {variant};
}

}  // namespace sextant
