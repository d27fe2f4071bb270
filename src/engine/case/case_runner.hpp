// Runs a case on one device of this process and returns its measurement.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "device/device.hpp"
#include "engine/case/check.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"

namespace sextant {

class SampleRecords;
class StateWatch;
struct Variant;

// Calls Variant::compile while this thread may run on all processors. OpenMP may have bound the thread to one
// processor, and compiler processes inherit the binding.
const char* compile_anywhere(const Variant& variant, const Problem& problem, const int* tuning);

class CaseRunner {
 public:
  // `stage` is called before each stage. `taken` receives a measurement as soon as its call times are known.
  // The caller stores it if the remaining steps take too long.
  explicit CaseRunner(StageListener stage, std::function<void(const Measurement&)> taken = {});
  ~CaseRunner();

  // Measures the case. Never throws: errors become the measurement's status and reason.
  Measurement run(const Case& what, const Settings& settings);

  // Sets a function that replaces timing. Once a case's result was found right, `observer` receives a
  // function that executes the variant once and waits for it.
  using Observer = std::function<void(const std::function<void()>& execute)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  // Starts the device and loads the code of the case before it is run. Ignores errors, because running the
  // case reports them. Does not call the stage listener.
  void load_code(const Case& what);

  // Frees the data that consecutive cases of one problem share.
  void forget_data();

  // Returns the expected seconds of one call of the running case; 0 if unknown.
  double expected_call() const { return expected_call_; }
  // Returns true if preparing and checking the running case costs the host almost nothing.
  bool is_light() const { return is_light_; }

  // Returns true once a device call has failed. The device context may then be unusable, so the next case
  // needs a new process.
  bool device_lost() const { return device_lost_; }

 private:
  struct Subject;  // a case with its kernel, variant and device looked up
  struct Kept;     // data that consecutive cases of a problem share

  void run_steps(const Case& what, const Settings& settings, Measurement* measurement);
  bool would_be_light(const Case& what, const Settings& settings) const;
  Device* open(MemorySpace memory_space, int gpu, bool offload_on_host, std::string* why_not);
  std::string resolve(const Case& what, const Settings& settings, Subject* subject);
  std::string load(const Subject& subject, const Settings& settings);
  void map(const Subject& subject, const Settings& settings);
  bool is_too_slow_to_sample(const CheckResult& checked, const Settings& settings, Measurement* measurement);
  bool recalls(const Case& what, const Settings& settings) const;
  double once_checked(const Settings& settings) const;
  // `has_phases` receives true if the variant has phases that must be timed separately. `of_one_call`
  // receives the phases of the check's call, if no other call follows.
  CheckResult check_or_recall(const Subject& subject, const Case& what, Call& call, const Settings& settings,
                              bool* has_phases, std::vector<Phase>* of_one_call);
  void try_trivial_answers(const Subject& subject, Measurement* measurement);
  void run_checked(const Subject& subject, const Settings& settings, Measurement* measurement);
  bool time_calls(const Subject& subject, Call& call, const CheckResult& checked, const Settings& settings,
                  bool has_phases, Measurement* measurement);
  void time(const Subject& subject, Call& call, const CheckResult& checked, const Settings& settings,
            Measurement* measurement);
  void record_threads(const Subject& subject, const Call& call, Measurement* measurement);
  void time_after_pauses(const Subject& subject, const Call& call, const Settings& settings,
                         Measurement* measurement);
  void measure_energy(const Subject& subject, const Call& call, const Settings& settings,
                      Measurement* measurement);
  std::string energy_of_calls(const Subject& subject, const Call& call, const Settings& settings,
                              Measurement* measurement);
  void warm_until_steady(const Subject& subject, const Call& call, double expected, const Settings& settings,
                         Measurement* measurement);
  void put_back(const Subject& subject);
  bool has_failed(Measurement* measurement);
  void time_phases(const Subject& subject, Call& call, Measurement* measurement);
  void time_end_to_end(const Subject& subject, const Call& call, const Settings& settings,
                       Measurement* measurement);
  void count(const Subject& subject, const Call& call, Measurement* measurement);
  void time_on_device(const Subject& subject, const Call& call, const SampleRecords& recorded,
                      Measurement* measurement);
  Device* device_with_counters(const Subject& subject) const;
  void store_state(StateWatch& watch, Measurement* measurement);

  StageListener stage_;
  std::function<void(const Measurement&)> taken_;
  Observer observer_;
  SteadyClock clock_;
  double clock_cost_, clock_step_;
  bool no_counters_ = false;                // true if counters were requested and are not available
  std::set<std::string> energy_obstacles_;  // that were reported
  // watts without work, by index of the GPU (-1: the CPU); no value if the counter does not tell
  std::map<int, std::optional<double>> idle_power_;
  std::array<std::unique_ptr<Device>, memory_space_count> devices_;
  std::array<int, memory_space_count> device_indices_ = {};
  std::unique_ptr<Kept> kept_;
  // check results of cases that were right on the current data; the key is key_of(case)
  std::map<std::string, CheckResult> right_;
  bool device_lost_ = false;
  double expected_call_ = 0;
  bool is_light_ = false;
};

}  // namespace sextant
