#include "tuner/final_round.hpp"

#include <algorithm>

#include "engine/concurrent/turns.hpp"

namespace sextant::tuner {
namespace {

// A tuning is no finalist if its interval's lower end exceeds this multiple of the fastest tuning's upper
// end.
constexpr double far_behind = 1.05;

// A tuning in the final round. `times` has one time per round.
struct Candidate {
  Case what;
  std::vector<double> times;
  bool broken = false;
  bool rival = false;  // true if the caller, not the search, proposed the tuning
  // Threads per block and bytes of shared memory: maxima over the kernel launches; 0: unknown.
  double block = 0, shared_memory = 0;
};

double median_of(const std::vector<double>& values) { return median_interval(values).median; }

Interval ratio_of(const Candidate& one, const Candidate& other) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(one.times.size(), other.times.size()); ++i)
    ratios.push_back(one.times[i] / other.times[i]);
  return median_interval(ratios);
}

bool tied(const Candidate& one, const Candidate& winner) {
  const Interval ratio = ratio_of(one, winner);
  return ratio.low <= 1;
}

Candidate candidate(const Search& search, const Tuning& tuning) {
  Candidate one;
  one.what = search.space;
  one.what.tuning = tuning;
  return one;
}

void add_missing(const Tuning& tuning, const Search& search, std::vector<Candidate>* candidates) {
  if (std::none_of(candidates->begin(), candidates->end(),
                   [&](const Candidate& one) { return one.what.tuning == tuning; }))
    candidates->push_back(candidate(search, tuning));
}

std::vector<Candidate> candidates_of(const Search& search, std::size_t most) {
  std::vector<const SearchStep*> steps;
  for (const SearchStep& step : search.steps)
    if (step.status == Status::ok && step.effort == Effort::measured && step.time > 0) steps.push_back(&step);
  std::stable_sort(steps.begin(), steps.end(), [](auto* a, auto* b) { return a->time < b->time; });
  std::erase_if(steps, [best = steps.empty() ? 0 : steps.front()->high](const SearchStep* step) {
    return step->low > far_behind * best;
  });
  if (steps.size() > most) steps.resize(most);
  std::vector<Candidate> candidates;
  for (const SearchStep* step : steps) candidates.push_back(candidate(search, step->tuning));
  if (!steps.empty()) add_missing(search.standard, search, &candidates);
  return candidates;
}

bool take(CaseExecutor& executor, Goal goal, Candidate* one) {
  const std::optional<Measurement> measurement = executor.run(one->what);
  if (!measurement) return false;
  const double time = measurement->status == Status::ok ? goal_time(*measurement, goal).median : 0;
  if (!(time > 0)) {
    one->broken = true;
    return true;
  }
  one->times.push_back(time);
  for (const KernelLaunch& launch : measurement->launches) {
    one->block =
        std::max(one->block, static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2]);
    one->shared_memory = std::max(one->shared_memory, static_cast<double>(launch.shared_memory));
  }
  return true;
}

// Measures all candidates `rounds` times in alternation, in reverse order every second round. Returns false
// if it was interrupted.
bool take_turns(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t rounds,
                std::vector<Candidate>* candidates) {
  Settings turn = turn_settings(settings);
  turn.timeout = settings.timeout;
  turn.transfers = goal == Goal::whole;
  turn.energy_windows = needs_energy(goal) ? 1 : 0;
  executor.use(turn);
  for (std::size_t round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < candidates->size(); ++i) {
      Candidate& one = (*candidates)[round % 2 ? candidates->size() - 1 - i : i];
      if (!one.broken && !take(executor, goal, &one)) return false;
    }
  return true;
}

const Candidate& fastest_of(const std::vector<Candidate>& candidates) {
  return *std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
    return !a.broken && (b.broken || median_of(a.times) < median_of(b.times));
  });
}

// Index of the winner among the fastest candidate and those tied with it. The default tuning comes first,
// then the tuning with the smallest block and shared memory.
std::size_t choose(const std::vector<Candidate>& candidates, const Tuning& standard) {
  const auto fastest = static_cast<std::size_t>(&fastest_of(candidates) - candidates.data());
  std::size_t chosen = fastest;
  const auto modesty = [&](std::size_t i) {
    return std::pair(candidates[i].block, candidates[i].shared_memory);
  };
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (i == fastest || !tied(candidates[i], candidates[fastest])) continue;
    if (candidates[i].what.tuning == standard) return i;
    if (modesty(i) < modesty(chosen)) chosen = i;
  }
  return chosen;
}

// Adds the rivals (tunings that the caller proposed). A rival that is already a candidate is measured only
// once.
void add_rivals(const std::vector<Tuning>& rivals, const Search& search, std::vector<Candidate>* candidates) {
  for (const Tuning& tuning : rivals) {
    const std::size_t before = candidates->size();
    add_missing(tuning, search, candidates);
    if (candidates->size() > before) candidates->back().rival = true;
  }
}

