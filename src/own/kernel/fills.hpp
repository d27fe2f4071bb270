// How inputs of described kernels are filled.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// Fills the array's elements, `type` each, from `seed`; `values`: of N, shape and sizes. Files lie in
// `folder`. Throws UserError: a file that is too short or not there, bounds that are the wrong way round.
void fill_array(const DescribedArray& array, const std::string& folder, ElementType type,
                const std::vector<std::int64_t>& values, std::uint64_t seed, void* data);

}  // namespace sextant::own
