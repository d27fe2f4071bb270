// Kernel descriptions of the NAS benchmarks LU, SP and BT. Each has two kernels: the benchmark with its
// verification, and one with any number of points that outputs the final state.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "suite/extents.hpp"
#include "suite/kernel.hpp"
#include "toolbox/host/traits.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant::npb::flow {

// Each benchmark defines a struct with these members:
//
//     struct Sp {
//       static constexpr const char *name = "npb_sp", *field_name = "npb_sp_field", *title = "SP";
//       static constexpr const char* formula = "…";
//       static constexpr std::span<const Class> classes = …;
//       static constexpr double operations[4] = …;    // operations per step: coefficients of n^3, n^2, n, 1
//       static constexpr std::int64_t read, written;  // doubles per point and step, counting each pass once
//       static constexpr double passes;               // number of passes over the grid per step
//       static constexpr int integrals;               // values published after the norms: 1 for LU, else 0
//       static double roundings(double scaled);       // roundings of a state per step; scaled = dt (n - 1)^2
//       static constexpr const char* reason = "…";    // explains the tolerance of the field
//       static void by_definition(const Problem& problem, double* norms, double* field);
//     };

inline constexpr const char* reason_of_lines =
    "in each step the right side has an error of several roundings of the difference terms, dt (n - 1)^2 u "
    "of the largest value (u = unit roundoff). The solved lines add several more, which later steps do not "
    "enlarge. The error of a residual's norm is (n - 1)^2 times that of the state";

template <typename Program>
std::int64_t elements_of(const Problem& problem, int index) {
  return index == norms ? norm_count + Program::integrals : components * problem.extents.count();
}

// Returns the largest cube whose state and norms fit in n doubles.
template <typename Program>
Extents cube_of(std::int64_t n) {
  const std::int64_t for_state = std::max<std::int64_t>(n - norm_count - Program::integrals, 0);
  const std::int64_t side = std::min(cube_root(for_state / components), most);
  return side < fewest ? Extents{0, 0, 0} : Extents{side, side, side};
}

inline const char* refuse_shape(const Problem& problem) {
  const Extents& e = problem.extents;
  if (e.x != e.y || e.x != e.z || e.x < fewest || e.x > most)
    return "the grid must be a cube with 5 to 2048 points per axis";
  return nullptr;
}

inline double npb_operations(const double (&per_step)[4], std::int64_t n, std::int64_t steps) {
  const auto points = static_cast<double>(n);
  return static_cast<double>(steps) *
         (((per_step[0] * points + per_step[1]) * points + per_step[2]) * points + per_step[3]);
}

template <typename Program>
void put_published(const Problem& problem, double* results) {
  const Class* known = class_of(Program::classes, points(problem));
  const bool whole_run = known && known->iterations == iterations(problem);
  for (int m = 0; m < components; ++m) {
    // If no values are published, the results are NaN, which no measured value equals.
    results[m] = whole_run ? known->residuals[m] : NAN;
    results[components + m] = whole_run ? known->errors[m] : NAN;
  }
  for (int i = 0; i < Program::integrals; ++i) results[norm_count + i] = whole_run ? known->integral : NAN;
}

template <typename Program>
Tolerance field_tolerance(const Problem& problem, int index, std::int64_t at) {
  constexpr double largest = 64;  // upper bound of the state, the initial state and the forcing
  const std::int64_t n = points(problem);
  const Scheme s(n);
  const double u = unit_roundoff(ElementType::float64), dt = time_step(Program::classes, n);
  const double of_state =
      Program::roundings(dt * s.t1) * u * largest * static_cast<double>(iterations(problem) + 1);
  // The integral covers the pressure over faces of total area 6 or less. The velocities limit how strongly
  // the pressure depends on the state.
  if (index == norms && at >= norm_count) return {.absolute = 16 * of_state, .relative = 64 * u};
  if (index == norms && at < components) return {.absolute = 16 * s.t1 * of_state, .relative = 64 * u};
  return {.absolute = of_state, .relative = 64 * u};
}

