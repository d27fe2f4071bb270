// Advice on which option (programming model and device) to use for a kernel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant::predict {

using Offered = std::array<bool, option_count>;  // by option: true if code for the option exists

struct Advice {
  Prediction prediction;
  std::vector<Outlook> outlooks;  // expected times of the offered options that have a prediction
  Decision decision;
  std::optional<Option> choice;  // the recommended option; nothing if `outlooks` is empty
  // Names of the features outside the range of the training data. Contains "the machine" if the model does
  // not know the machine. Empty if the recommended option was measured.
  std::vector<std::string> outside;
  bool abstains = true;  // true if the decision is too uncertain or `outside` is not empty
  // If the advice abstains: the fewest options to measure for a certain enough decision, most informative
  // first.
  std::vector<Option> to_measure;
  double loss_when_measured = 0;   // expected loss of the decision after these measurements
  std::optional<Option> resident;  // the choice if the data were already on each option's device
  // Number of calls on the same data from which a GPU option, including its copies, should be the fastest.
  // Nothing if this never happens or already holds for one call.
  std::optional<double> pays_from;

  const Outlook& outlook(Option option) const;  // `option` must be in `outlooks`
  bool has(Option option) const;
  // The fastest option other than `option`; nothing if there is no other.
  std::optional<Option> next_best(Option option) const;
};

// `risk`: largest acceptable expected loss. The advice abstains if the expected loss is higher.
Advice advise(const Predictor& predictor, const Asked& asked, const Offered& offered, double risk);

// True if the option is known to lose at most `risk` against each other one: the 90 % intervals of the ratios
// of both times end there.
bool is_ahead(const Prediction& prediction, const std::vector<Outlook>& outlooks, Option option, double risk);

// The choice if option i took `more[i]` additional seconds once. `advice` must have a choice.
Option choice_with(const Advice& advice, const std::array<double, option_count>& more);

// What most of a call's time goes to: starting launches or threads, moving bytes, or operations.
enum class Bound : std::uint8_t { launches, memory, operations };

// The bound of a call that takes `seconds`, by the analytic model. Nothing if the model has no time.
std::optional<Bound> bound_of(const AnalyticModel& analytic, const Form& form, const Profile& profile,
                              Option option, double seconds);

// Speedup of `option` over `other`, with its 90 % interval.
struct Gain {
  double low = 0, factor = 0, high = 0;
};
Gain gain(const Advice& advice, Option option, Option other);

// A size `n` at which the fastest option changes between one core, all cores and the GPU. `low` and `high`
// are the ends of its 90 % interval; an end outside the examined sizes is missing.
struct Crossover {
  Option before = Option::serial, after = Option::serial;
  double n = 0;
  std::optional<double> low, high;
};

// Finds the crossovers. `over_sizes`: pairs of a size and its advice, in ascending order of size.
std::vector<Crossover> crossovers(const std::vector<std::pair<std::int64_t, Advice>>& over_sizes);

// A measured case of an option, whose variant and tuning can be reused.
struct KnownBest {
  const DataRow* row = nullptr;
  bool here = false;          // true if it was measured on this machine
  bool same_problem = false;  // true for the requested problem; false for the nearest measured size
};

// The fastest measured case of `option` for the kernel and type of `what`, at the nearest size. Cases
// measured on this machine (`hardware`) come first. `row` is null if there is no case.
KnownBest known_best(const DataSet& data, const std::string& hardware, const Case& what, Option option,
                     Target target);

}  // namespace sextant::predict
