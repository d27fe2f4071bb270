// sextant export: writes the data set for predictions, a folder of tables made from results files.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Creates `folder` and writes the tables into it. Left-out cases are reported on standard error. Throws
// UserError if a file cannot be read, no case can be used, or the folder cannot be written.
void export_data_set(const std::vector<std::string>& files, const std::string& folder);

}  // namespace sextant
