// Measures the call times of a case whose result was found right. It makes warm-up calls, takes samples, and
// makes audits (checks on other inputs).
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/case/audits.hpp"
#include "engine/case/device_pass.hpp"
#include "engine/case/sampling.hpp"
#include "engine/case/state_watch.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"

namespace sextant {

class CallTimer {
 public:
  struct HostClock {
    Clock& clock;
    double cost, step;  // seconds of one clock reading, and of one clock step
  };
  CallTimer(const AuditPlace& place, const Settings& settings, const HostClock& clock, bool cold,
            StageListener stage);

  NextFilling next_filling;  // chooses the inputs of audits; must be set
  // True if the timed inputs are of another kind than those of audits (InputFill). Samples then have only the
  // timed inputs, also those of long calls, and audits follow them.
  bool has_other_fill = false;
  int audits = 3;            // number of audits of the case
  int checking_threads = 0;  // number of OpenMP threads that compare results; 0: all
  // Receives the expected seconds of a call. Other workers use them for scheduling. Must be set.
  double* expected = nullptr;
  SampleRecords* recorded = nullptr;  // records device activity of long calls; may be null
  StateWatch* state = nullptr;        // records the state of the GPU during the samples; may be null

  // Stores the call times in `measurement`. `checked` is the seconds of the check's execution. Returns false
  // and discards all times if a launch failed or an audit found a wrong result.
  bool time(double checked, Measurement* measurement);

 private:
  void warm_up(double checked, Measurement* measurement);
  void begin_call();
  void end_call();
  void prepare_long_calls();
  void audit_long_calls();
  bool compares_next();
  bool call_again(double first, double* second, Measurement* measurement);
  bool use_audited(Measurement* measurement) const;
  void audit_at(std::size_t number, Measurement* measurement);
  bool sample(double once, bool* gave_up, Measurement* measurement);
  bool audit(int wanted, Measurement* measurement);
  bool audits_are_samples(double once) const;
  bool audit_after_long_calls(Measurement* measurement);
  bool audit_after_samples(bool is_long, Measurement* measurement);

  AuditPlace place_;
  const Settings& settings_;
  HostClock clock_;
  bool cold_;
  StageListener stage_;
  AuditedOnDevice audited_case_;
  Audits audits_;
  Sampling sampling_;
  Audited found_;            // outcome of the last sample that was an audit
  std::vector<char> fresh_;  // one element per sample of a long call; nonzero if its inputs were fresh
  bool compares_next_;
  int reserved_ = 0;          // number of audits after the sampling whose calls are samples, too
  double of_new_inputs_ = 0;  // seconds of the last audit that used fresh inputs without comparing the result
};

}  // namespace sextant
