// Reads data set folders of `sextant export --format data-set`, plain or compressed.
#pragma once

#include <string>

#include "predict/data_set.hpp"

namespace sextant {

bool is_data_set_folder(const std::string& path);

// Reads the folder. Kernel and machine properties come from the folder's tables, not from this build's
// kernels. Throws UserError if a table is missing or damaged, or if a checksum does not match.
predict::DataSet data_set_in(const std::string& folder);

}  // namespace sextant
