// Names the fastest variant of problems for which several variants were tuned.
#pragma once

#include <string>
#include <vector>

#include "record/search.hpp"

namespace sextant {

// Returns one line for each kernel, type, problem and device with at least two tuned variants, in the order
// of the searches. Example: "matmul float 9437184: cuda.split_tensor products=6 (147 µs), 1.75x (1.73x to
// 1.77x) as fast as the next, cuda.roles". The line says "not told from" if the interval of a variant and
// that of the next one overlap. The text is empty if no problem has two variants.
std::string fastest_variants(const std::vector<Search>& searches);

}  // namespace sextant
