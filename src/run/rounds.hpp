// A run in rounds, from small problems to large ones: what is known to be slow is not measured where it takes
// long.
#pragma once

#include <limits>
#include <map>
#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/measurement.hpp"
#include "run/class_times.hpp"

namespace sextant {

// Whether all of suites other than the study, or of some of their kernels, is asked for, at their own sizes:
// `run --suite patterns`.
bool is_whole_suite(const Selection& selection);

// Of a whole suite's plan: without the models that are asked for by name, stdpar and target, as in the study.
std::vector<Case> without_models_asked_for(const std::vector<Case>& cases);

// The cases of a run, in rounds. Of a whole suite there are four: problems with names and the study's two
// smaller sizes, its third, its last, and what is larger, each with what lies below it. From the second on
// forms are left out that took much longer at the size before than the fastest of their model (in the second
// on GPUs alone, as small sizes tell of threads' starts), or would take longer than a second a call or two to
// prepare; serial.baseline and libraries stay. In the last all are left out but the fastest of each model
// that is prepared as soon, what takes a tenth longer at most, libraries and serial.baseline, and of these
// types but a kernel's first and what would take longer than a quarter of a second a call. Of forms that are
// meant for arrays that no cache holds (Variant::for_large_arrays) smaller ones are no reason to leave them
// out. Any other run has all its cases in the first of these.
//
// Problems with names go from class to class, a round each. A case is not begun whose form would by a smaller
// class take longer than a case may.
class Rounds {
 public:
  // A result, of this run or of one that it continues.
  void add(const Measurement& measurement);

  // `timeout`: seconds that a case may take.
  void plan(const std::vector<Case>& cases, bool whole_suite,
            double timeout = std::numeric_limits<double>::infinity());
  // The next round that has cases left, without what is left out by what has been added; empty: there is
  // none.
  std::vector<Case> next();
  // What was not begun since the last call of this: as good as timed out, with why.
  std::vector<Measurement> not_begun();
  bool has_not_begun() const { return !not_begun_.empty(); }
  // Cases of later rounds, those that may be left out included.
  std::size_t later() const;
  // What the last call of `next` left out; empty: nothing.
  const std::string& note() const { return note_; }

 private:
  struct Took {
    double call, preparation;  // seconds
  };
  using Times = std::map<std::string, Took>;  // by variant

  const Times* before(const Case& one,
                      std::int64_t* n) const;  // those at the size before, and which; null: none
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
  std::map<std::string, std::map<std::int64_t, Times>> times_;  // by kernel, type and parameters, and by N
  std::string note_;
};

}  // namespace sextant
