#include "trace/activity.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace sextant {

double busy_time(const std::vector<ActivityRecord>& records) {
  std::vector<std::pair<double, double>> intervals;
  for (const ActivityRecord& record : records)
    if (record.end > record.start) intervals.emplace_back(record.start, record.end);
  std::sort(intervals.begin(), intervals.end());
  double busy = 0;
  double covered = -1e300;  // everything before this time is counted
  for (const auto& [start, end] : intervals) {
    if (end <= covered) continue;
    busy += end - std::max(start, covered);
    covered = end;
  }
  return busy;
}

std::string demangled(const std::string& symbol) {
  // GCC names the kernel of an OpenACC region after the function that contains it: _Z4axpyPd$_omp_fn$0.
  const std::size_t region = symbol.find("$_omp_fn$");
  int status = -1;
  char* plain = abi::__cxa_demangle(symbol.substr(0, region).c_str(), nullptr, nullptr, &status);
  std::string name = status == 0 && plain ? plain : symbol.substr(0, region);
  std::free(plain);
  if (region != std::string::npos)
    name += " [region " + symbol.substr(region + std::string_view("$_omp_fn$").size()) + "]";
  return name;
}

}  // namespace sextant
