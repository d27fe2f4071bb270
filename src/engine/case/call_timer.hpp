// Measures the call times of a case whose result is right: warm-up, samples, and audits between and after
// them.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "engine/case/audits.hpp"
#include "engine/case/device_pass.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"

namespace sextant {

class CallTimer {
 public:
  struct HostClock {
    Clock& clock;
    double cost, step;  // seconds: of one reading, and of one clock tick
  };
  CallTimer(const AuditPlace& place, const Settings& settings, const HostClock& clock, bool cold,
            StageListener stage);

  NextFilling next_filling;    // Chooses the inputs of audits. Must be set.
  int audits = 3;              // Number of audits of the case.
  int checking_threads = 0;    // OpenMP threads that compare results; 0: all.
  double* expected = nullptr;  // Receives the expected seconds of a call, for others that wait. Must be set.
  SampleRecords* recorded = nullptr;  // Device activity of long calls. May be null.

  // Fills in the call times. `checked`: seconds of the check's execution. Returns false and discards all
  // times if a launch failed or an audit found a wrong result.
  bool time(double checked, Measurement* measurement);

 private:
  double warm_up(double checked, Measurement* measurement);
  void begin_call();
  void end_call();
  void audit_long_calls();
  bool compares_next();
  bool call_again(double first, double* second, Measurement* measurement);
  bool use_audited(Measurement* measurement) const;
  void audit_at(std::size_t number, Measurement* measurement);
  bool sample(StoppingRule& rule, Measurement* measurement);
  bool audit(int wanted, Measurement* measurement);

  AuditPlace place_;
  const Settings& settings_;
  HostClock clock_;
  bool cold_;
  StageListener stage_;
  AuditedOnDevice audited_case_;
  Audits audits_;
  Sampling sampling_;
  Audited found_;            // Outcome of the last sample that was an audit.
  std::vector<char> fresh_;  // For each sample of a long call, whether its inputs were fresh.
  bool compares_next_;
  double of_new_inputs_ = 0;  // Seconds of the last audit that did not compare its result.
};

}  // namespace sextant
