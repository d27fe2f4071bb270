// What can be known of a kernel on a problem without running it: the features of a prediction that are the
// same on every machine.
#pragma once

#include <cstdint>
#include <span>

#include "suite/kernel.hpp"

namespace sextant::predict {

// Bytes and counts. No names: they are what a prediction has to do without.
struct Form {
  ElementType type = ElementType::float32;
  std::int64_t n = 0;
  Extents extents;
  Work work;
  Traits traits;                               // Traits::not_known where the kernel does not say
  std::int64_t arrays_in = 0, arrays_out = 0;  // an array that is read and written counts as both
  std::int64_t bytes_in = 0, bytes_out = 0;    // of these arrays: what copies to a device and back move
  std::int64_t working_set = 0;                // bytes of all arrays, each once
  bool cold = false;                           // no cache holds anything of them
};

// Whether a problem of a file, which may be damaged or made up, is one of the kernel's: with the extents that
// N has there, or, of a kernel that takes shapes or has named problems, of 1 to 2^40 points. Of others a
// kernel's counts may not fit in 64 bits.
bool is_problem_of(const Kernel& kernel, const Problem& problem);

// `problem` has to be complete, one of the kernel's, and one that the kernel does not refuse.
Form form_of(const Kernel& kernel, const Problem& problem);

// FLOP a byte that the problem itself asks to move; infinite where nothing moves, 0 where nothing is
// computed.
double intensity(const Form& form);

// Loads and stores over the elements of the working set; NaN where the traits do not say.
double reuse(const Form& form);

// One feature of a form. `value` is NaN where it is not known.
struct FormColumn {
  const char* name;
  const char* unit;  // "bytes", "elements", …; "" for counts and shares
  double (*value)(const Form&);
  const char* meaning;  // one line
};

// All of them, in the order of the data set's columns.
std::span<const FormColumn> form_columns();

}  // namespace sextant::predict
