// Adds the numbers that functions return to their results.
#pragma once

#include <string>
#include <vector>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

bool returns_a_number(const Signature& one);

// Adds the returned value to the function's parameters, as an array of one element.
void add_result(const std::string& name, Signature* function);

// Returns the name of the array that takes the value which the function returns. Empty if the value is no
// result: functions that return values are often helpers. They count if a kernel computes the same single
// value. If no function writes an array, the last one and those with its parameters count.
std::string result_name(const Signature& one, const std::vector<Signature>& all);

// Adds what host functions return, besides the arrays they write, as a result. Kernels and functions with
// other results cannot give it. Then a line says that nothing checks it.
void add_returned(std::vector<Signature>* functions, DraftParts* parts);

}  // namespace sextant::own
