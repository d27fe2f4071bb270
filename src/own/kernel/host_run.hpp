// Runs the compiled steps of a C++ variant on arrays of the host.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "own/description/description.hpp"
#include "own/kernel/step_plan.hpp"
#include "suite/variant.hpp"

namespace sextant::own {

// The prepared state of a C++ variant. CUDA variants have their own state in described_cuda.cpp.
struct HostState {
  using Step = void (*)(int which, void* const* arrays, const double* scalars, const long long* values);
  Step step = nullptr;
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

// The problem's type, to which scalars are rounded, and the type that T stands for. They differ if the
// reference computes a float problem in double precision.
struct RunTypes {
  ElementType of_scalars, of_t;
};

// Prepares the state of a variant. `values` are those of Description::names_for(variant). The caller sets the
// addresses of the kernel's arrays. Without temporaries, the caller also adds the addresses of these.
HostState state_without_temporaries(const Description& description, const DescribedVariant& variant,
                                    const std::vector<std::int64_t>& values, const RunTypes& types,
                                    HostState::Step step);
HostState host_state(const Description& description, const DescribedVariant& variant,
                     const std::vector<std::int64_t>& values, const RunTypes& types, HostState::Step step);

// Runs the steps on the arrays in `state`. `call` may be null.
void run_steps(HostState* state, const Call* call);

// Fills an array with the value that marks elements that were never written: NaN, or 0 for integers.
void set_nowhere(ElementType type, void* data, std::size_t count);

}  // namespace sextant::own
