// Compares an output array with the reference.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "suite/kernel.hpp"

namespace sextant {

// Bytes that one thread processes in less time than a team of threads takes to start and to end.
inline constexpr std::size_t for_one_thread = std::size_t{1} << 20;

// Of one element: |got - reference|, infinity for NaN, and what its tolerance allows.
struct Deviation {
  double error = 0, allowed = 0;
  std::int64_t outliers = 0;  // elements of the output that do not pass, as far as such are allowed
};
// That with the larger share of what is allowed; of two without any error that which allows more. The more
// outliers of both.
Deviation worse_of(const Deviation& one, const Deviation& other);

// The tolerance of element `at` of an output. It is zero for an array that has a whole-number type of its
// own, because a kernel's tolerance is meant for the problem's type.
Tolerance tolerance_of(const Kernel& kernel, const Problem& problem, int index, std::int64_t at);

struct Comparison {
  Deviation worst;    // of the element with the largest share of what is allowed
  std::string wrong;  // the first element that does not pass, and by how much it is off; empty: all pass
};

// What the reference says of an element of this type, as a number.
double value_of(ElementType type, double reference);

// `got`: the elements of output array `index`, in its type. `want`: the reference's, as Kernel::reference
// gives them. Infinity asks for the same infinity, NaN for one that is not the poison.
Comparison compare_output(const Kernel& kernel, const Problem& problem, int index, const void* got,
                          const std::vector<double>& want);

// Changes every element to another value of similar size, so that the array no longer holds the right answer.
void alter(ElementType type, void* elements, std::int64_t count);

}  // namespace sextant
