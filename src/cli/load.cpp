#include "cli/load.hpp"

#include "plan/describe.hpp"
#include "store/results_file.hpp"

namespace sextant {

Results load_results(const std::string& path) {
  Results results = ResultsFile(path, ResultsFile::Mode::read).load();
  complete(&results);
  return results;
}

}  // namespace sextant
