// Variants whose device code lies in a library of their folder's: libsextant_<model>_<folder>.so. The driver compiles the
// device code of all libraries that are open when the device starts, so a process that measures opens those that it uses.
#pragma once

#include <string>

#include "suite/plugin.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The variant that the folder's library has for the entry, named as the entry says; opens the library, once a process.
// Throws UserError if it cannot be opened or lacks the variant.
Variant offloaded_variant(const std::string& folder, const VariantEntry& entry);

}  // namespace sextant
