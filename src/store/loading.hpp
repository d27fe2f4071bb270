// Reads a results file into memory.
#pragma once

#include "store/database.hpp"
#include "store/results_file.hpp"

namespace sextant::store {

// Reads everything in the file. Throws UserError if data do not match their checksum.
Results load(const Database& database);

}  // namespace sextant::store
