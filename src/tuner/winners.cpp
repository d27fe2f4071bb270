#include "tuner/winners.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "record/keys.hpp"
#include "suite/thread_count.hpp"
#include "tuner/goal.hpp"

namespace sextant::tuner {
namespace {

double winning_time(const Search& search) {
  if (!search.finalists.empty()) return search.finalists.front().time;
  return best_of(search)->time;
}

// Number of the variant's own tunables in this tuning, without the number of OpenMP threads.
std::ptrdiff_t own_values(const Tuning& tuning) {
  return std::count_if(tuning.begin(), tuning.end(),
                       [](const auto& one) { return one.first != thread_count; });
}

}  // namespace

std::vector<Winner> winners_of(const Results& results) {
  std::vector<Winner> winners;
  std::map<std::string, std::size_t> index;
  std::map<std::string, bool> searched;
  const auto place = [&](const Case& space) -> Winner& {
    const auto [found, fresh] = index.try_emplace(space_key_of(space), winners.size());
    if (fresh) winners.push_back({});
    return winners[found->second];
  };
  for (const Search& search : results.searches) {
    if (!best_of(search)) continue;
    Case what = search.space;
    what.tuning = winner_of(search);
    const char* measured = minimizes_time(search) ? "time" : search.goal == "edp" ? "energy_delay" : "energy";
    place(search.space) = {what, search.session, winning_time(search), measured, search.gain};
    searched[space_key_of(search.space)] = true;
  }
  for (const StoredMeasurement& stored : results.measurements) {
    const Measurement& one = stored.measurement;
    if (one.status != Status::ok || one.what.tuning.empty() || one.what.fill != InputFill::uniform ||
        searched[space_key_of(one.what)])
      continue;
    const double time = goal_time(one, Goal::device).median;
    Winner& winner = place(one.what);
    if (winner.time == 0 || time < winner.time) winner = {one.what, stored.session, time, "time", {}};
  }
  return winners;
}

const Winner* winner_for(const std::vector<Winner>& winners, const Case& what) {
  const Winner* nearest = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const Winner& one : winners) {
    if (space_key_of(one.what) == space_key_of(what)) return &one;
    if (one.what.kernel != what.kernel || one.what.variant != what.variant ||
        one.what.problem.type != what.problem.type || one.what.device != what.device ||
        own_values(one.what.tuning) != own_values(what.tuning) || one.what.problem.n <= 0 ||
        what.problem.n <= 0)
      continue;
    const double distance =
        std::abs(std::log(static_cast<double>(one.what.problem.n) / static_cast<double>(what.problem.n)));
    if (distance < least) least = distance, nearest = &one;
  }
  return nearest;
}

}  // namespace sextant::tuner
