// Fills the inputs of described kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// Fills an array with elements of type `type`. `values` correspond to size_names(). `folder` contains
// the files named by fills. Throws UserError if a file is missing or too short, or if low exceeds high.
void fill_array(const DescribedArray& array, const std::string& folder, ElementType type,
                const std::vector<std::int64_t>& values, std::uint64_t seed, void* data);

}  // namespace sextant::own
