// Evaluates tunings by measuring them with the engine. Checks each result and takes fewer samples of slow
// tunings.
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
  // `space`: the case whose tuning is searched. `known`: earlier measurements of this machine by key, which
  // replace new ones if they contain the minimized time. `measured` is called with each full measurement and
  // each failure. All references must outlive this object.
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
  // Announces tunings, which are then compiled in advance. Compilation runs during measurements only if it
  // cannot disturb the minimized time.
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
  // Call times by tuning, from which the limits of later evaluations are derived.
  std::map<std::string, Interval> calls_;
  double idle_power_ = 0;  // watts of the device without work; 0: unknown
  double longest_ = 0;     // seconds that the longest successful evaluation took
};

}  // namespace sextant::tuner
