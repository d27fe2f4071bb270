// Splits a run into rounds, from small problems to large ones. Variants that were slow on small problems can
// then be left out on large ones, where they would take long.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/measurement.hpp"
#include "run/class_times.hpp"

namespace sextant {

// Returns true if the selection consists of whole suites other than the study, or of some of their kernels,
// at the default sizes of these kernels, as in `run --suite patterns`.
bool is_whole_suite(const Selection& selection);

// Removes variants of the models stdpar and target from the cases of a whole suite. They are measured only on
// request.
std::vector<Case> without_models_asked_for(const std::vector<Case>& cases);

// Divides the cases of a run into rounds.
//
// A whole suite has four rounds: N up to the study's second size (suite/presentation.hpp), up to its third,
// up to its fourth, and beyond. Other runs have only one.
//
// Rounds 2 and 3 leave out a variant if:
//   - at the next smaller size it was much slower than the fastest variant of its model (in round 2 on GPUs
//     only, because small problems on the CPU mainly show the start of threads)
//   - a call would take more than one second, or its preparation more than two
//
// Round 4 measures only the kernel's first element type and calls of up to a quarter of a second. Each model
// keeps its fastest variant with short preparation, and variants at most a tenth slower.
//
// Libraries and serial.baseline are never left out as slow. Neither are variants for arrays larger than the
// caches (Variant::for_large_arrays).
//
// Named problems (such as the NAS classes S, W, A) form one round per class. A case is not begun if the time
// of a smaller class predicts that it would exceed the time limit.
class Rounds {
 public:
  // Adds a result of this run, or of an earlier run that it continues.
  void add(const Measurement& measurement);

  // Forms the rounds from `cases`. `timeout` is the time limit of a case in seconds.
  void plan(const std::vector<Case>& cases, bool whole_suite,
            double timeout = std::numeric_limits<double>::infinity());
  // Returns the cases of the next non-empty round, without those left out because of the results added so
  // far. The result is empty after the last round.
  std::vector<Case> next();
  // Returns the cases that were not begun since the previous call of this function. They have status
  // timed_out and a reason.
  std::vector<Measurement> not_begun();
  bool has_not_begun() const { return !not_begun_.empty(); }
  // Returns the number of cases in later rounds. Some of them may still be left out.
  std::size_t later() const;
  // Returns a text about the cases that the last call of next() left out; empty if there are none.
  const std::string& note() const { return note_; }

 private:
  struct Took {
    double call, preparation;  // seconds of a call, and of the variant's preparation
  };
  using Times = std::map<std::string, Took>;  // times of the variants, by variant name

  // Returns the times of all variants at the next smaller size, and stores that size in `n`. Returns null if
  // no smaller size was measured.
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
  // keys: a text of kernel, type and parameters, then N
  std::map<std::string, std::map<std::int64_t, Times>> times_;
  std::string note_;
};

}  // namespace sextant
