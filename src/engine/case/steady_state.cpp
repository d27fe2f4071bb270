#include "engine/case/steady_state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "engine/case/energy_meter.hpp"

namespace sextant {
namespace {

using Readings = std::vector<StateReader::Reading>;

// Returns the mean clock of the readings between two times; empty if they have none.
std::optional<double> mean_clock(const Readings& readings, double begin, double end) {
  double sum = 0;
  int count = 0;
  for (const StateReader::Reading& one : readings)
    if (one.time >= begin && one.time < end && one.state.clock) sum += *one.state.clock, ++count;
  return count > 0 ? std::optional<double>(sum / count) : std::nullopt;
}

// Returns the highest minus the lowest temperature since a time; empty if there is none.
std::optional<double> range_of_temperature(const Readings& readings, double begin) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const StateReader::Reading& one : readings)
    if (one.time >= begin && one.state.temperature) {
      low = std::min(low, *one.state.temperature);
      high = std::max(high, *one.state.temperature);
    }
  return low <= high ? std::optional<double>(high - low) : std::nullopt;
}

bool has_state(const Readings& readings) {
  return std::any_of(readings.begin(), readings.end(), [](const StateReader::Reading& one) {
    return one.state.clock || one.state.temperature;
  });
}

std::string still_changing(double seconds) {
  char text[96];
  std::snprintf(text, sizeof text, "its clock or temperature still changed after %.3g s of calls", seconds);
  return text;
}

}  // namespace

bool is_steady(const Readings& readings, const SteadyPlan& plan) {
  if (readings.empty()) return false;
  const double end = readings.back().time, begin = end - plan.window, middle = end - plan.window / 2;
  if (readings.front().time > begin) return false;
  const std::optional<double> degrees = range_of_temperature(readings, begin);
  const std::optional<double> first = mean_clock(readings, begin, middle),
                              second = mean_clock(readings, middle, std::nextafter(end, 2 * end));
  const bool clock_is_known = first && second;
  if (!degrees && !clock_is_known) return false;
  return (!degrees || *degrees <= plan.most_degrees) &&
         (!clock_is_known || std::abs(*second - *first) <= plan.most_of_clock * *first);
}

SteadyEnd call_until_steady(const std::function<void(int calls)>& run, double expected,
                            const StateReader::Read& read, Clock& clock, const SteadyPlan& plan) {
  constexpr std::size_t readings_without_state = 4;  // after them, no further ones are awaited
  const int calls = calls_in_a_row(expected);
  const double begin = clock.now();
  Readings readings;
  for (;;) {
    run(calls);
    const double now = clock.now();
    if (readings.empty() || now >= readings.back().time + plan.interval) {
      readings.push_back({now, read()});
      if (is_steady(readings, plan)) return {now - begin, ""};
    }
    if (readings.size() >= readings_without_state && !has_state(readings))
      return {now - begin, "the driver reports neither its clock nor its temperature"};
    if (now >= begin + plan.longest) return {now - begin, still_changing(now - begin)};
  }
}

}  // namespace sextant
