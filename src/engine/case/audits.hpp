// Audits of a case: calls on inputs that its variant has not seen, each compared in full. A variant that
// skips its work, or copies an answer that it kept, is wrong by value there. One that recognises its inputs
// is right and slow there, so each audited call is held against a further call on the same inputs.
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

// Calls on fresh inputs, and further ones on the same inputs brought there in the same way: times, seconds.
class FreshCalls {
 public:
  // A call that takes so much longer than one on seen inputs is slower; so much longer: it computed only
  // there.
  static constexpr double slower = 1.05, much_slower = 10;
  // Seconds: branches that all calls of a few nanoseconds miss after other work make as much, whatever the
  // inputs.
  static constexpr double least_difference = 20e-9;

  // `second`: of the second call on the same inputs; `seen`: of one after some more.
  void add(double fresh, double second, double seen);
  // A call on fresh inputs that takes no longer than usual.
  void add_usual() { ++usual_; }
  // False as soon as two calls on fresh inputs are no slower: what differs then is chance (11 of 1024 for ten
  // calls).
  bool may_be_slower() const { return usual_ < 2; }
  // Whether so many pairs are there that it is known.
  bool are_enough() const { return ratios_.size() >= 10; }
  bool are_slower() const { return may_be_slower() && are_enough(); }
  // Medians of ratios of fresh calls to those on seen inputs, and to second calls. A variant that keeps
  // answers has them for the second call; branches are predicted only after some more, and that can make more
  // than ten times, too.
  double ratio() const;
  double ratio_of_second() const;
  // What calls on fresh inputs take where those on seen ones take `seen` seconds: one a pair.
  std::vector<double> times(double seen) const;

 private:
  std::vector<double> ratios_, second_ratios_;
  int usual_ = 0;
};

// Where calls on fresh inputs are slower, their times are the case's, and the others its seen_times. Where
// they are far slower the case is wrong: returns false.
bool use_fresh(const FreshCalls& calls, Measurement* measurement);
// Makes such a case wrong. Returns false.
bool keeps_answers(double ratio, Measurement* measurement);

// What an audit came to.
struct Audited {
  Status status = Status::ok;
  std::string reason;
  bool passed() const { return status == Status::ok; }
};
// What was measured of a case with such an audit is forgotten. Returns whether it passed.
bool passes(const Audited& audited, Measurement* measurement);
// Makes a case wrong whose work goes on after its calls. Returns whether it does not.
bool leaves_nothing(bool leaves_work, Measurement* measurement);

struct AuditInputs {
  bool again = false;    // the inputs that are there, made anew; else others
  bool compares = true;  // their reference is needed
  bool poisons = false;  // outputs become poison; else they stay what was right for other inputs
};

// Data of a case on the host and on its device. All of it outlives the audits.
struct AuditPlace {
  const Variant& variant;
  const Call& call;
  Device& device;
  Workset& workset;
  Mapped& mapped;
};

// Gives inputs for a result that is compared, or not.
using NextFilling = std::function<AuditFilling(bool compared)>;
// Puts inputs and outputs there. Returns whether the variant has not seen the inputs.
bool bring_inputs(const AuditPlace& place, const AuditInputs& inputs, const NextFilling& next);

// A case as audits call it: on one device, or in parts.
class AuditedCase {
 public:
  virtual ~AuditedCase() = default;
  // Puts inputs and outputs there. Returns whether the variant has not seen the inputs.
  virtual bool bring(const AuditInputs& inputs) = 0;
  virtual double timed_call() = 0;   // seconds
  virtual void take_outputs() = 0;   // at once after a call: what is written later does not count
  virtual Audited compare() = 0;     // outputs with their reference, unless launches failed
  virtual Audited launched() = 0;    // whether launches failed
  virtual bool learns() const = 0;   // whether branches are predicted: calls on the same inputs become faster
  virtual bool compares_soon() = 0;  // whether a reference takes hardly any time
};

// On one device.
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

  // Calls on inputs that the variant has not seen until there were `wanted`, whose results are compared.
  // `samples`: seconds of calls on inputs it has seen; a call that takes no longer than nine of ten of them
  // is a usual one. With `until_known` on, until it is known whether calls on fresh inputs are slower. The
  // arrays hold other inputs afterwards.
  Audited run(int wanted, bool until_known, std::span<const double> samples);

  // One audit in two steps around a call that is a sample, too, and took so many seconds. What begin() does
  // is before it, end() compares.
  void begin(bool compares = true);
  Audited end(double seconds);

  int done() const { return done_; }
  double seconds() const { return seconds_; }       // of the last audit, its call left out
  bool had_new_inputs() const { return had_new_; }  // the last one
  bool compared() const { return compares_; }       // the last one
  const FreshCalls& calls() const { return calls_; }
  // True if work went on after all of the calls.
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
