// Evaluates points with the engine: checks each result, and takes fewer samples of slow points.
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
  // `space`: the case whose tuning is searched. `known`: measurements of this machine by key, which are used
  // without measuring again if they contain the goal's time. `measured` receives what a results file may
  // store: full measurements and failures. All of them must outlive this object.
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
  // Announces tunings, which are compiled ahead unless they are known. Compiling overlaps with measuring only
  // if that cannot disturb the goal's time.
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
  // Call times of the measured steps by tuning, from which limits are derived.
  std::map<std::string, Interval> calls_;
  double longest_ = 0;  // seconds of the longest successful step
};

}  // namespace sextant::tuner
