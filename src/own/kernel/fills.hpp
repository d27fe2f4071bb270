// Fills the input arrays of user kernels.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// Fills an array with elements of type `type`. `values` are the values of the names in size_names(). `folder`
// is the folder of files that fills name. Throws UserError if a file is missing or too short, or if low
// exceeds high.
void fill_array(const DescribedArray& array, const std::string& folder, ElementType type,
                const std::vector<std::int64_t>& values, std::uint64_t seed, void* data);

}  // namespace sextant::own
