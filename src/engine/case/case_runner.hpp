// Runs cases on one device of this process: from a case to its measurement.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "device/device.hpp"
#include "engine/case/check.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"

namespace sextant {

class SampleRecords;
struct Variant;

// Variant::compile with the compilers it starts free to run on all processors: OpenMP has bound this thread
// to one.
const char* compile_anywhere(const Variant& variant, const Problem& problem, const int* tuning);

class CaseRunner {
 public:
  // `taken` hears a measurement as soon as its call times are there: what is kept if the rest takes too long.
  explicit CaseRunner(StageListener stage, std::function<void(const Measurement&)> taken = {});
  ~CaseRunner();

  // Never throws: what goes wrong is the measurement's status and reason.
  Measurement run(const Case& what, const Settings& settings);

  // What is done instead of timing once a case's result was found right: `observer` gets what executes the
  // variant once and waits for it.
  using Observer = std::function<void(const std::function<void()>& execute)>;
  void observe(Observer observer) { observer_ = std::move(observer); }

  // Has the case's device started and its variant's code loaded, so that running it does not wait for that.
  // What goes wrong is for the case itself to say. Stages are not announced.
  void load_code(const Case& what);

  // Frees the data that consecutive cases of a problem share.
  void forget_data();

  // Seconds that a call of the running case takes, as far as is known; 0: nothing is.
  double expected_call() const { return expected_call_; }
  // Whether preparing and checking the running case gives the host little to do.
  bool is_light() const { return is_light_; }

  // True once a device call failed: this process's context may be beyond use, the next case wants a new one.
  bool device_lost() const { return device_lost_; }

 private:
  struct Subject;  // a case held against the registry and the machine
  struct Kept;     // what consecutive cases of a problem share

  void run_steps(const Case& what, const Settings& settings, Measurement* measurement);
  bool would_be_light(const Case& what, const Settings& settings) const;
  Device* open(MemorySpace memory_space, int gpu, bool offload_on_host, std::string* why_not);
  std::string resolve(const Case& what, const Settings& settings, Subject* subject);
  std::string load(const Subject& subject, const Settings& settings);
  void map(const Subject& subject, const Settings& settings);
  bool glances(const CheckResult& checked, const Settings& settings, Measurement* measurement);
  bool recalls(const Case& what, const Settings& settings) const;
  double once_checked(const Settings& settings) const;
  // `of_one_call`: the phases of a call that is all that the case gets; `has_phases`: whether there are any
  // to be timed apart.
  CheckResult check_or_recall(const Subject& subject, const Case& what, Call& call, const Settings& settings,
                              bool* has_phases, std::vector<Phase>* of_one_call);
  void try_trivial_answers(const Subject& subject, Measurement* measurement);
  void run_checked(const Subject& subject, const Settings& settings, Measurement* measurement);
  bool time_calls(const Subject& subject, Call& call, const CheckResult& checked, const Settings& settings,
                  bool has_phases, Measurement* measurement);
  void time(const Subject& subject, Call& call, const CheckResult& checked, const Settings& settings,
            Measurement* measurement);
  void put_back(const Subject& subject);
  bool has_failed(Measurement* measurement);
  void time_phases(const Subject& subject, Call& call, Measurement* measurement);
  void time_end_to_end(const Subject& subject, const Call& call, const Settings& settings,
                       Measurement* measurement);
  void count(const Subject& subject, const Call& call, Measurement* measurement);
  void time_on_device(const Subject& subject, const Call& call, const SampleRecords& recorded,
                      Measurement* measurement);
  void read_state(const Subject& subject, Measurement* measurement);

  StageListener stage_;
  std::function<void(const Measurement&)> taken_;
  Observer observer_;
  SteadyClock clock_;
  double clock_cost_, clock_step_;
  bool no_counters_ = false;  // they were asked for, and refused
  std::array<std::unique_ptr<Device>, memory_space_count> devices_;
  std::array<int, memory_space_count> device_indices_ = {};
  std::unique_ptr<Kept> kept_;
  std::map<std::string, CheckResult>
      right_;  // what the check saw of cases found right on the data that is kept
  bool device_lost_ = false;
  double expected_call_ = 0;
  bool is_light_ = false;
};

// "gpu2" is 2, "cpu" is -1; anything else is -2.
int gpu_index(const std::string& device);

}  // namespace sextant
