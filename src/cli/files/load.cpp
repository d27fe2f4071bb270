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

Results load_results(const std::string& path, const std::string& data) {
  Results results = load_results(path);
  if (data != "seen") return results;
  std::size_t changed = 0;
  for (StoredMeasurement& one : results.measurements)
    if (const std::vector<double>& seen = one.measurement.seen_times; !seen.empty())
      one.measurement.call_times = seen, ++changed;
  std::fprintf(stderr, "note: %s has times on seen inputs for %zu of %zu cases\n", path.c_str(), changed,
               results.measurements.size());
  return results;
}

Results read_results(const std::string& path) {
  const ResultsFile file(path, ResultsFile::Mode::read);
  if (file.in_use()) std::fprintf(stderr, "note: %s\n", file.note().c_str());
  return file.load();
}

}  // namespace sextant
