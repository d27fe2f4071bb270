// Converts the data set to results from which the tuner can learn.
#include <algorithm>

#include "predict/data_set.hpp"

namespace sextant::predict {
namespace {

Case by_name(Case what) {
  std::sort(what.tuning.begin(), what.tuning.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return what;
}

std::vector<double> median_of(const Interval& times) {
  return times.samples ? std::vector<double>{times.median} : std::vector<double>();
}

void add_row(const DataRow& row, Results* results) {
  Measurement m;
  m.what = by_name(row.what);
  m.status = row.status;
  m.call_times = median_of(row.call);
  m.device_times = median_of(row.device);
  m.timestamp = row.timestamp;
  results->measurements.push_back({std::move(m), static_cast<std::int64_t>(row.machine) + 1});
}

void add_point(const SearchedPoint& point, Results* results) {
  Search search;
  search.session = static_cast<std::int64_t>(point.machine) + 1;
  search.space = by_name(point.what);
  search.goal = point.goal;
  SearchStep step;
  step.tuning = std::move(search.space.tuning);
  search.space.tuning.clear();
  step.effort = point.effort, step.status = point.status;
  step.time = point.time, step.low = point.low, step.high = point.high, step.samples = point.samples;
  search.steps.push_back(std::move(step));
  results->searches.push_back(std::move(search));
}

}  // namespace

Results results_of(const DataSet& data) {
  Results results;
  // An additional session without a name. Tuning spaces are named by their machine only if the results have
  // more than one session.
  results.sessions.emplace_back();
  for (std::size_t i = 0; i < data.machines.size(); ++i) {
    Session session;
    session.id = static_cast<std::int64_t>(i) + 1;
    session.environment["machine"] = data.machines[i].name;
    results.sessions.push_back(std::move(session));
  }
  for (const DataRow& row : data.rows)
    if (row.what.cache == CacheMode::warm && !row.what.tuning.empty()) add_row(row, &results);
  for (const SearchedPoint& point : data.searched)
    if (point.goal == "device") add_point(point, &results);
  return results;
}

}  // namespace sextant::predict
