// The call times of a case whose result was found right: warm-up, samples, and audits between and after them.
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
    double cost, step;  // seconds, of a reading and of a tick
  };
  CallTimer(const AuditPlace& place, const Settings& settings, const HostClock& clock, bool cold,
            StageListener stage);

  NextFilling next_filling;    // of audits; must be there
  int audits = 3;              // of a case
  int checking_threads = 0;    // OpenMP's while results are compared; 0: all
  double* expected = nullptr;  // seconds that a call is expected to take, for whoever waits; must be there
  SampleRecords* recorded = nullptr;  // of long calls; may be null

  // `checked`: seconds of the check's execution. Fills in the times of calls. False: a launch failed, or an
  // audit found a wrong result, and what was measured is forgotten.
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
  Audited found_;            // by the last sample, if that is an audit
  std::vector<char> fresh_;  // by sample of a long call, whether its inputs were new
  bool compares_next_;
  double of_new_inputs_ = 0;  // seconds that inputs alone took, the last time
};

}  // namespace sextant
