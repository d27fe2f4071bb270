// Scores advice as a user gets it for one kernel: with nothing run, after the default probe, after a probe of
// two sizes, and after two measurements. The straight line through the two probed sizes is the rival.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"
#include "predict/model.hpp"

namespace sextant::predict {

// Estimated seconds that a probe of a case takes, from those of a call of serial code and of the case. The
// check calls the reference.
inline double seconds_of_probe(double serial_call, double call) { return 0.01 + 4 * serial_call + 8 * call; }
// Most seconds that the probes of a command take.
inline constexpr double probe_seconds = 1;

// How many measured times lie inside their 90 % intervals.
struct Inside {
  std::size_t times = 0, inside = 0;
  std::optional<double> share() const {
    return times > 0 ? std::optional(static_cast<double>(inside) / static_cast<double>(times)) : std::nullopt;
  }
};

// The scores of one way to ask. A score is the time of the fastest variant over that of the advised variant,
// as the geometric mean over all problems. A problem whose advised variant was not measured scores 0.1.
struct AsUsed {
  std::string way;        // "nothing run", "sizes 1 and 2 probed", …
  bool resident = false;  // true: one call with the data in place; false: a single use with copies
  std::size_t problems = 0;
  double fraction = 0;
  std::optional<double> line;  // score of the straight line through the two probed sizes of each option
  double sure = 0;             // share of the problems where the advice is sure
  std::optional<double> fraction_when_sure;
  Inside all, serial, threads, gpu, integers;  // without times that were measured for the answer
  std::optional<double> width;                 // median of upper end / lower end of the intervals
};

// Returns the first variant of an option that the program has for a problem; empty if it has none.
using FirstVariant = std::function<std::string(const Case& problem, Option option)>;

// Returns the model to ask about a case. It must outlive the scores' computation.
using ModelOf = std::function<const AdviceModel&(const Case&)>;

// Asks for each problem with at least two measured options, on each machine. `risk`: as for advise().
std::vector<AsUsed> scores_as_used(const ModelOf& model, const DataSet& data, double risk,
                                   const FirstVariant& first_variant);

}  // namespace sextant::predict