template <typename Program>
Work work_of(const Problem& problem) {
  const std::int64_t items = problem.extents.count() * iterations(problem);
  return {.bytes_read = 8 * Program::read * items,
          .bytes_written = 8 * Program::written * items,
          .flops = std::llround(npb_operations(Program::operations, points(problem),
                                               std::max<std::int64_t>(iterations(problem), 1))),
          .items = items};
}

template <typename Program>
Traits traits_of(const Problem& problem) {
  Traits traits =
      elementwise_traits(static_cast<double>(Program::read), static_cast<double>(Program::written),
                         Traits::not_known, Traits::not_known);
  const auto steps = static_cast<double>(iterations(problem));
  traits.special_flops = Traits::not_known;
  traits.launches = Program::passes * steps;
  // Per step, a forward and a backward sweep along each of the three axes.
  traits.depth = 3 * 2 * static_cast<double>(points(problem)) * steps;
  return traits;
}

template <typename Program>
void published(const Problem& problem, const void* const*, double* const* results) {
  put_published<Program>(problem, results[norms]);
}

template <typename Program>
void by_definition(const Problem& problem, const void* const*, double* const* results) {
  Program::by_definition(problem, results[norms], results[field]);
}

template <typename Program>
Kernel common_kernel(bool with_field) {
  Kernel kernel;
  kernel.group = "program";
  kernel.dwarf = "structured";
  kernel.family = "flow";
  kernel.formula = Program::formula;
  kernel.length = elements_of<Program>;
  kernel.work = work_of<Program>;
  kernel.traits = traits_of<Program>;
  kernel.refuse = refuse_shape;
  kernel.unit = {UnitOfWork::Count::flops, "Mop/s"};
  for (const Class& one : Program::classes)
    kernel.classes.push_back({one.name,
                              {.n = 0,
                               .type = ElementType::float64,
                               .extents = {one.n, one.n, one.n},
                               .parameters = {one.iterations, with_field ? 1 : 0, 0, 0}}});
  return kernel;
}

template <typename Program>
Kernel verified_kernel() {
  Kernel kernel = common_kernel<Program>(false);
  kernel.name = Program::name;
  kernel.arrays = {{"norms", Role::out}};
  kernel.presentation.report = {Program::title, "floating point", false, 0};
  kernel.reference = {.float64 = published<Program>};
  kernel.tolerance = [](const Problem&) { return Tolerance{.relative = verification_tolerance}; };
  kernel.tolerance_reason =
      Program::integrals ? "as in NPB: relative, 1e-8 of each norm of residual and error and of the integral"
                         : "as in NPB: relative, 1e-8 of each norm of residual and error";
  return kernel;
}

template <typename Program>
Kernel field_kernel() {
  Kernel kernel = common_kernel<Program>(true);
  kernel.name = Program::field_name;
  kernel.formula += std::string(", for any number of points; the whole final state is checked");
  kernel.arrays = {{"norms", Role::out}, {"u", Role::out}};
  kernel.presentation.report = {std::string(Program::title) + "_FIELD", "floating point", false, 0};
  kernel.parameters = {0, 1, 0, 0};
  kernel.parameter_list = {{"iterations", 2, 1, 1000, {1, 5}}};
  kernel.shaped = true;
  kernel.extents = cube_of<Program>;
  kernel.reference = {.float64 = by_definition<Program>};
  kernel.tolerance = [](const Problem& p) { return field_tolerance<Program>(p, field, 0); };
  kernel.tolerance_at = field_tolerance<Program>;
  kernel.tolerance_reason = Program::reason;
  return kernel;
}

template <typename Program>
std::vector<Kernel> flow_kernels() {
  return {verified_kernel<Program>(), field_kernel<Program>()};
}

}  // namespace sextant::npb::flow
