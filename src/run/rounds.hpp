// Splits a run into rounds, from small problems to large ones, so that slow variants can be left out where
// they would take long.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/measurement.hpp"
#include "run/class_times.hpp"

namespace sextant {

// True if the selection is whole suites other than the study, or some of their kernels, at their own sizes:
// `run --suite patterns`.
bool is_whole_suite(const Selection& selection);

// Removes the models stdpar and target from the plan of a whole suite. As in the study, they are measured
// only on request.
std::vector<Case> without_models_asked_for(const std::vector<Case>& cases);

// The rounds of a run.
// A whole suite has four rounds by N: up to the study's second size, up to its third, up to its fourth, and
// beyond. Named problems belong to the first of these. Any other run has all its cases in the first round.
// From the second round on, a variant is left out if it was much slower than its model's fastest at the next
// smaller size. In the second round this applies to GPUs only, because small sizes mainly show the start of
// CPU threads. It is also left out if a call would take more than a second, or its preparation more than two.
// Libraries and serial.baseline stay. In the last round each model keeps its fastest variant with short
// preparation, and variants at most a tenth slower. Libraries and serial.baseline stay. Only a kernel's first
// element type and calls of up to a quarter of a second are measured. Slowness at smaller sizes is no reason
// to leave out a variant that is meant for arrays larger than the caches (Variant::for_large_arrays). Named
// problems form one round per class. A case is not begun if the time of a smaller class predicts that it
// would exceed the time limit.
class Rounds {
 public:
  // Adds a result of this run, or of a run that it continues.
  void add(const Measurement& measurement);

  // Forms the rounds. `timeout` is the time limit of a case in seconds.
  void plan(const std::vector<Case>& cases, bool whole_suite,
            double timeout = std::numeric_limits<double>::infinity());
  // Returns the cases of the next non-empty round, without those left out because of the results added so
  // far. The result is empty after the last round.
  std::vector<Case> next();
  // Returns the cases that were not begun since the previous call of this function. They have status
  // timed_out and a reason.
  std::vector<Measurement> not_begun();
  bool has_not_begun() const { return !not_begun_.empty(); }
  // Returns the number of cases in later rounds, including those that may be left out.
  std::size_t later() const;
  // Describes the cases that the last call of `next` left out; empty: none.
  const std::string& note() const { return note_; }

 private:
  struct Took {
    double call, preparation;  // Seconds
  };
  using Times = std::map<std::string, Took>;  // By variant.

  // Returns the times at the next smaller size and stores that size in `n`, or returns null if there is none.
  const Times* before(const Case& one, std::int64_t* n) const;
  bool is_worth(const Case& one, std::size_t round) const;
  void add_not_begun(const Case& what, const std::string& why);

  struct Round {
    std::size_t of_size = 0;
    std::vector<Case> cases;
  };

  bool whole_suite_ = false, begun_ = false;
  double timeout_ = 0;
  std::vector<Round> rounds_;
  std::size_t at_ = 0;
  ClassTimes class_times_;
  std::vector<Measurement> not_begun_;
  std::map<std::string, std::map<std::int64_t, Times>> times_;  // By kernel, type and parameters, and by N.
  std::string note_;
};

}  // namespace sextant
