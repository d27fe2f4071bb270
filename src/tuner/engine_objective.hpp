// Points tried by the engine: checked, then timed only as far as they are worth it.
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
  // `space`: the case whose tuning is asked for. `known`: measurements of this machine by key, told without
  // measuring again where they say what the goal asks for. `measured` hears what a results file may keep:
  // whole measurements, and what went wrong. All must outlive this.
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
  // Those that are not known are compiled, while others are measured only where that cannot touch what the
  // goal is.
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
  std::map<std::string, Interval>
      calls_;           // of the steps that were measured, by tuning: what rungs are held against
  double longest_ = 0;  // seconds that a step which ended well took
};

}  // namespace sextant::tuner
