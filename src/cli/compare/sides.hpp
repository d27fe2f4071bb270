// Loads the results files that `sextant compare` is given.
#pragma once

#include <list>
#include <string>
#include <unordered_set>
#include <vector>

#include "analysis/compare/compare.hpp"
#include "plan/selection.hpp"
#include "record/results.hpp"

namespace sextant {

// Owns the loaded results files. The sides of a comparison point into them.
struct LoadedFiles {
  std::string data = "fresh";  // Call times to use: "fresh" or "seen".
  std::list<Results> results;
  std::vector<std::string> paths;  // Path of each file, in the order of `results`.

  // Throws UserError if the file cannot be read or is already loaded.
  const Results& load(const std::string& path);
};

// Loads the sides of a comparison. Each name is a file or a comma-separated list of files, and gives one
// side. Throws UserError.
std::vector<Side> load_sides(const std::vector<std::string>& names, LoadedFiles* files);

// Returns the measurements of all sides that match the selection.
std::unordered_set<const Measurement*> selected(const std::vector<Side>& sides, const Selection& selection);

}  // namespace sextant
