// Which variant is the fastest where several were searched for one problem.
#pragma once

#include <string>
#include <vector>

#include "record/search.hpp"

namespace sextant {

// A line for each kernel, type, problem and device of which two variants or more have a winner, in the
// searches' order: "matmul float 9437184: cuda.split_tensor products=6 (147 µs), 1.75x (1.73x to 1.77x) as
// fast as the next, cuda.roles". Whose intervals overlap is "not told from" the next. Empty: no problem has
// two.
std::string fastest_variants(const std::vector<Search>& searches);

}  // namespace sextant
