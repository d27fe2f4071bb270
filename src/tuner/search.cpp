#include "tuner/search.hpp"

#include <algorithm>
#include <stdexcept>

#include "tuner/live_space.hpp"

namespace sextant::tuner {
namespace {

// A search ends after `little_in_a_row` consecutive points with an expected gain below `little`, a fraction
// of the best time.
constexpr double little = 0.005;
constexpr std::size_t little_in_a_row = 15;
// A search ends if its best time is within this factor of the least time that the machine's ceilings allow. A
// much faster time does not end it, because the ceiling is then wrong.
constexpr double close_enough = 1.02;
// A search ends if its first points, this number of them, are all skipped for the same reason.
constexpr std::size_t skips_in_a_row = 3;

Evaluation evaluation_of(const SearchStep& step) {
  return {step.status, step.reason, step.time, 0, step.cost};
}

class Searching {
 public:
  Searching(const Space& space, Strategy& strategy, const Limits& limits, Search* search)
      : space_(space), strategy_(strategy), limits_(limits), search_(search), tried_(space.size(), 0) {}

  // The point to evaluate next; nothing if the strategy has none left.
  std::optional<std::size_t> next() {
    const std::optional<std::size_t> standard = find(space_, search_->standard);
    if (search_->steps.empty() && standard) return standard;
    const std::optional<std::size_t> point = strategy_.next();
    little_ = strategy_.expected_gain() < little ? little_ + 1 : 0;
    return point;
  }

  // The tunings of the next point and of points that will probably follow it, `count` in total.
  std::vector<Tuning> ahead(std::size_t point, std::size_t count) const {
    const SearchStep* best = best_of(*search_);
    std::vector<Tuning> tunings = {tuning_of(space_, point)};
    for (const std::size_t one : likely_after(strategy_, point, best ? best->time : 1, count - 1))
      tunings.push_back(tuning_of(space_, one));
    return tunings;
  }

  void learn(std::size_t point, const SearchStep& step) {
    tried_[point] = 1;
    strategy_.learn(point, evaluation_of(step));
  }

  // The reason why the search is complete; empty if it must continue.
  std::string end() const {
    const std::vector<SearchStep>& steps = search_->steps;
    const SearchStep* best = best_of(*search_);
    if (steps.size() == space_.size()) return "all points tried";
    if (steps.size() >= limits_.evaluations) return "the budget is spent";
    if (!best && steps.size() >= skips_in_a_row &&
        std::all_of(steps.begin(), steps.end(), [&](const SearchStep& step) {
          return step.status == Status::skipped && step.reason == steps.front().reason;
        }))
      return "it does not run here: " + steps.front().reason;
    if (best && limits_.least_time > 0 && best->time <= close_enough * limits_.least_time &&
        best->time * close_enough >= limits_.least_time)
      return "within 2 % of the machine's limit";
    if (!limits_.to_the_end && little_ >= little_in_a_row && best && neighbours_tried(*best))
      return "no remaining tuning promises 0.5 %";
    return "";
  }

 private:
  bool neighbours_tried(const SearchStep& best) const {
    const std::vector<std::size_t> near = space_.neighbours(*find(space_, best.tuning));
    return std::all_of(near.begin(), near.end(), [&](std::size_t point) { return tried_[point] != 0; });
  }

  const Space& space_;
  Strategy& strategy_;
  const Limits& limits_;
  Search* search_;
  std::vector<char> tried_;
  std::size_t little_ = 0;
};

}  // namespace

SearchEnd search_on(const Space& space, Strategy& strategy, Objective& objective, const Limits& limits,
                    const SearchEvents& events, Search* search) {
  Searching searching(space, strategy, limits, search);
  const std::vector<SearchStep> known = std::exchange(search->steps, {});
  for (const SearchStep& step : known) {
    // The strategy chooses a point for each stored step, so that its random numbers continue as in the stored
    // search.
    searching.next();
    const std::optional<std::size_t> point = find(space, step.tuning);
    if (!point) continue;  // the space is narrower than in the stored search
    searching.learn(*point, step);
    search->steps.push_back(step);
  }
  const double began = events.now();
  for (;;) {
    search->ended = searching.end();
    if (!search->ended.empty()) return SearchEnd::complete;
    if (events.stop && events.stop()) return SearchEnd::stopped;
    if (limits.seconds > 0 && events.now() - began > limits.seconds) {
      search->ended = "the time limit is reached";
      return SearchEnd::out_of_time;
    }
    const std::optional<std::size_t> point = searching.next();
    if (!point) throw std::logic_error("a strategy proposes no tuning, although some are left");
    if (const std::size_t ahead = objective.looks_ahead(); ahead > 0)
      objective.expect(searching.ahead(*point, ahead));
    std::optional<SearchStep> step = objective.evaluate(tuning_of(space, *point), best_of(*search));
    if (!step) return SearchEnd::stopped;
    search->steps.push_back(std::move(*step));
    searching.learn(*point, search->steps.back());
    if (events.stepped) events.stepped(*search);
  }
}

}  // namespace sextant::tuner
