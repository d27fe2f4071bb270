// Provides kernels and problems for the tests of NPB LU, SP and BT on the host and on a GPU.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "program_checks.hpp"
#include "toolbox/npb_flow/problem.hpp"

namespace sextant {

inline const std::vector<std::string> flow_programs = {"npb_sp", "npb_bt", "npb_lu"};

// Returns the kernels of LU, SP and BT in this build that verify the published norms. `whole_of` returns the
// kernel that outputs the whole final state.
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

// A variant of LU, SP or BT.
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

}  // namespace sextant
