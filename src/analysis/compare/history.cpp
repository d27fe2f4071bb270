#include "analysis/compare/history.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace sextant {
namespace {

constexpr std::size_t least_runs_of_a_level = 2;
// Limits the cost of an outlier: its squared deviation, in units of the noise, counts at most three squared.
constexpr double most_loss = 9;

double median_of(std::span<const double> values) { return median_interval(values).median; }

// Estimates the standard deviation of one run from the median difference of successive runs. A few permanent
// changes do not affect that median. With few runs the median may be small by chance, so the factor `few`
// enlarges it. The result is at least 0.1 %.
double noise_of(std::span<const double> log_times) {
  std::vector<double> differences;
  for (std::size_t i = 1; i < log_times.size(); ++i)
    differences.push_back(std::abs(log_times[i] - log_times[i - 1]));
  const double few = 1 + 4 / (static_cast<double>(log_times.size()) - 2);
  return std::max(0.001, few * median_of(differences) / (0.6745 * std::sqrt(2)));
}

double cost_of_level(std::span<const double> log_times, double noise) {
  const double level = median_of(log_times);
  double cost = 0;
  for (const double x : log_times) cost += std::min(std::pow((x - level) / noise, 2), most_loss);
  return cost;
}

// Splits the series into levels (successive runs of nearly equal time) so that their total cost is smallest.
// Returns the index after the last run of each level.
std::vector<std::size_t> ends_of_levels(std::span<const double> log_times) {
  const std::size_t n = log_times.size();
  const double noise = noise_of(log_times), penalty = 4 * std::log(static_cast<double>(n));
  // least[i] is the least cost of a split of the first i runs.
  std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
  std::vector<std::size_t> begin(n + 1, 0);  // index at which the last level of the first i runs begins
  least[0] = 0;
  for (std::size_t end = least_runs_of_a_level; end <= n; ++end)
    for (std::size_t from = 0; from + least_runs_of_a_level <= end; ++from) {
      const double cost = least[from] + cost_of_level(log_times.subspan(from, end - from), noise) + penalty;
      if (cost < least[end]) least[end] = cost, begin[end] = from;
    }
  std::vector<std::size_t> ends;
  for (std::size_t end = n; end > 0; end = begin[end]) ends.push_back(end);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

struct Change {
  std::size_t at = 0;
  double log_ratio = 0;
};

std::vector<Change> changes_of(std::span<const double> log_times, double threshold) {
  std::vector<Change> changes;
  if (log_times.size() < least_runs_for_changes) return changes;
  const std::vector<std::size_t> ends = ends_of_levels(log_times);
  for (std::size_t i = 0, begin = 0; i + 1 < ends.size(); begin = ends[i++]) {
    const double before = median_of(log_times.subspan(begin, ends[i] - begin)),
                 after = median_of(log_times.subspan(ends[i], ends[i + 1] - ends[i]));
    if (std::abs(after - before) > std::log1p(threshold)) changes.push_back({ends[i], after - before});
  }
  return changes;
}

CaseHistory history_of_case(const std::vector<const Summary*>& runs,
                            const std::vector<const Session*>& sessions, double threshold,
                            ComparedTime asked) {
  CaseHistory history;
  history.newest = runs.back();
  history.time = time_for(runs, asked);
  std::vector<double> log_times;
  for (const Summary* s : runs) {
    const std::optional<double> seconds = time_of_run(*s, history.time);
    if (!seconds) continue;
    const auto found = std::find(sessions.begin(), sessions.end(), s->session);
    history.points.push_back({static_cast<std::size_t>(found - sessions.begin()), *seconds});
    log_times.push_back(std::log(*seconds));
  }
  for (const Change& change : changes_of(log_times, threshold))
    history.changes.push_back({history.points[change.at].run, std::exp(change.log_ratio)});
  history.broken = runs.back()->measurement->status != Status::ok && !history.points.empty();
  return history;
}

}  // namespace

std::vector<std::size_t> change_points(const std::vector<double>& log_times, double threshold) {
  std::vector<std::size_t> points;
  for (const Change& change : changes_of(log_times, threshold)) points.push_back(change.at);
  return points;
}

History history_of(const std::vector<Side>& sides, double threshold, ComparedTime time) {
  History history;
  for (const Side& side : sides)
    for (const Summary& s : side.summaries)
      if (s.session && std::find(history.runs.begin(), history.runs.end(), s.session) == history.runs.end())
        history.runs.push_back(s.session);
  std::stable_sort(history.runs.begin(), history.runs.end(),
                   [](const Session* a, const Session* b) { return a->started < b->started; });
  for (const std::vector<const Summary*>& runs : runs_of_cases(sides))
    history.cases.push_back(history_of_case(runs, history.runs, threshold, time));
  return history;
}

}  // namespace sextant
