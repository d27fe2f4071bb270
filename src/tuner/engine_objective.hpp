// Evaluates points of a tuning space with the engine. It checks each result and takes fewer samples of slow
// points.
#pragma once

#include <functional>
#include <map>

#include "engine/form/case_executor.hpp"
#include "engine/form/settings.hpp"
#include "tuner/goal.hpp"
#include "tuner/search.hpp"

namespace sextant::tuner {

class EngineObjective : public Objective {
 public:
  // `space`: the case whose tuning is searched. `known`: measurements of this machine by key. If one contains
  // the time that the search minimizes, it is used instead of measuring again. `measured` receives each
  // measurement that a results file may store: full measurements and failures. All of them must outlive this
  // object.
  EngineObjective(CaseExecutor& executor, const Case& space, const Settings& settings, Goal goal,
                  const std::map<std::string, const Measurement*>& known,
                  std::function<void(const Measurement&)> measured)
      : executor_(executor),
        space_(space),
        settings_(settings),
        goal_(goal),
        known_(known),
        measured_(std::move(measured)) {}

  std::optional<SearchStep> evaluate(const Tuning& tuning, const SearchStep* best) override;
  std::size_t looks_ahead() const override { return executor_.looks_ahead(space_); }
  // Announces tunings. Unknown ones are compiled in advance. Compiling runs during measurements only if it
  // cannot disturb the time that the search minimizes.
  void expect(const std::vector<Tuning>& tunings) override;

 private:
  Settings settings_for(const SearchStep* best) const;
  const Measurement* held(const Tuning& tuning) const;
  const Measurement* told(const Tuning& tuning) const;
  Interval call_of(const Tuning& tuning) const;

  CaseExecutor& executor_;
  const Case& space_;
  Settings settings_;
  Goal goal_;
  const std::map<std::string, const Measurement*>& known_;
  std::function<void(const Measurement&)> measured_;
  // Call times of the tunings measured so far, by tuning. The limits of later evaluations are derived from
  // them.
  std::map<std::string, Interval> calls_;
  double longest_ = 0;  // seconds that the longest successful evaluation took
};

}  // namespace sextant::tuner
