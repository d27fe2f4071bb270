// How inputs of described kernels are filled.
#pragma once

#include <cstdint>
#include <string>

#include "own/description/description.hpp"

namespace sextant::own {

// Fills `count` elements of `type` from `seed`. Throws UserError: a file that is too short or not there.
void fill_array(const DescribedArray& array, const std::string& folder, ElementType type, std::int64_t count,
                std::uint64_t seed, void* data);

}  // namespace sextant::own
