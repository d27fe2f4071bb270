// Runs the cases of one process, on one device or on a device group: several GPUs that compute one problem.
// Each worker process has one ProcessRunner, and in-process runs use it directly.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "engine/case/case_runner.hpp"
#include "engine/form/settings.hpp"

namespace sextant {

class DeviceTeam;
class RankRunner;

class ProcessRunner {
 public:
  // `stage` and `taken` are passed to CaseRunner.
  explicit ProcessRunner(StageListener stage, std::function<void(const Measurement&)> taken = {});
  ~ProcessRunner();

  // Measures the case. Never throws: errors become the measurement's status and reason.
  Measurement run(const Case& what, const Settings& settings);

  // The functions below work as in CaseRunner. Cases on a device group cannot be observed, and their expected
  // call time is unknown.
  void observe(CaseRunner::Observer observer);
  void load_code(const Case& what) { one_device_.load_code(what); }
  double expected_call() const { return on_team_ ? 0 : one_device_.expected_call(); }
  bool is_light() const { return !on_team_ && one_device_.is_light(); }
  bool device_lost() const { return device_lost_ || one_device_.device_lost(); }

 private:
  Measurement run_on_team(const Case& what, const Settings& settings);
  std::string open_team_of(const Case& what);
  void leave_team();

  StageListener stage_;
  std::function<void(const Measurement&)> taken_;
  CaseRunner one_device_;
  bool on_team_ = false, is_observed_ = false, device_lost_ = false;
  std::string team_place_;  // text that names the open device group, such as "gpu0-3"
  std::unique_ptr<DeviceTeam> team_;
  std::unique_ptr<RankRunner> of_team_;  // runs the cases on the device group
};

}  // namespace sextant
