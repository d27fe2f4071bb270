// Measures small sizes of the asked kernels for a moment before `sextant advise` answers.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "cli/advise/ground.hpp"
#include "cli/advise/questions.hpp"
#include "record/results.hpp"

namespace sextant {

// Sizes to probe for the questions, in ascending order: the largest asked N, and an eighth, a 64th, … of it.
// Empty if no question has an N.
std::vector<std::int64_t> probed_sizes(const std::vector<Question>& questions);

// Returns the cases to probe among `ladder`, which has a question for each probed size: small sizes first,
// and serial code, threads and GPU variants of each size. Leaves out what `known` contains for this hardware:
// the case, or two other sizes of its option.
std::vector<Case> cases_to_probe(const std::vector<Question>& ladder, const predict::DataSet& known,
                                 const std::string& hardware);

// Decides which cases the seconds suffice for, from the cases that were measured before.
class ProbeBudget {
 public:
  explicit ProbeBudget(double seconds) : left_(seconds) {}
  // Returns why the case is not probed, or an empty text.
  std::string refuse(const Case& what) const;
  void add(const Measurement& measured);
  void spend(double seconds) { left_ -= seconds; }
  double left() const { return left_; }

 private:
  struct Call {
    double n = 0, seconds = 0;
  };
  static std::string series_of(const Case& what);  // the same at all sizes of a variant
  double expected_call(const std::string& series, const Case& what) const;

  double left_;
  std::map<std::string, Call> calls_;    // by series: the call at the largest measured size
  std::map<std::string, int> measured_;  // by series: number of measured sizes
  std::set<std::string> failed_;
};

// Measures the probes for at most predict::probe_seconds, without starting devices and compiling code.
// Returns them as a session. Results are checked; a case that fails costs only its own option.
Results probe(const std::vector<Case>& cases, const AdviceGround& ground, bool quiet);

}  // namespace sextant
