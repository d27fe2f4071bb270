// Variants whose device code lies in a library of their folder's: libsextant_<model>_<folder>.so. The driver
// compiles the device code of all libraries that are open when the device starts, so a process that measures
// opens those that it uses.
#pragma once

#include <string>
#include <vector>

#include "suite/plugin.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The variants that the folder's library has for the file; opens the library, once a process.
// Throws UserError if it cannot be opened or has no such file.
std::vector<Variant> offloaded_variants(const std::string& folder, const VariantFile& file);

}  // namespace sextant
