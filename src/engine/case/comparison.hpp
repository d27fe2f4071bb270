// Compares an output array with the reference, element by element.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant {

// Bytes that one thread processes in less time than a parallel region takes to start and end.
inline constexpr std::size_t for_one_thread = std::size_t{1} << 20;

// The error of one element, |got - reference|, and the error that its tolerance allows. A NaN has an infinite
// error.
struct Deviation {
  double error = 0, allowed = 0;
  std::int64_t outliers = 0;  // failing elements of the output, if the kernel allows some
};
// The deviation with the larger share of its tolerance. If both shares are equal, the one with the larger
// tolerance. Takes the larger number of outliers.
Deviation worse_of(const Deviation& one, const Deviation& other);

// The tolerance of element `at` of an output. It is zero for an array with a separate integer type, because a
// kernel's tolerance is meant for the problem's type.
Tolerance tolerance_of(const Kernel& kernel, const Problem& problem, int index, std::int64_t at);

struct Comparison {
  Deviation worst;    // element with the largest share of its tolerance
  std::string wrong;  // first failing element, and its error; empty if all pass
};

// The reference value of an element of this type as a number. The argument holds the bits of a 64-bit
// integer.
double value_of(ElementType type, double reference);

// Compares output array `index`. `got`: its elements, in its type. `want`: the reference values, as
// Kernel::reference returns them. An infinite reference demands the same infinity. A NaN demands a NaN that
// is not the poison.
Comparison compare_output(const Kernel& kernel, const Problem& problem, int index, const void* got,
                          const std::vector<double>& want);

// Changes every element to another value of similar size, so that the array no longer holds the right answer.
void alter(ElementType type, void* elements, std::int64_t count);

}  // namespace sextant
