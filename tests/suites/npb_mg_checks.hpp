// What the tests of NAS MG on the host and on a GPU share.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../npb/npb_mg/problem.hpp"
#include "engine/check.hpp"
#include "registry/registry.hpp"

namespace sextant {

inline Problem problem_of(std::int64_t side, std::int64_t iterations, bool later, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {side, side, side},
          .parameters = {iterations, later ? 1 : 0, with_field ? 1 : 0, 0}};
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

// One problem's data; made once, as its reference takes longer than what is checked.
inline Workset& workset_of(const Kernel& kernel, const Problem& problem) {
  static std::map<std::string, std::unique_ptr<Workset>> all;
  std::string key = kernel.name;
  for (const std::int64_t value :
       {problem.extents.x, problem.parameters[0], problem.parameters[1], problem.parameters[2]})
    key += ' ' + std::to_string(value);
  std::unique_ptr<Workset>& workset = all[key];
  if (!workset) workset = std::make_unique<Workset>(kernel, problem, 1);
  return *workset;
}

// Checks one problem as the engine does; the result's reason says what is wrong. Outputs stay in the workset.
inline CheckResult run_checked(const Kernel& kernel, const Variant& variant, const Problem& problem,
                               const std::vector<int>& tuning, int gpu = -1) {
  CheckResult result;
  const std::unique_ptr<Device> device = open_device(variant.home, gpu, &result.reason);
  if (!device) return result;
  Workset& workset = workset_of(kernel, problem);
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
  return result;
}

inline const RegisteredKernel& verified() { return *find_kernel("npb_mg"); }
inline const RegisteredKernel& whole() { return *find_kernel("npb_mg_field"); }

// npb_mg_field with a reference that takes no time and nothing agrees with: for fields that are compared otherwise.
inline const Kernel& unchecked() {
  static const Kernel kernel = [] {
    Kernel made = whole().kernel;
    made.name = "npb_mg_field without reference";
    made.reference = {.float64 = [](const Problem& problem, const void* const*, double* const* results) {
      for (int array = 0; array < 3; ++array)
        for (std::int64_t i = 0; i < whole().kernel.elements(problem, array); ++i) results[array][i] = 0;
    }};
    return made;
  }();
  return kernel;
}

// norms, u and r, one after the other, as this variant makes them.
inline std::vector<double> fields_of(const Variant& variant, const Problem& problem, int gpu = -1) {
  run_checked(unchecked(), variant, problem, default_tuning(variant, problem), gpu);
  std::vector<double> all;
  for (int array = 0; array < 3; ++array) {
    const HostArray& one = workset_of(unchecked(), problem).arrays()[static_cast<std::size_t>(array)];
    const auto* values = static_cast<const double*>(one.data);
    all.insert(all.end(), values, values + unchecked().elements(problem, array));
  }
  return all;
}

// Norms after 1 to 4 iterations, of an independent program that passes NPB's verification.
struct Checkpoints {
  std::int64_t side;
  bool later;
  double norms[4];
};
inline constexpr Checkpoints checkpoints[] = {
    {32, false, {2.9337960976328e-03, 6.3150017906228e-04, 1.7360856792372e-04, 5.3077070057349e-05}},
    {128, false, {3.6169808586064e-04, 7.7344445122371e-05, 2.1179611299340e-05, 6.4673293753391e-06}},
    {256, true, {6.0203980728553e-04, 3.7794573111487e-04, 2.5234568702465e-04, 1.7456824360346e-04}},
};

// A variant's name as a test's.
inline std::string title_of(const Variant& variant) {
  std::string name = variant.name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

}  // namespace sextant
