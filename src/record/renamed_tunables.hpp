// Maps old names of tunables to the current ones, so that old results files and command lines stay valid. The
// list is src/record/renamed_tunables.csv.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct RenamedTunable {
  std::vector<std::string> kernels;
  std::vector<std::string> variants;  // names of the variants; empty: all variants of these kernels
  std::string before, now;
};

// Returns the entries in the order of the CSV file.
const std::vector<RenamedTunable>& renamed_tunables();

// Returns the current name of a variant's tunable, or `name` itself if it was not renamed.
const std::string& current_tunable(const std::string& kernel, const std::string& variant,
                                   const std::string& name);

// Replaces old names by the current ones in a tuning of this variant.
void rename_tunables(const std::string& kernel, const std::string& variant, Tuning* tuning);

}  // namespace sextant
