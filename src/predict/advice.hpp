// The answer to which option to take: what each will take, the decision, what would change it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/predictor.hpp"

namespace sextant::predict {

using Offered = std::array<bool, option_count>;  // by option: there is code for it

struct Advice {
  Prediction prediction;
  std::vector<Outlook> outlooks;  // of the options that are offered and predicted
  Decision decision;
  std::optional<Option> choice;  // nothing: no option is offered and predicted
  std::vector<std::string>
      outside;           // features beyond what the model learnt from, where the choice was not measured
  bool abstains = true;  // the decision does, or `outside` has something
  std::vector<Option>
      to_measure;  // where it abstains: the fewest that are to make it sure, the most telling first
  double loss_when_measured = 0;   // expected of the decision then
  std::optional<Option> resident;  // what would be chosen were the data where each option wants them
  // Uses of the data from which an option on the GPU is expected to be the fastest with its copies; nothing:
  // it never is, or it is at one use.
  std::optional<double> pays_from;

  const Outlook& outlook(Option option) const;  // of one that is in `outlooks`
  bool has(Option option) const;
  // The option of least time but for `option`; nothing: there is no other.
  std::optional<Option> next_best(Option option) const;
};

// `risk`: the expected loss above which it abstains.
Advice advise(const Predictor& predictor, const Asked& asked, const Offered& offered, double risk);

// What would be chosen if each option took so many seconds more, once; `advice` has a choice.
Option choice_with(const Advice& advice, const std::array<double, option_count>& more);

// How many times faster `option` is than `other`, with its 90 % interval.
struct Gain {
  double low = 0, factor = 0, high = 0;
};
Gain gain(const Advice& advice, Option option, Option other);

// A size at which the fastest option goes over to another place: one core, all cores, the GPU; with the
// interval of 90 % in which it does; nothing: beyond the sizes.
struct Crossover {
  Option before = Option::serial, after = Option::serial;
  double n = 0;
  std::optional<double> low, high;
};

// Of advice at ascending sizes. The options are compared by the times that are expected.
std::vector<Crossover> crossovers(const std::vector<std::pair<std::int64_t, Advice>>& over_sizes);

// A measured case of an option, as the one to do again.
struct KnownBest {
  const DataRow* row = nullptr;
  bool here = false;          // on this machine
  bool same_problem = false;  // of the problem itself, else of the nearest size
};

// The fastest of the option among the cases of `what`'s kernel and type at the nearest size, on this machine
// before others. Null where there is none.
KnownBest known_best(const DataSet& data, const std::string& hardware, const Case& what, Option option,
                     Target target);

}  // namespace sextant::predict
