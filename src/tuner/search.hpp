// The search loop: asks a strategy for a point, evaluates it and reports the result, until there is a reason
// to end.
#pragma once

#include <functional>
#include <optional>

#include "record/search.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Evaluates tunings: the engine or, in tests, a function.
class Objective {
 public:
  virtual ~Objective() = default;
  // Evaluates one tuning. `best`: the fastest step (evaluation) so far, or null. Returns nothing if
  // interrupted.
  virtual std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep* best) = 0;
  // Number of tunings to announce by `expect`, so that they can be compiled in advance; 0: none.
  virtual std::size_t looks_ahead() const { return 0; }
  // Announces the next tuning and tunings that will probably follow it.
  virtual void expect(const std::vector<Tuning>& /*tunings*/) {}
};

struct Limits {
  std::size_t evaluations = 200;
  double seconds = 0;  // time limit in seconds of one call of search_on; 0: none
  // Least time in seconds that the machine's ceilings allow; 0: unknown. A best time within 2 % of it ends
  // the search.
  double least_time = 0;
  bool to_the_end = false;  // true: continue even if only small gains are expected
};

struct SearchEvents {
  std::function<void(const Search&)> stepped;  // called after each new evaluation; may be empty
  std::function<bool()> stop;                  // returns true to end the search; may be empty
  std::function<double()> now;                 // returns the current time in seconds
};

enum class SearchEnd : std::uint8_t { complete, out_of_time, stopped };

// Continues `search`: first reports its stored steps (evaluations) to the strategy. A new search starts with
// the default tuning if the space contains it. Sets Search::ended if the search is complete.
SearchEnd search_on(const Space& space, Strategy& strategy, Objective& objective, const Limits& limits,
                    const SearchEvents& events, Search* search);

}  // namespace sextant::tuner
