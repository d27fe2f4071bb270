// Audits of a case: calls on inputs that the variant has not seen (fresh inputs), each compared in full with
// the reference.
// A variant that skips its work or returns a remembered answer gives a wrong result there. A variant that
// recognises its inputs is right, but slow on fresh ones. So each audited call is timed against further calls
// on the same inputs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/case/case_subject.hpp"
#include "engine/case/leftover_work.hpp"
#include "engine/case/sampling.hpp"
#include "engine/case/workset.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Times in seconds of calls on fresh inputs, each paired with later calls on the same inputs.
class FreshCalls {
 public:
  // Ratios of the time on fresh inputs to the time on seen inputs. Above `slower`, the call counts as slower.
  // Above `much_slower`, the variant computes on fresh inputs only.
  static constexpr double slower = 1.05, much_slower = 10;
  // Seconds. Branches mispredicted after other work cost even a call of a few nanoseconds this much, whatever
  // its inputs.
  static constexpr double least_difference = 20e-9;

  // `second`: seconds of the second call on the same inputs. `seen`: seconds of a call after some more.
  void add(double fresh, double second, double seen);
  // Counts a call on fresh inputs that took no longer than usual.
  void add_usual() { ++usual_; }
  // False once two calls on fresh inputs were no slower, because the differences are then chance. If the
  // times differed by chance only, ten calls would pass this test with probability 11/1024.
  bool may_be_slower() const { return usual_ < 2; }
  // True if there are enough pairs to decide.
  bool are_enough() const { return ratios_.size() >= 10; }
  bool are_slower() const { return may_be_slower() && are_enough(); }
  // Median ratios of fresh calls to calls on seen inputs, and to second calls. Remembered answers make the
  // second call fast already. Branch prediction needs several more calls, and can also gain more than a
  // factor of ten.
  double ratio() const;
  double ratio_of_second() const;
  // Estimated times of calls on fresh inputs, one per pair, if a call on seen inputs takes `seen` seconds.
  std::vector<double> times(double seen) const;

 private:
  std::vector<double> ratios_, second_ratios_;
  int usual_ = 0;
};

// If calls on fresh inputs are slower, makes their times the case's call times and moves the others to
// seen_times. If they are far slower, marks the case as wrong and returns false.
bool use_fresh(const FreshCalls& calls, Measurement* measurement);
// Marks the case as wrong because its variant returns remembered answers. Returns false.
bool keeps_answers(double ratio, Measurement* measurement);

// The outcome of an audit.
struct Audited {
  Status status = Status::ok;
  std::string reason;
  bool passed() const { return status == Status::ok; }
};
// Returns true if the audit passed. Otherwise marks the case accordingly and discards its times.
bool passes(const Audited& audited, Measurement* measurement);
// Marks the case as wrong if its work continues after its calls return (`leaves_work`). Returns true if it
// does not.
bool leaves_nothing(bool leaves_work, Measurement* measurement);

struct AuditInputs {
  bool again = false;    // Refill the current inputs. False: use other inputs.
  bool compares = true;  // Compute the reference of these inputs.
  bool poisons = false;  // Poison the outputs. False: keep the result for the previous inputs.
};

// A case's data on the host and on its device. All of it must outlive the audits.
struct AuditPlace {
  const Variant& variant;
  const Call& call;
  Device& device;
  Workset& workset;
  Mapped& mapped;
};

// Chooses the inputs of the next audit. `compared`: the result is compared with a reference.
using NextFilling = std::function<AuditFilling(bool compared)>;
// Puts inputs and outputs on the device. Returns true if the variant has not seen the inputs.
bool bring_inputs(const AuditPlace& place, const AuditInputs& inputs, const NextFilling& next);

// A case as audits use it, on one device or on ranks.
class AuditedCase {
 public:
  virtual ~AuditedCase() = default;
  // Puts inputs and outputs where the call needs them. Returns true if the variant has not seen the inputs.
  virtual bool bring(const AuditInputs& inputs) = 0;
  virtual double timed_call() = 0;  // Makes one call and returns its seconds.
  virtual void take_outputs() = 0;  // Copies the outputs right after a call. Later writes do not count.
  virtual Audited compare() = 0;    // Compares the outputs with the reference, unless a launch failed.
  virtual Audited launched() = 0;   // Reports only whether a launch failed.
  // True if branch prediction makes repeated calls on the same inputs faster.
  virtual bool learns() const = 0;
  virtual bool compares_soon() = 0;  // True if computing the reference takes hardly any time.
};

// A case on one device.
class AuditedOnDevice : public AuditedCase {
 public:
  AuditedOnDevice(const AuditPlace& place, Clock& clock, NextFilling next)
      : place_(place), clock_(clock), next_(std::move(next)) {}
  bool bring(const AuditInputs& inputs) override { return bring_inputs(place_, inputs, next_); }
  double timed_call() override;
  void take_outputs() override {
    if (on_host()) place_.workset.keep_outputs();
  }
  Audited compare() override;
  Audited launched() override;
  bool learns() const override { return on_host(); }
  bool compares_soon() override { return place_.workset.has_short_reference(); }

 private:
  bool on_host() const { return place_.device.memory_space() == MemorySpace::host; }

  AuditPlace place_;
  Clock& clock_;
  NextFilling next_;
};

class Audits {
 public:
  Audits(AuditedCase& of, LeftoverWork leftover, Clock& clock)
      : of_(of), clock_(clock), leftover_(std::move(leftover)) {}

  // Audits calls on fresh inputs, and compares their results, until `wanted` audits are done. `samples`:
  // seconds of calls on seen inputs. A call on fresh inputs that takes no longer than nine of ten of them
  // counts as usual. `until_known`: continues until it is decided whether fresh inputs are slower. Afterwards
  // the arrays hold other inputs.
  Audited run(int wanted, bool until_known, std::span<const double> samples);

  // One audit in two steps, around a call that is also a sample. The first step puts the inputs in place. The
  // second compares the result of the call, which took `seconds`.
  void begin(bool compares = true);
  Audited end(double seconds);

  int done() const { return done_; }
  double seconds() const { return seconds_; }       // Time of the last audit, without its call.
  bool had_new_inputs() const { return had_new_; }  // True if the last audit had fresh inputs.
  bool compared() const { return compares_; }       // True if the last audit compared its result.
  const FreshCalls& calls() const { return calls_; }
  // True if work continued after every call.
  bool leaves_work() const { return leftover_.goes_on(); }

 private:
  Audited audit(double seen, double usual, bool compares);
  void learn(double each);

  AuditedCase& of_;
  Clock& clock_;
  int done_ = 0;
  double seconds_ = 0;
  bool poisons_ = false, had_new_ = false, compares_ = true;
  FreshCalls calls_;
  LeftoverWork leftover_;
};

}  // namespace sextant
