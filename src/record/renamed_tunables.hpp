// Tunables that had another name once. Files and options with an old name are read as if they had today's;
// python/renamed_tunables.csv is the one list.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct RenamedTunable {
  std::vector<std::string> kernels;
  std::vector<std::string> variants;  // empty: all of these kernels
  std::string before, now;
};

// In the list's order.
const std::vector<RenamedTunable>& renamed_tunables();

// Today's name of a variant's tunable; `name` itself where it is no old one.
const std::string& current_tunable(const std::string& kernel, const std::string& variant,
                                   const std::string& name);

// Gives the tunables of this variant today's names.
void rename_tunables(const std::string& kernel, const std::string& variant, Tuning* tuning);

}  // namespace sextant
