#include "cli/compare/sides.hpp"

#include <algorithm>
#include <filesystem>

#include "analysis/summary/filter.hpp"
#include "base/error.hpp"
#include "cli/files/load.hpp"

namespace sextant {
namespace {

// Returns the files of a side. If a file named `side` exists, this is the only one. Otherwise `side` is a
// comma-separated list of names.
std::vector<std::string> files_of(const std::string& side) {
  std::error_code error;
  if (std::filesystem::exists(side, error) || side.find(',') == std::string::npos) return {side};
  std::vector<std::string> files;
  for (std::size_t begin = 0; begin <= side.size();) {
    const std::size_t end = std::min(side.find(',', begin), side.size());
    if (end == begin)
      throw UserError("`" + side +
                      "` contains an empty file name. Write exactly one comma between two file names.");
    files.push_back(side.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

}  // namespace

const Results& LoadedFiles::load(const std::string& path) {
  results.push_back(load_results(path, data));
  std::error_code error;
  for (const std::string& other : paths)
    if (std::filesystem::equivalent(path, other, error))
      throw UserError(path + (path == other ? "" : " and " + other) +
                      ": both names are the same file. Name the files of two runs. `sextant run -o OTHER` "
                      "makes another run.");
  paths.push_back(path);
  return results.back();
}

std::vector<Side> load_sides(const std::vector<std::string>& names, LoadedFiles* files) {
  std::vector<Side> sides;
  for (const std::string& name : names) {
    Side side{name, {}};
    for (const std::string& path : files_of(name)) {
      const std::vector<Summary> summaries = summarise(files->load(path));
      side.summaries.insert(side.summaries.end(), summaries.begin(), summaries.end());
    }
    if (side.summaries.empty())
      throw UserError(name + " holds no measurements yet. `sextant run -o " + name +
                      "` measures some cases.");
    sides.push_back(std::move(side));
  }
  return sides;
}

std::unordered_set<const Measurement*> selected(const std::vector<Side>& sides, const Selection& selection) {
  std::vector<Summary> all;
  for (const Side& side : sides) all.insert(all.end(), side.summaries.begin(), side.summaries.end());
  std::unordered_set<const Measurement*> chosen;
  for (const Summary& s : filter(all, selection)) chosen.insert(s.measurement);
  return chosen;
}

}  // namespace sextant
