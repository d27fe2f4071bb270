// The form of a kernel on a problem: properties that are known without running it. They are the
// machine-independent features of a prediction.
#pragma once

#include <cstdint>
#include <span>

#include "suite/kernel.hpp"

namespace sextant::predict {

// Sizes are in bytes. The form has no names, because models must predict kernels that they have never seen.
struct Form {
  ElementType type = ElementType::float32;
  std::int64_t n = 0;
  Extents extents;
  Work work;
  Traits traits;  // properties of the code per item; Traits::not_known if the kernel does not state them
  // Number of arrays; an array that is read and written counts in both.
  std::int64_t arrays_in = 0, arrays_out = 0;
  std::int64_t bytes_in = 0, bytes_out = 0;  // bytes of these arrays, which are copied to a device and back
  std::int64_t working_set = 0;              // bytes of all arrays, each counted once
  bool cold = false;                         // true if the caches hold none of the data
};

// True if a problem from a possibly damaged file is valid for the kernel: it has 1 to 2^40 points and, if N
// alone determines the kernel's extents, these extents. Other problems may overflow 64-bit counts.
bool is_problem_of(const Kernel& kernel, const Problem& problem);

// Computes the form. `problem` must be complete and valid for the kernel.
Form form_of(const Kernel& kernel, const Problem& problem);

// True if the kernel states traits, at least some. User kernels may state none.
bool has_traits(const Form& form);
// True if the kernel counts floating-point or integer operations.
bool counts_operations(const Form& form);

// FLOP per byte that the problem must read or write; infinite without such bytes, 0 without FLOP.
double intensity(const Form& form);

// Number of loads and stores of all items, divided by the number of elements in the working set. NaN if the
// traits are unknown.
double reuse(const Form& form);

// One numeric feature of a form. `value` returns NaN if the feature is unknown.
struct FormColumn {
  const char* name;
  const char* unit;  // "bytes", "elements", …; "" for counts and fractions
  double (*value)(const Form&);
  const char* meaning;  // description of the feature in one line
};

// All features, in the order of the data set's columns.
std::span<const FormColumn> form_columns();

}  // namespace sextant::predict
