// Converts results files to the data set for predictions. The features of kernels come from this build.
#pragma once

#include <string>
#include <vector>

#include "predict/data_set.hpp"

namespace sextant {

// Returns the kernel of a measured case. Returns null if this build does not have the kernel, or if the
// kernel does not support the problem.
const Kernel* kernel_of_problem(const Case& what);

// Returns the form of a problem. Without traits in its description, a loaded kernel has as many integer
// operations as its serial code has instructions.
predict::Form form_with_counts(const Kernel& kernel, const Problem& problem);

// Reads the data set from results files and from tables of `sextant export`. A table is given as FILE.csv, or
// as HOST=FILE.csv if its results files do not name the host. A folder of `export --format
// data-set`, whose tables may be compressed, is added to them. Left-out cases are reported on standard error.
// Throws UserError if a file cannot be read, a checksum is wrong, or no case belongs to a known kernel.
predict::DataSet data_set_of(const std::vector<std::string>& files);

// Converts files that are already loaded. It prints nothing, and returns an empty set if there are no cases.
predict::DataSet data_set_of(std::vector<Results> files);

}  // namespace sextant
