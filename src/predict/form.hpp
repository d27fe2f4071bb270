// The form of a kernel on a problem: properties that are known without running it. They are the
// machine-independent features of a prediction.
#pragma once

#include <cstdint>
#include <span>

#include "suite/kernel.hpp"

namespace sextant::predict {

// Sizes in bytes, and counts. There are no names, because a model has to predict kernels it has never seen.
struct Form {
  ElementType type = ElementType::float32;
  std::int64_t n = 0;
  Extents extents;
  Work work;
  Traits traits;                               // Traits::not_known where the kernel does not say
  std::int64_t arrays_in = 0, arrays_out = 0;  // an array that is read and written counts in both
  std::int64_t bytes_in = 0, bytes_out = 0;  // bytes of these arrays, which copies to a device and back move
  std::int64_t working_set = 0;              // bytes of all arrays, each counted once
  bool cold = false;                         // caches hold none of the data
};

// Validates a problem from a file, which may be damaged or invented. It must have 1 to 2^40 points and, if N
// alone determines the kernel's extents, those extents. Otherwise the kernel's counts may not fit in 64 bits.
bool is_problem_of(const Kernel& kernel, const Problem& problem);

// `problem` must be complete, valid for the kernel, and not excluded by its constraint.
Form form_of(const Kernel& kernel, const Problem& problem);

// FLOP per byte that the problem itself moves; infinite if it moves nothing, 0 if it computes nothing.
double intensity(const Form& form);

// Loads and stores of all items per element of the working set; NaN if the traits are unknown.
double reuse(const Form& form);

// One feature of a form. `value` returns NaN if it is unknown.
struct FormColumn {
  const char* name;
  const char* unit;  // "bytes", "elements", …; "" for counts and fractions
  double (*value)(const Form&);
  const char* meaning;  // description in one line
};

// All features, in the order of the data set's columns.
std::span<const FormColumn> form_columns();

}  // namespace sextant::predict
