// Audits of a case: calls on inputs that its variant has not seen, each compared in full. A variant that skips its work, or
// copies an answer that it kept, is wrong by value there. One that recognises its inputs is right and slow there, so each
// audited call is held against a further call on the same inputs.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/case/leftover_work.hpp"
#include "engine/case/sampling.hpp"
#include "engine/case/workset.hpp"
#include "record/measurement.hpp"
#include "suite/variant.hpp"

namespace sextant {

// Calls on fresh inputs, and further ones on the same inputs brought there in the same way: times, seconds.
class FreshCalls {
 public:
  // A call that takes so much longer than one on seen inputs is slower; so much longer: it computed only there.
  static constexpr double slower = 1.05, much_slower = 10;

  // `second`: of the second call on the same inputs; `seen`: of one after some more.
  void add(double fresh, double second, double seen);
  // A call on fresh inputs that takes no longer than usual.
  void add_usual() { ++usual_; }
  // False as soon as two calls on fresh inputs are no slower: what differs then is chance (11 of 1024 for ten calls).
  bool may_be_slower() const { return usual_ < 2; }
  // Whether so many pairs are there that it is known.
  bool are_enough() const { return ratios_.size() >= 10; }
  bool are_slower() const { return may_be_slower() && are_enough(); }
  // Medians of ratios of fresh calls to those on seen inputs, and to second calls. A variant that keeps answers has them for the second
  // call; branches are predicted only after some more, and that can make more than ten times, too.
  double ratio() const;
  double ratio_of_second() const;
  // What calls on fresh inputs take where those on seen ones take `seen` seconds: one a pair.
  std::vector<double> times(double seen) const;

 private:
  std::vector<double> ratios_, second_ratios_;
  int usual_ = 0;
};

// Where calls on fresh inputs are slower, their times are the case's, and the others its seen_times. Where they are far slower the case
// is wrong: returns false.
bool use_fresh(const FreshCalls& calls, Measurement* measurement);
// Makes such a case wrong. Returns false.
bool keeps_answers(double ratio, Measurement* measurement);

// What is audited, and where. All of it outlives the audits.
struct AuditPlace {
  const Variant& variant;
  const Call& call;
  Device& device;
  Workset& workset;
  Mapped& mapped;
};

class Audits {
 public:
  // Gives the number of inputs that the variant has not seen, for a result that is compared, or not.
  using NextFilling = std::function<Filling(bool compared)>;
  Audits(const AuditPlace& place, Clock& clock, NextFilling next)
      : place_(place), clock_(clock), next_(std::move(next)), leftover_(place.variant, place.device, clock) {}

  // One audited call. `seen`: seconds that one takes on inputs it has seen. Without `compares` it is held against such a call alone.
  // Returns an empty string or what is wrong. The arrays hold other inputs afterwards.
  std::string audit(double seen, bool compares);

  // The same in two steps around a call that is a sample, too, and took so many seconds. What begin() does is before it, end()
  // compares.
  void begin(bool compares = true);
  std::string end(double seconds, bool compares = true);

  int done() const { return done_; }
  double seconds() const { return seconds_; }  // of the last audit, its call left out
  const FreshCalls& calls() const { return calls_; }
  // True if work went on after all of the calls.
  bool leaves_work() const { return leftover_.goes_on(); }

 private:
  void bring(Filling filling, bool compares);
  void prepare_outputs();
  void learn(double each);
  double timed_call();

  AuditPlace place_;
  Clock& clock_;
  NextFilling next_;
  int done_ = 0;
  double seconds_ = 0;
  bool poisons_ = false;
  FreshCalls calls_;
  LeftoverWork leftover_;
};

}  // namespace sextant
