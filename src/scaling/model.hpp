// The time of a problem in more parts than were measured. It is a model and never a measurement: computing by
// the measured times of parts of that size, messages by Hockney's formula fitted to the measured exchanges,
// what is hidden as measured, and how uneven parts are by their samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/summary/scaling.hpp"
#include "scaling/network.hpp"

namespace sextant::scaling {

// A measured time with the samples that it is the median of.
struct Sampled {
  int parts = 1;
  double items = 0;  // of a part
  double cores = 1;  // of a part
  double bytes_sent = 0;
  std::vector<double> all, compute, exchange;  // exchange is empty where it was not measured apart
};

struct Predicted {
  int parts = 1;
  std::optional<int> nodes;            // by the network's devices a node
  double time = 0, low = 0, high = 0;  // of a call; the bootstrap's 2.5 % and 97.5 %
  double compute = 0, exchange = 0, exposed = 0;
  double imbalance =
      1;  // how much longer the slowest part is expected to compute than those that were measured
  std::optional<double> measured;
  std::optional<double> speedup, efficiency;  // over one part, where that was measured
};

struct Model {
  std::string machine, title;
  std::string why_not;  // not empty: there is none, and this is the reason
  bool weak = false;
  Cut cut;
  FittedTier link;
  double hidden = 0;                     // share of the shorter of computing and exchanging
  int fitted_up_to = 0;                  // parts: the most that the fit has seen
  int left_out = 0;                      // the most that were measured, which it has not
  double error = 0;                      // there: predicted over measured, less 1
  std::vector<std::string> assumptions;  // sentences
  std::string stops;                     // why it does not go on, with the remedy
  std::vector<Predicted> points;
};

inline constexpr int fewest_counts = 3;  // of parts, for a model

// The parts of `counts` in their order. `summaries`: all of the file, whose other sizes say what smaller
// parts take.
Model model_of(const ScalingCurve& curve, const std::vector<Summary>& summaries,
               const std::vector<int>& counts, const std::optional<Network>& network);

// The largest of so many draws from the samples, expected; draws need not be whole.
double expected_largest(std::vector<double> samples, double draws);

}  // namespace sextant::scaling
