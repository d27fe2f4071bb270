// How much of the best possible a way of choosing gets, on what it was not taught.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"
#include "predict/folds.hpp"

namespace sextant::predict {

// A problem on a machine, with what each option takes by its best variant and tuning.
struct Contest {
  std::size_t machine = 0, problem = 0;                     // places in the data set
  std::array<std::optional<Interval>, option_count> times;  // by option; nothing: not measured
  std::vector<std::size_t> rows;                            // of the data set, that it is made of

  const std::optional<Interval>& at(Option option) const { return times[static_cast<std::size_t>(option)]; }
  Option best() const;  // the oracle
  // Time of the best over an option's: 1 for the best and for those whose intervals meet its; 0.1 where the option was
  // not measured to end well.
  double fraction(Option option) const;
};

// Problems at which serial and OpenMP were measured, and CUDA and OpenACC where the machine has a GPU: so that a choice
// was one. Of correct cases, asides excluded.
std::vector<Contest> contests_of(const DataSet& data, Target target);

// A way of choosing: taught by some contests, it chooses at others, of which it must not read the times.
using Choose = std::function<Option(const Contest&)>;
struct Selector {
  std::string name;
  std::function<Choose(const DataSet&, Target, const std::vector<Contest>& taught)> teach;
};

// Always an option (serial, openmp, openacc, cuda); what was best on average; the least by physics; what was best at the
// nearest form.
std::vector<Selector> baselines();

// Each family on each machine counts the same.
struct Score {
  std::string selector;
  double fraction = 0;      // of the oracle: geometric mean
  double worst_family = 0;  // the least of a family, and its name
  std::string worst_name;
  double fifth_percentile = 0;  // of contests
  double top_one = 0;           // share in which the best was chosen, or one that ties with it
  std::size_t contests = 0;
};

// Every fold of the split held out in turn. Contests of which a row is in neither part are not used. Throws
// std::logic_error where the parts leak; folds without anything to be taught by are left out.
std::vector<Score> evaluate(const DataSet& data, Split split, Target target,
                            const std::vector<Selector>& selectors);

}  // namespace sextant::predict
