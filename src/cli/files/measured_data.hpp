// Results files as the data set of predictions, with this build's forms.
#pragma once

#include <string>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant {

// The kernel of a measured case, if this build has it and the problem is one of its own; else null.
const Kernel* kernel_of_problem(const Case& what);

// Of results files and of tables that `sextant export` wrote of such (FILE.csv, or HOST=FILE.csv where it
// does not say by which name the results files have its host), or of one folder of `export --format
// data-set`, whose tables may be compressed. What is left out goes to standard error. Throws UserError: a
// file cannot be read, a checksum of a folder is wrong, no case of a kernel that is known.
predict::DataSet data_set_of(const std::vector<std::string>& files);

// The same of what was read; silent, and empty where there is nothing.
predict::DataSet data_set_of(std::vector<Results> files);

}  // namespace sextant
