#include "cli/files/load.hpp"

#include <cstdio>

#include "plan/describe.hpp"
#include "store/results_file.hpp"

namespace sextant {

Results load_results(const std::string& path) {
  Results results = read_results(path);
  complete(&results);
  return results;
}

Results read_results(const std::string& path) {
  const ResultsFile file(path, ResultsFile::Mode::read);
  if (file.in_use()) std::fprintf(stderr, "note: %s\n", file.note().c_str());
  return file.load();
}

}  // namespace sextant
