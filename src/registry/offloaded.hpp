// Loads offloaded variants from the shared library of their kernel folder: libsextant_<model>_<folder>.so.
// When a device starts, the driver compiles the device code of every open library. A measuring process
// therefore opens only the libraries that it uses.
#pragma once

#include <string>
#include <vector>

#include "suite/plugin.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Opens the kernel folder's library once per process and returns the variants that the file defines. Throws
// UserError if the library cannot be opened or does not contain the file.
std::vector<Variant> offloaded_variants(const std::string& folder, const VariantFile& file);

}  // namespace sextant
