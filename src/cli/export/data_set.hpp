// sextant export: the data set for predictions, a folder of tables made of results files.
#pragma once

#include <string>
#include <vector>

namespace sextant {

// Writes the tables into `folder`, which is made; what is left out goes to standard error. Throws UserError:
// a file cannot be read, no case with a form, the folder cannot be written.
void export_data_set(const std::vector<std::string>& files, const std::string& folder);

}  // namespace sextant
