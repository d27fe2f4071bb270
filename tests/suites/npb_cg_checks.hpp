// What the tests of NAS CG on the host and on a GPU share.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../npb/npb_cg/problem.hpp"
#include "engine/check.hpp"
#include "registry/registry.hpp"

namespace sextant {

inline Problem cg_problem(std::int64_t n, std::int64_t iterations, std::int64_t nonzer, std::int64_t shift,
                          bool with_vector) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {n, 1, 1},
          .parameters = {iterations, nonzer, shift, with_vector ? 1 : 0}};
}

inline const Problem& class_problem(const Kernel& kernel, const std::string& name) {
  for (const NamedProblem& one : kernel.classes)
    if (name == one.name) return one.problem;
  throw std::out_of_range("no class " + name);
}

inline std::vector<int> default_tuning(const Variant& variant, const Problem& problem) {
  std::vector<int> tuning;
  for (const Tunable& tunable : variant.tunables) tuning.push_back(tunable.preferred);
  if (variant.adapt) variant.adapt(problem, tuning.data());
  return tuning;
}

// Checks one problem as the engine does; the result's reason says what is wrong. `outputs`, if given, gets what each array
// holds after it.
inline CheckResult run_checked(const Kernel& kernel, const Variant& variant, const Problem& problem,
                               const std::vector<int>& tuning, int gpu = -1,
                               std::vector<std::vector<double>>* outputs = nullptr) {
  CheckResult result;
  const std::unique_ptr<Device> device = open_device(variant.home, gpu, &result.reason);
  if (!device) return result;
  Workset workset(kernel, problem, 1);
  Mapped mapped(*device, workset);
  Call call;
  call.problem = problem;
  call.tuning = tuning.data();
  call.arrays = mapped.arrays();
  call.stream = device->stream();
  if (variant.prepare)
    if (const char* reason = variant.prepare(call, &call.state)) {
      result.reason = reason;
      return result;
    }
  result = check(variant, call, *device, workset, mapped, 1e9);
  if (variant.release) variant.release(call.state);
  if (!outputs) return result;
  outputs->clear();
  for (int a = 0; a < static_cast<int>(kernel.arrays.size()); ++a) {
    const auto* values = static_cast<const double*>(workset.arrays()[static_cast<std::size_t>(a)].data);
    outputs->emplace_back(values, values + kernel.elements(problem, a));
  }
  return result;
}

inline const RegisteredKernel& cg_verified() { return *find_kernel("npb_cg"); }
inline const RegisteredKernel& cg_whole() { return *find_kernel("npb_cg_vector"); }

// A variant's name as a test's.
inline std::string title_of(const Variant& variant) {
  std::string name = variant.name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

// Tiny, odd, prime and large numbers of rows; vectors of one element and of many.
inline std::vector<Problem> cg_problems() {
  return {
      cg_problem(4, 2, 1, 5, true),     cg_problem(5, 1, 5, 9, true),     cg_problem(7, 3, 7, 20, true),
      cg_problem(31, 2, 5, 20, true),   cg_problem(32, 2, 7, 20, true),   cg_problem(257, 3, 9, 30, true),
      cg_problem(1009, 2, 7, 20, true), cg_problem(4099, 1, 3, 20, true), cg_problem(66001, 1, 1, 20, true)};
}

}  // namespace sextant
