// Runs a search: asks the strategy for a point, evaluates it and reports the result, until there is a reason
// to end.
#pragma once

#include <functional>
#include <optional>

#include "record/search.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Evaluates points: the engine, or a test's function.
class Objective {
 public:
  virtual ~Objective() = default;
  // `best`: the fastest step so far, or null. Returns nothing if it was stopped before the end.
  virtual std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep* best) = 0;
  // Number of points to announce before they are evaluated, so that they can be compiled ahead; 0: none.
  virtual std::size_t looks_ahead() const { return 0; }
  // Announces the point that is evaluated next and points that are likely to follow.
  virtual void expect(const std::vector<Tuning>& /*tunings*/) {}
};

struct Limits {
  std::size_t evaluations = 200;
  double seconds = 0;  // time limit of this part of the search; 0: none
  // Seconds that the ceilings allow: a best time within 2 % of it ends the search. 0: unknown.
  double least_time = 0;
  bool to_the_end = false;  // true: small expected gains do not end the search
};

struct SearchEvents {
  std::function<void(const Search&)> stepped;  // after each new step; may be empty
  std::function<bool()> stop;                  // true ends the search; may be empty
  std::function<double()> now;                 // current time in seconds
};

enum class SearchEnd : std::uint8_t { complete, out_of_time, stopped };

// Continues `search`: reports its stored steps to the strategy first. The default tuning is the first point
// if the space has it. Sets `ended` if the search is complete.
SearchEnd search_on(const Space& space, Strategy& strategy, Objective& objective, const Limits& limits,
                    const SearchEvents& events, Search* search);

}  // namespace sextant::tuner
