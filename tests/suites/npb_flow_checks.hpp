// What the tests of NAS LU, SP and BT on the host and on a GPU share.
#pragma once

#include <map>
#include <memory>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/check.hpp"
#include "registry/registry.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant {

inline const std::vector<std::string> flow_programs = {"npb_sp", "npb_bt", "npb_lu"};

// The verified kernels of this build's flow programs, and the same with all of the last state.
inline std::vector<const RegisteredKernel*> flows() {
  std::vector<const RegisteredKernel*> list;
  for (const std::string& name : flow_programs)
    if (const RegisteredKernel* entry = find_kernel(name)) list.push_back(entry);
  return list;
}
inline const RegisteredKernel& whole_of(const RegisteredKernel& flow) {
  return *find_kernel(flow.kernel.name + "_field");
}

inline Problem flow_problem(std::int64_t n, std::int64_t iterations, bool with_field) {
  return {.n = 0,
          .type = ElementType::float64,
          .extents = {n, n, n},
          .parameters = {iterations, with_field ? 1 : 0, 0, 0}};
}

inline Problem flow_class(const Kernel& kernel, const std::string& name) {
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
  const std::string key = kernel.name + ' ' + std::to_string(problem.extents.x) + ' ' +
                          std::to_string(npb::flow::iterations(problem));
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

// A variant of a program.
struct FlowVariant {
  const RegisteredKernel* flow;
  const Variant* variant;
};
inline void PrintTo(const FlowVariant& one, std::ostream* out) {
  *out << one.flow->kernel.name << ' ' << one.variant->name;
}
template <typename Wanted>
std::vector<FlowVariant> flow_variants(const Wanted& wanted) {
  std::vector<FlowVariant> list;
  for (const RegisteredKernel* flow : flows())
    for (const Variant& variant : flow->variants)
      if (wanted(variant)) list.push_back({flow, &variant});
  return list;
}
inline std::string title_of(const FlowVariant& one) {
  std::string name = one.flow->kernel.name + '_' + one.variant->name;
  for (char& c : name)
    if (c == '.') c = '_';
  return name;
}

// Every choice of every tunable, the others at their default.
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

}  // namespace sextant
