#include "tuner/recorded_objective.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <utility>

namespace sextant::tuner {
namespace {

std::string in_lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return text;
}

// Finds the unit at the end of an objective's name: "time_us", "Time (s)", "duration [ns]".
std::string unit_at_end(const std::string& name) {
  static const std::regex unit(R"([ _(\[](s|ms|us|ns|[a-z]*sec[a-z]*)[)\]]?$)", std::regex::icase);
  std::smatch found;
  return std::regex_search(name, found, unit) ? found[1].str() : "";
}

bool names_time(const std::string& name) {
  static const std::regex time("time|duration|latency|elapsed", std::regex::icase);
  return std::regex_search(name, time);
}

bool names_rate(const std::string& text) {
  static const std::regex rate(
      R"(/ *(s|sec|second|w|watt|j|joule)\b|(\b|_)per[ _](s|sec|second|watt|joule)\b|flop|throughput|bandwidth|)"
      R"(speed.?up|fitness|\b(fps|ips|qps|iops|[a-z]?gups|[a-z]?lups|[a-z]?teps)\b)",
      std::regex::icase);
  return std::regex_search(text, rate);
}

}  // namespace

std::optional<double> seconds_in(const std::string& unit) {
  static constexpr std::array<std::pair<const char*, double>, 22> units = {
      {{"s", 1},
       {"sec", 1},
       {"secs", 1},
       {"second", 1},
       {"seconds", 1},
       {"ms", 1e-3},
       {"msec", 1e-3},
       {"msecs", 1e-3},
       {"millisecond", 1e-3},
       {"milliseconds", 1e-3},
       {"miliseconds", 1e-3},  // published T4 files spell it in this way
       {"us", 1e-6},
       {"usec", 1e-6},
       {"usecs", 1e-6},
       {"\u00b5s", 1e-6},
       {"\u03bcs", 1e-6},
       {"microsecond", 1e-6},
       {"microseconds", 1e-6},
       {"ns", 1e-9},
       {"nsec", 1e-9},
       {"nanosecond", 1e-9},
       {"nanoseconds", 1e-9}}};
  const std::string wanted = in_lower_case(unit);
  for (const auto& [name, seconds] : units)
    if (wanted == name) return seconds;
  return std::nullopt;
}

RecordedObjective objective_of(const std::string& name, const std::string& unit, double default_seconds) {
  const std::string said = unit.empty() ? unit_at_end(name) : unit;
  if (const auto seconds = seconds_in(said)) return {name, "s", *seconds, true, false};
  if (said.empty() && names_time(name)) return {name, "s", default_seconds, true, false};
  return {name, unit, 1, false, names_rate(name) || names_rate(unit)};
}

}  // namespace sextant::tuner
