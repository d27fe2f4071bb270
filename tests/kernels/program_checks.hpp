// Provides problems, checks and names for the tests of whole programs such as NPB, on the host and on a GPU.
#pragma once

#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/case/check.hpp"
#include "registry/registry.hpp"

namespace sextant {

// Returns the problem of a class. Throws std::out_of_range if the kernel lacks it.
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

// Every choice of every tunable that the constraint allows; the other tunables have their defaults.
inline std::vector<std::vector<int>> every_choice(const Variant& variant, const Problem& problem) {
  std::vector<std::vector<int>> list;
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    for (const int value : variant.tunables[i].choices) {
      std::vector<int> tuning = default_tuning(variant, problem);
      tuning[i] = value;
      if (!variant.constraint || !variant.constraint(problem, tuning.data())) list.push_back(tuning);
    }
  return list;
}

// Returns the data of a problem. They are created only once, because the reference takes long.
inline Workset& workset_of(const Kernel& kernel, const Problem& problem) {
  static std::map<std::string, std::unique_ptr<Workset>> all;
  const Extents& e = problem.extents;
  std::string key = kernel.name;
  for (const std::int64_t value : {problem.n, e.x, e.y, e.z}) key += ' ' + std::to_string(value);
  for (const std::int64_t value : problem.parameters) key += ' ' + std::to_string(value);
  std::unique_ptr<Workset>& workset = all[key];
  if (!workset) workset = std::make_unique<Workset>(kernel, problem, 1);
  return *workset;
}

// Checks one problem as the engine does. The result's `reason` describes an error. The outputs stay in the
// workset.
inline CheckResult run_checked(const Kernel& kernel, const Variant& variant, const Problem& problem,
                               const std::vector<int>& tuning, int gpu = -1) {
  CheckResult result;
  const std::unique_ptr<Device> device = open_device(variant.memory_space, gpu, &result.reason);
  if (!device) return result;
  Workset& workset = workset_of(kernel, problem);
  DeviceCopies device_copies(*device, workset);
  Call call;
  call.problem = problem;
  call.tuning = tuning.data();
  call.arrays = device_copies.arrays();
  call.stream = device->stream();
  if (variant.prepare)
    if (const char* reason = variant.prepare(call, &call.state)) {
      result.reason = reason;
      return result;
    }
  result = check(variant, call, *device, workset, device_copies, 1e9);
  if (variant.release) variant.release(call.state);
  return result;
}

// Returns the contents of each array of doubles after run_checked.
inline std::vector<std::vector<double>> outputs_of(const Kernel& kernel, const Problem& problem) {
  std::vector<std::vector<double>> outputs;
  for (int a = 0; a < static_cast<int>(kernel.arrays.size()); ++a) {
    const HostArray& array = workset_of(kernel, problem).arrays()[static_cast<std::size_t>(a)];
    const auto* values = static_cast<const double*>(array.data);
    outputs.emplace_back(values, values + kernel.elements(problem, a));
  }
  return outputs;
}

// Returns the variant's name with characters that a test name allows.
inline std::string title_of(const Variant& variant) {
  std::string name = variant.name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

}  // namespace sextant
