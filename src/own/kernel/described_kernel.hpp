// Converts the description of a user kernel to a registered kernel.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "own/description/description.hpp"
#include "own/kernel/step_plan.hpp"
#include "registry/registry.hpp"

namespace sextant::own {

// Creates the kernel and its variants. Their context and names are never freed. This neither compiles nor
// runs user code; that happens when a variant is compiled or prepared, or when the reference is called.
// Throws UserError if a source or the reference is missing.
RegisteredKernel described(const Description& description);

// Returns false if the variant's code is the same for all values of the tunable, which is then passed at
// launch. Returns true if the tunable is a macro or a compiler option, or if the variant has no description.
bool is_in_code(const std::string& kernel, const std::string& variant, const std::string& tunable);

// Returns the hash of the description and of all sources that its variants name: 16 hexadecimal digits.
std::string code_of(const Description& description);

// The prepared state of a C++ variant. CUDA variants have their own state in described_cuda.cpp.
struct HostState {
  void (*step)(int which, void* const* arrays, const double* scalars, const long long* values) = nullptr;
  // Sets the number of threads if the library has an OpenMP runtime of its own; null if it uses that of the
  // process.
  void (*give_threads)(int) = nullptr;
  StepPlan plan;
  // Addresses of the current launch's arrays: first the kernel's arrays, then the temporary ones.
  std::vector<void*> arrays;
  std::vector<double> scalars;
  // Argument values of each step; the argument sets of a step are stored one after the other.
  std::vector<std::vector<long long>> values;
  std::vector<std::unique_ptr<std::byte[]>> temporaries;
};

// Returns the precision in which the reference runs, as text: "in float" or "in double precision". Empty for
// integers.
std::string precision_of(const Description& description);

}  // namespace sextant::own
