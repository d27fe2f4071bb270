// Reads a results file back into memory.
#pragma once

#include "store/database.hpp"
#include "store/results_file.hpp"

namespace sextant::store {

// Throws UserError where what is read does not fit its checksum.
Results load(const Database& database);

}  // namespace sextant::store
