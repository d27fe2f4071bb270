// Provides cases of distributed variants, which run on several MPI ranks or several GPUs.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "engine/form/settings.hpp"
#include "plan/plan.hpp"
#include "registry/registry.hpp"

namespace sextant {

// A distributed variant: MPI ranks on the CPU, MPI ranks with a GPU each, or several GPUs in one process.
struct Wide {
  const RegisteredKernel* entry;
  const Variant* variant;
};

inline std::vector<Wide> variants_in_parts(bool on_gpus, bool in_processes) {
  std::vector<Wide> list;
  for (const RegisteredKernel& entry : registry())
    for (const Variant& variant : entry.variants)
      if (variant.memory_space == MemorySpace::partitioned && needs_gpu(variant) == on_gpus &&
          variant.parts.needs_mpi == in_processes && entry.kernel.group != "faults")
        list.push_back({&entry, &variant});
  return list;
}

inline Selection of_triad(const std::string& devices) {
  Selection selection;
  selection.kernels = {"triad"};
  selection.types = {ElementType::float64};
  selection.sizes = {9000};
  selection.device = devices;
  return selection;
}

// Returns the error message of planning this selection; empty if it succeeds.
inline std::string said(const Selection& selection) {
  try {
    plan(selection);
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

inline Settings checks() {
  Settings settings;
  settings.check_only = true;
  settings.seed = 11;
  settings.timeout = 60;
  return settings;
}

// Settings of a short timed measurement.
inline Settings short_times() {
  Settings settings = checks();
  settings.check_only = false;
  settings.min_samples = 5;
  settings.max_samples = 20;
  settings.case_seconds = 0.05;
  return settings;
}

// Returns a case of doubles of the variant: three steps of a stencil in a box, or some 100 000 elements.
inline Case case_of(const std::string& kernel, const std::string& variant, const std::string& device) {
  Selection selection;
  selection.kernels = {kernel};
  selection.variants = {variant};
  selection.types = {ElementType::float64};
  selection.device = device;
  if (find_kernel(kernel)->kernel.shaped) {
    selection.shapes = {{64, 64, 64}};
    selection.parameters["steps"] = {3};
  } else {
    selection.sizes = {600'000};
  }
  return plan(selection).front();
}

// Returns those of the shapes that the kernel accepts.
inline std::vector<Extents> taken(const Kernel& kernel, std::vector<Extents> shapes) {
  std::erase_if(shapes, [&](const Extents& shape) {
    Problem problem;
    problem.extents = shape;
    problem.parameters = kernel.standard_parameters();
    return kernel.refuse && kernel.refuse(problem);
  });
  return shapes;
}

// Returns small cases with odd and prime sizes, so that partitions are uneven. One size runs with every
// tuning. Kernels that require powers of two or NPB classes get such sizes instead.
inline std::vector<Case> small_cases(const Wide& wide, const std::string& device) {
  const Kernel& kernel = wide.entry->kernel;
  Selection selection;
  selection.kernels = {kernel.name};
  selection.variants = {wide.variant->name};
  selection.device = device;
  if (kernel.shaped)
    selection.shapes = taken(kernel, {{7, 5, 3},
                                      {5, 4, 7},
                                      {9, 6, 13},
                                      {33, 17, 29},
                                      {6, 5, 131},
                                      {2, 4, 2},
                                      {8, 4, 16},
                                      {4, 32, 8},
                                      {64, 8, 4},
                                      {32, 64, 32},
                                      {16, 16, 64},
                                      {16, 16, 48}});
  else if (!kernel.extents)
    selection.classes = {"S", "W"};
  else
    selection.sizes = {1, 3, 12, 17, 97, 4099, 200003};
  std::vector<Case> cases = plan(selection);
  if (!selection.classes.empty()) return cases;
  const auto add = [&] {
    const std::vector<Case> more = plan(selection);
    cases.insert(cases.end(), more.begin(), more.end());
  };
  if (kernel.shaped)
    selection.shapes = {taken(kernel, {{33, 17, 29}, {16, 8, 32}}).front()};
  else
    selection.sizes = {31193};
  selection.types = {ElementType::float64};
  selection.all_tunings = true;
  add();
  selection.all_tunings = false;
  for (const Parameter& parameter : kernel.parameter_list) {
    selection.parameters.clear();
    if (!parameter.checked.empty()) selection.parameters[parameter.name] = parameter.checked, add();
  }
  return cases;
}

}  // namespace sextant
