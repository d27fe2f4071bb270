// Reads folders written by `sextant export --format data-set`, plain or compressed by scripts/make-data-set.
#pragma once

#include <string>

#include "predict/data_set.hpp"

namespace sextant {

bool is_data_set_folder(const std::string& path);

// Reads the folder. Kernel properties and machine properties come from its own tables, whatever kernels this
// build has. Throws UserError if a table is missing or damaged, or if a checksum does not match.
predict::DataSet data_set_in(const std::string& folder);

}  // namespace sextant
