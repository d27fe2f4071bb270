// Compares an output array with the reference, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "record/input_fill.hpp"
#include "suite/kernel.hpp"

namespace sextant {

// Arrays up to this many bytes are processed by one thread, because starting a parallel region takes longer.
inline constexpr std::size_t for_one_thread = std::size_t{1} << 20;

// The error of one element, |got - reference|, and the error that its tolerance allows. A NaN has an infinite
// error.
struct Deviation {
  double error = 0, allowed = 0;
  std::int64_t outliers = 0;  // number of failing elements of the output, if the kernel allows some
};
// Returns the deviation that is larger relative to its tolerance. If both are equal, it returns the one with
// the larger tolerance. The result has the larger number of outliers.
Deviation worse_of(const Deviation& one, const Deviation& other);

// Returns the tolerance of element `at` of an output. It is zero for an array with its own integer type,
// because a kernel's tolerance applies to the problem's type.
Tolerance tolerance_of(const Kernel& kernel, const Problem& problem, int index, std::int64_t at);

struct Comparison {
  Deviation worst;    // the element whose error is largest relative to its tolerance
  std::string wrong;  // describes the first failing element and its error; empty if all pass
};

// Converts the reference value of an element of this type to a number. For 64-bit integers, `reference`
// contains the integer's bits.
double value_of(ElementType type, double reference);

// Compares output array `index`. `got` contains its elements in their own type. `want` contains the reference
// values as Kernel::reference returns them. An infinite reference requires the same infinity. A NaN requires
// a NaN that is not the poison. `fill` is the kind of the current inputs: numbers of larger variance than
// uniform ones allow larger absolute errors.
Comparison compare_output(const Kernel& kernel, const Problem& problem, InputFill fill, int index,
                          const void* got, const std::vector<double>& want);

// Changes every element to another value of similar size, so that the array no longer contains the right
// result.
void alter(ElementType type, void* elements, std::int64_t count);

}  // namespace sextant
