#include "engine/parts/process_runner.hpp"

#include "device/team.hpp"
#include "engine/case/steps.hpp"
#include "engine/form/unmeasured.hpp"
#include "engine/parts/rank_runner.hpp"
#include "machine/host_gpus.hpp"
#include "record/place.hpp"

namespace sextant {

ProcessRunner::ProcessRunner(StageListener stage, std::function<void(const Measurement&)> taken)
    : stage_(stage), taken_(taken), one_device_(std::move(stage), std::move(taken)) {}

ProcessRunner::~ProcessRunner() = default;

void ProcessRunner::observe(CaseRunner::Observer observer) {
  is_observed_ = static_cast<bool>(observer);
  one_device_.observe(std::move(observer));
}

Measurement ProcessRunner::run(const Case& what, const Settings& settings) {
  const auto place = place_of(what.device);
  on_team_ = place && place->is_team();
  if (on_team_) return run_on_team(what, settings);
  leave_team();
  return one_device_.run(what, settings);
}

Measurement ProcessRunner::run_on_team(const Case& what, const Settings& settings) {
  Measurement measurement = unmeasured(what, Status::skipped, "", settings.seed);
  one_device_.forget_data();
  const auto steps = [&] {
    measurement.reason = open_team_of(what);
    if (measurement.reason.empty()) measurement = of_team_->run(what, settings);
  };
  const StepsEnd end = try_steps(steps, &measurement);
  if (end == StepsEnd::device_lost) device_lost_ = true;
  if (end != StepsEnd::done) leave_team();
  return measurement;
}

// Opens the device group of the case (several GPUs for one problem). Returns why it cannot be opened, or an
// empty string.
std::string ProcessRunner::open_team_of(const Case& what) {
  if (team_place_ == what.device) return {};
  leave_team();
  const Place place = *place_of(what.device);
  if (!host_gpus().empty()) return "a device group needs GPUs, not simulated devices";
  if (is_observed_)
    return "device groups cannot be profiled: profile a variant without partitions on one GPU";
  stage_(Stage::starting_gpu);
  std::string why_not;
  team_ = open_team(place.device, place.devices, place.sharing, &why_not);
  if (!team_) return why_not;
  of_team_ = std::make_unique<RankRunner>(*team_, stage_, taken_);
  team_place_ = what.device;
  return {};
}

void ProcessRunner::leave_team() {
  of_team_.reset();
  team_.reset();
  team_place_.clear();
}

}  // namespace sextant
