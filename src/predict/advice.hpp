// Advice on which option to take: expected times, the decision, and what would change it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant::predict {

using Offered = std::array<bool, option_count>;  // by option: code for it exists

struct Advice {
  Prediction prediction;
  std::vector<Outlook> outlooks;  // of options that are offered and predicted
  Decision decision;
  std::optional<Option> choice;  // nothing if no option is offered and predicted
  // Features, or the machine, outside the training range. Empty if the choice was measured.
  std::vector<std::string> outside;
  bool abstains = true;  // true if the decision abstains or `outside` is not empty
  // If it abstains: the fewest options whose measurement should make it sure, the most informative first.
  std::vector<Option> to_measure;
  double loss_when_measured = 0;   // expected loss of the decision after these measurements
  std::optional<Option> resident;  // choice if the data were already where each option needs them
  // Number of uses of the data from which a GPU option with its copies should be the fastest. Nothing if this
  // never happens or already holds for one use.
  std::optional<double> pays_from;

  const Outlook& outlook(Option option) const;  // `option` must be in `outlooks`
  bool has(Option option) const;
  // Option of least time other than `option`; nothing if there is no other.
  std::optional<Option> next_best(Option option) const;
};

// `risk`: expected loss above which the advice abstains.
Advice advise(const Predictor& predictor, const Asked& asked, const Offered& offered, double risk);

// Choice if each option took `more` additional seconds, once. `advice` must have a choice.
Option choice_with(const Advice& advice, const std::array<double, option_count>& more);

// Speedup of `option` over `other`, with its 90 % interval.
struct Gain {
  double low = 0, factor = 0, high = 0;
};
Gain gain(const Advice& advice, Option option, Option other);

// Size at which the fastest option moves between one core, all cores and the GPU. `low` and `high` are the
// ends of its 90 % interval; an end beyond the examined sizes is missing.
struct Crossover {
  Option before = Option::serial, after = Option::serial;
  double n = 0;
  std::optional<double> low, high;
};

// Compares the options' expected times in advice at ascending sizes.
std::vector<Crossover> crossovers(const std::vector<std::pair<std::int64_t, Advice>>& over_sizes);

// A measured case of an option, whose variant and tuning can be reused.
struct KnownBest {
  const DataRow* row = nullptr;
  bool here = false;          // on this machine
  bool same_problem = false;  // of the same problem; otherwise of the nearest size
};

// Fastest case of the option for the kernel and type of `what`, at the nearest size. This machine takes
// precedence over others. `row` is null if there is none.
KnownBest known_best(const DataSet& data, const std::string& hardware, const Case& what, Option option,
                     Target target);

}  // namespace sextant::predict
