// From a description to a kernel as any other.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "own/description/description.hpp"
#include "own/kernel/step_plan.hpp"
#include "registry/registry.hpp"

namespace sextant::own {

// The kernel and its variants. What their functions are called for lives as long as the process, as do the
// names. Nothing of the user's code runs or is compiled before a variant is compiled, prepared or the
// reference is asked for. Throws UserError: a source that is not there, no reference.
RegisteredKernel described(const Description& description);

// The hash of the description and all sources that its variants name: 16 hexadecimal digits.
std::string code_of(const Description& description);

// What a C++ variant's prepared state has, for its launch; described_cuda.cpp has its own.
struct HostState {
  void (*step)(int which, void* const* arrays, const double* scalars, const long long* values) = nullptr;
  void (*give_threads)(int) = nullptr;  // of the library's own OpenMP; null: it has the process's
  StepPlan plan;
  std::vector<void*> arrays;  // as the launch at hand has them: the kernel's, then temporary ones
  std::vector<double> scalars;
  std::vector<std::vector<long long>> values;  // by step, set after set
  std::vector<std::unique_ptr<std::byte[]>> temporaries;
};

// How its reference is run, as words: "in float"; empty for whole numbers.
std::string precision_of(const Description& description);

}  // namespace sextant::own
