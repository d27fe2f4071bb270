// Audits check a case (one variant on one problem). An audit calls the variant on inputs that it has not seen
// before (fresh inputs) and compares the whole result with the reference. This finds variants that skip their
// work or return an earlier result. The call is also timed against later calls on the same inputs (seen
// inputs), because a variant that stores results by input is correct but slow on fresh inputs.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/case/case_subject.hpp"
#include "engine/case/device_copies.hpp"
#include "engine/case/leftover_work.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/stage.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Times in seconds of calls on fresh inputs, each paired with later calls on the same inputs.
class FreshCalls {
 public:
  // Limits for the ratio of the time on fresh inputs to the time on seen inputs. Above `slower`, the call
  // counts as slower. Above `much_slower`, the variant counts as one that stores its results. A GPU has the
  // limit `slower_on_gpu`: its first call after the host has filled arrays is up to 1.8 times slower (H200),
  // whatever the inputs are.
  static constexpr double slower = 1.05, slower_on_gpu = 2, much_slower = 10;
  // Differences up to this many seconds are ignored. Mispredicted branches can slow down even a call of a few
  // nanoseconds by this much.
  static constexpr double least_difference = 20e-9;

  // Adds the times in seconds of three calls on the same inputs: the first call (`fresh`), the second call,
  // and a call after several more (`seen`), which may be the second one. The first is no slower if its ratio
  // to `seen` is at most `usual_ratio`, which is larger than `slower` if ordinary samples differ by more.
  void add(double fresh, double second, double seen, double usual_ratio = slower);
  // Counts a call on fresh inputs that took no longer than usual.
  void add_usual() { ++usual_; }
  // Returns false once `most` calls on fresh inputs were no slower. If fresh inputs make no difference, this
  // still returns true after ten calls with probability 11/1024 (with `most` 1: 1/1024).
  bool may_be_slower(int most = 2) const { return usual_ < most; }
  // Returns true if there are enough pairs to decide.
  bool are_enough() const { return ratios_.size() >= 10; }
  bool are_slower() const { return may_be_slower() && are_enough(); }
  // Median ratios: time on fresh inputs divided by time on seen inputs, and divided by time of the second
  // call. If a variant stores its result, the second call is already fast. Branch prediction needs several
  // calls.
  double ratio() const;
  double ratio_of_second() const;
  // Estimates the times of calls on fresh inputs, one for each pair. `seen` is the time of a call on seen
  // inputs in seconds.
  std::vector<double> times(double seen) const;

 private:
  std::vector<double> ratios_, second_ratios_;
  int usual_ = 0;
};

// If calls on fresh inputs are slower, stores their times as the case's call times and moves the previous
// times to seen_times. If they are slower by more than `much_slower`, marks the case as wrong and returns
// false. With `has_other_fill`, the timed inputs are of another kind than fresh ones (InputFill). Times then
// stay, because those of fresh inputs would show what the data cost, not that the variant knows its inputs.
bool use_fresh(const FreshCalls& calls, bool has_other_fill, Measurement* measurement);
// Marks the case as wrong because its variant stores results: calls on fresh inputs take `ratio` times
// longer. Returns false.
bool keeps_answers(double ratio, Measurement* measurement);

// The outcome of an audit.
struct Audited {
  Status status = Status::ok;
  std::string reason;
  bool passed() const { return status == Status::ok; }
};
// Returns true if the audit passed. Otherwise marks the case accordingly and discards its times.
bool passes(const Audited& audited, Measurement* measurement);
// If work continues after calls have returned (`leaves_work`), marks the case as wrong and returns false.
bool leaves_nothing(bool leaves_work, Measurement* measurement);

// If the arrays of a problem have at most this many bytes, they may lie entirely in the CPU's caches.
inline constexpr std::size_t most_in_caches = std::size_t{32} << 20;

// How the arrays are prepared for an audit.
struct AuditInputs {
  bool again = false;    // true: fill in the current inputs again; false: use other inputs
  bool compares = true;  // true: compute the reference result for these inputs
  bool poisons = false;  // true: overwrite the outputs with a poison value; false: keep the old ones
};

