// The results files that `sextant compare` is given.
#pragma once

#include <list>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "plan/selection.hpp"
#include "record/results.hpp"

namespace sextant {

// The loaded files, which the sides point into.
struct LoadedFiles {
  std::string data = "fresh";  // which times: "fresh" or "seen"
  std::list<Results> results;
  std::vector<std::string> paths;  // in the same order

  // Throws UserError if it cannot be read, or was loaded before.
  const Results& load(const std::string& path);
};

// A side of each name: a file, or several with commas between them. Throws UserError.
std::vector<Side> load_sides(const std::vector<std::string>& names, LoadedFiles* files);

// The measurements of any side that the selection names.
std::unordered_set<const Measurement*> selected(const std::vector<Side>& sides, const Selection& selection);

}  // namespace sextant
