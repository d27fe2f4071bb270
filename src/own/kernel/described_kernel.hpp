// Converts a description to a registered kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "own/description/description.hpp"
#include "own/kernel/step_plan.hpp"
#include "registry/registry.hpp"

namespace sextant::own {

// Creates the kernel and its variants; their context and names are never freed. No user code is
// compiled or run yet. That happens when a variant is compiled or prepared, or when the reference is called.
// Throws UserError if a source or the reference is missing.
RegisteredKernel described(const Description& description);

// Returns the hash of the description and of all sources that its variants name: 16 hexadecimal digits.
std::string code_of(const Description& description);

// The prepared state of a C++ variant. CUDA variants have their own state in described_cuda.cpp.
struct HostState {
  void (*step)(int which, void* const* arrays, const double* scalars, const long long* values) = nullptr;
  // Sets the number of threads in the library's own OpenMP runtime; null if it shares that of the process.
  void (*give_threads)(int) = nullptr;
  StepPlan plan;
  std::vector<void*> arrays;  // arrays of the current launch: the kernel's, then temporaries
  std::vector<double> scalars;
  std::vector<std::vector<long long>> values;  // by step; the sets of a step are consecutive
  std::vector<std::unique_ptr<std::byte[]>> temporaries;
};

// Returns the precision of the reference for output: "in float" or "in double precision". Empty for integers.
std::string precision_of(const Description& description);

}  // namespace sextant::own
