// Folders of `sextant export --format data-set`, as they are or compressed by scripts/make-data-set.
#pragma once

#include <string>

#include "predict/data_set.hpp"

namespace sextant {

bool is_data_set_folder(const std::string& path);

// What it holds, by its own forms and profiles, whatever this build knows. Throws UserError: a table is
// missing or damaged, a checksum is not its file's.
predict::DataSet data_set_in(const std::string& folder);

}  // namespace sextant