// The winner's time divided by the time of the fastest rival.
Interval over_fastest(const std::vector<Tuning>& rivals, const Candidate& winner,
                      const std::vector<Candidate>& candidates) {
  const Candidate* fastest = nullptr;
  for (const Candidate& one : candidates)
    if (std::find(rivals.begin(), rivals.end(), one.what.tuning) != rivals.end() &&
        (!fastest || median_of(one.times) < median_of(fastest->times)))
      fastest = &one;
  return fastest ? ratio_of(winner, *fastest) : Interval();
}

// Stores the results of the final round in the search. `shared`: the tuning that must win; null: the best one
// wins.
void conclude(std::vector<Candidate> candidates, const std::vector<Tuning>& rivals, const Tuning* shared,
              Search* search, Interval* over_rivals) {
  std::erase_if(candidates, [](const Candidate& one) { return one.broken; });
  const std::vector<Candidate> all = candidates;
  std::erase_if(candidates, [](const Candidate& one) { return one.rival; });
  search->finalists.clear();
  search->gain.reset();
  if (candidates.empty()) return;
  const Tuning wins = shared ? *shared : candidates[choose(candidates, search->standard)].what.tuning;
  const Candidate winner = *std::find_if(candidates.begin(), candidates.end(),
                                         [&](const Candidate& one) { return one.what.tuning == wins; });
  std::stable_sort(candidates.begin(), candidates.end(), [&](const Candidate& a, const Candidate& b) {
    const bool a_wins = a.what.tuning == winner.what.tuning, b_wins = b.what.tuning == winner.what.tuning;
    return a_wins != b_wins ? a_wins : median_of(a.times) < median_of(b.times);
  });
  for (const Candidate& one : candidates) {
    const bool itself = one.what.tuning == winner.what.tuning;
    search->finalists.push_back(
        {one.what.tuning, median_of(one.times), ratio_of(one, winner), !itself && tied(one, winner)});
    if (one.what.tuning == search->standard) search->gain = ratio_of(one, winner);
  }
  if (over_rivals) *over_rivals = over_fastest(rivals, winner, all);
}

// For each size: the tuning's time divided by the fastest candidate's time. Empty if the tuning failed at a
// size.
std::vector<Interval> losses_of(const Tuning& tuning, const std::vector<std::vector<Candidate>>& sizes) {
  std::vector<Interval> losses;
  for (const std::vector<Candidate>& candidates : sizes) {
    const auto one = std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& other) {
      return other.what.tuning == tuning && !other.broken;
    });
    if (one == candidates.end()) return {};
    losses.push_back(ratio_of(*one, fastest_of(candidates)));
  }
  return losses;
}

std::size_t worst_of(const std::vector<Interval>& losses) {
  const auto worst = std::max_element(
      losses.begin(), losses.end(), [](const Interval& a, const Interval& b) { return a.median < b.median; });
  return static_cast<std::size_t>(worst - losses.begin());
}

}  // namespace

bool final_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t most,
                 std::size_t rounds, Search* search, const std::vector<Tuning>& rivals,
                 Interval* over_rivals) {
  std::vector<Candidate> candidates = candidates_of(*search, most);
  add_rivals(rivals, *search, &candidates);
  if (!take_turns(executor, settings, goal, rounds, &candidates)) return false;
  conclude(std::move(candidates), rivals, nullptr, search, over_rivals);
  search->sizes = 1;
  return true;
}

bool shared_round(CaseExecutor& executor, const Settings& settings, Goal goal, std::size_t rounds,
                  const std::vector<Tuning>& tunings, const std::vector<Search*>& searches,
                  std::optional<SharedTuning>* shared) {
  std::vector<std::vector<Candidate>> sizes;
  for (const Search* search : searches) {
    std::vector<Candidate>& candidates = sizes.emplace_back();
    for (const Tuning& tuning : tunings) add_missing(tuning, *search, &candidates);
    add_missing(search->standard, *search, &candidates);
    if (!take_turns(executor, settings, goal, rounds, &candidates)) return false;
  }
  shared->reset();
  for (const Tuning& tuning : tunings) {
    const std::vector<Interval> losses = losses_of(tuning, sizes);
    if (losses.empty()) continue;
    const std::size_t worst = worst_of(losses);
    if (!*shared || losses[worst].median < (*shared)->losses[(*shared)->worst].median)
      *shared = SharedTuning{tuning, losses, worst};
  }
  if (!*shared) return true;
  for (std::size_t i = 0; i < searches.size(); ++i) {
    conclude(std::move(sizes[i]), {}, &(*shared)->tuning, searches[i], nullptr);
    searches[i]->sizes = static_cast<std::int64_t>(searches.size());
  }
  return true;
}

}  // namespace sextant::tuner