// The data of a case on the host and on its device. All members must outlive the audits.
struct AuditPlace {
  const Variant& variant;
  const Call& call;
  Device& device;
  Workset& workset;
  DeviceCopies& device_copies;
  bool on_gpu = false;  // true if calls use a GPU, also those with arrays on the host
};

// Chooses the inputs of the next audit. `compared` tells whether its result is compared with a reference.
using NextFilling = std::function<AuditFilling(bool compared)>;
// Prepares inputs and outputs on the device. Returns true if the variant has not processed these inputs
// before. `restored` is kept from one call to the next: true if the device had kept the inputs.
bool copy_inputs(const AuditPlace& place, const AuditInputs& inputs, const NextFilling& next, bool* restored);

// Interface through which audits use a case. The case runs on one device or on several ranks.
class AuditedCase {
 public:
  virtual ~AuditedCase() = default;
  // Prepares inputs and outputs in the memory that the call uses. Returns true if the variant has not
  // processed these inputs before.
  virtual bool bring(const AuditInputs& inputs) = 0;
  virtual double timed_call() = 0;  // makes one call and returns its seconds
  // Copies the outputs right after a call, so that writes after the call do not count.
  virtual void take_outputs() = 0;
  // Compares the outputs with the reference and, if asked, inputs with what they were, unless a launch
  // failed.
  virtual Audited compare(bool with_inputs) = 0;
  virtual Audited launched() = 0;  // reports only whether a launch failed
  // Returns true if branch prediction makes repeated calls on the same inputs faster, as on a CPU.
  virtual bool learns() const = 0;
  virtual bool compares_soon() = 0;  // returns true if computing the reference takes hardly any time
};

// Audits of a case on one device.
class AuditedOnDevice : public AuditedCase {
 public:
  AuditedOnDevice(const AuditPlace& place, Clock& clock, NextFilling next)
      : place_(place), clock_(clock), next_(std::move(next)) {}
  bool bring(const AuditInputs& inputs) override { return copy_inputs(place_, inputs, next_, &restored_); }
  double timed_call() override;
  void take_outputs() override {
    if (on_host()) place_.workset.keep_outputs();
  }
  Audited compare(bool with_inputs) override;
  Audited launched() override;
  bool learns() const override { return !place_.on_gpu; }
  bool compares_soon() override { return place_.workset.has_short_reference(); }

 private:
  bool on_host() const { return place_.device.memory_space() == MemorySpace::host; }

  AuditPlace place_;
  Clock& clock_;
  NextFilling next_;
  bool restored_ = false;
};

class Audits {
 public:
  Audits(AuditedCase& of, LeftoverWork leftover, Clock& clock)
      : of_(of), clock_(clock), leftover_(std::move(leftover)) {}

  // If set, the calls of the `wanted` audits of run() are samples, too. It is told of the stages around them.
  StageListener as_samples;

  // Makes audits until `wanted` are done. `samples` are the seconds of calls on
  // seen inputs. A call on fresh inputs counts as usual if it is no slower than 90 % of them. With
  // `until_known`, continues until it is clear whether fresh inputs are slower. Afterwards the arrays hold
  // other inputs.
  Audited run(int wanted, bool until_known, std::span<const double> samples);

  // Make one audit in two steps, around a call that also serves as a timing sample. begin() prepares the
  // inputs. end() checks the result of the call, which took `seconds`.
  void begin(bool compares = true);
  Audited end(double seconds);

  int done() const { return done_; }
  double seconds() const { return seconds_; }       // seconds of the last audit without its call
  bool had_new_inputs() const { return had_new_; }  // true if the last audit used fresh inputs
  bool compared() const { return compares_; }       // true if the last audit compared its result
  const FreshCalls& calls() const { return calls_; }
  const std::vector<double>& samples() const { return samples_; }  // seconds of the calls that are samples
  // Returns true if work continued after every call had returned.
  bool leaves_work() const { return leftover_.goes_on(); }

 private:
  Audited audit(double seen, double usual, bool is_wanted);
  double first_call(bool is_wanted);
  void learn(double each);

  AuditedCase& of_;
  Clock& clock_;
  int done_ = 0;
  double seconds_ = 0;
  bool poisons_ = false, had_new_ = false, compares_ = true;
  FreshCalls calls_;
  std::vector<double> samples_;
  LeftoverWork leftover_;
};

}  // namespace sextant
