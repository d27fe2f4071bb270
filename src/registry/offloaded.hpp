// Loads variants for OpenACC and OpenMP target from one library per kernel: libsextant_<model>_<folder>.so.
// When a GPU is initialized, the driver compiles the device code of all open libraries. So a measuring
// process opens only those that it uses.
#pragma once

#include <string>
#include <vector>

#include "suite/plugin.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Opens the library of the kernel folder once per process, and returns the variants of the source file.
// Throws UserError if the library cannot be opened or lacks the file.
std::vector<Variant> offloaded_variants(const std::string& folder, const VariantFile& file);

}  // namespace sextant
