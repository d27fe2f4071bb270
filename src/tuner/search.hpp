// One search: asks the strategy, has the point tried, tells the strategy, until there is a reason to end.
#pragma once

#include <functional>
#include <optional>

#include "record/search.hpp"
#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Who tries a point: the engine, or a test's function.
class Objective {
 public:
  virtual ~Objective() = default;
  // `best`: the fastest step so far, or null. Empty if it was stopped before it was done.
  virtual std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep* best) = 0;
  // How many points it wants to know of before they are tried, as they take time to be compiled; 0: none.
  virtual std::size_t looks_ahead() const { return 0; }
  // The point that is tried next, and those likely after it.
  virtual void expect(const std::vector<Tuning>& /*tunings*/) {}
};

struct Limits {
  std::size_t evaluations = 200;
  double seconds = 0;  // that this part of the search may take; 0: any
  double least_time =
      0;  // seconds that the ceilings allow: a best within 2 % of it ends the search; 0: not known
  bool to_the_end = false;  // not ended by promising little
};

struct SearchEvents {
  std::function<void(const Search&)> stepped;  // after each new step; may be empty
  std::function<bool()> stop;                  // true ends the search; may be empty
  std::function<double()> now;                 // seconds
};

enum class SearchEnd : std::uint8_t { complete, out_of_time, stopped };

// Goes on with `search`, whose steps are told to the strategy first, as if they had just been tried. The
// default tuning is the first point, if the space has it. Fills in `ended` where the search is complete.
SearchEnd search_on(const Space& space, Strategy& strategy, Objective& objective, const Limits& limits,
                    const SearchEvents& events, Search* search);

}  // namespace sextant::tuner
