// What the tests of NAS FT on the host and on a GPU share.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "../../npb/npb_ft/problem.hpp"
#include "engine/check.hpp"
#include "registry/registry.hpp"

namespace sextant {

inline Problem problem_of(const Extents& extents, std::int64_t iterations, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = extents,
          .parameters = {iterations, with_field ? 1 : 0, 0, 0}};
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
  const Extents& e = problem.extents;
  std::string key = kernel.name;
  for (const std::int64_t value : {e.x, e.y, e.z, npb_ft::iterations(problem)})
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

inline const RegisteredKernel& verified() { return *find_kernel("npb_ft"); }
inline const RegisteredKernel& whole() { return *find_kernel("npb_ft_field"); }

// Shapes that have every length in every dimension, and odd mixes.
inline std::vector<Extents> test_shapes() {
  std::vector<Extents> shapes = {{8, 4, 2}, {64, 32, 16}, {2, 2, 2}, {2, 64, 32}, {32, 2, 64}, {16, 16, 16}};
  for (std::int64_t n = 4; n <= npb_ft::longest; n *= 2)
    for (const Extents& shape : {Extents{n, 4, 2}, Extents{16, n, 2}, Extents{8, 2, n}})
      shapes.push_back(shape);
  return shapes;
}

// A variant's name as a test's.
inline std::string title_of(const Variant& variant) {
  std::string name = variant.name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

}  // namespace sextant
