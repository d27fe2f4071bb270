// Predicts the time of a problem in more partitions than were measured. Predictions are never stored as
// measurements.
// Computing follows the measured times of partitions of that size. Messages follow Hockney's formula, fitted
// to the measured exchanges. The overlap of both is as measured. The imbalance of partitions follows from the
// spread of their samples.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/summary/scaling.hpp"
#include "scaling/network.hpp"

namespace sextant::scaling {

// A measurement with its samples.
struct Sampled {
  int parts = 1;
  double items = 0;  // of one partition
  double cores = 1;  // of one partition
  double bytes_sent = 0;
  std::vector<double> all, compute, exchange;  // Seconds. Empty if exchanging was not measured separately.
};

struct Predicted {
  int parts = 1;
  std::optional<int> nodes;  // from the network's devices per node
  // Seconds per call. low and high: the 2.5 % and 97.5 % quantiles of the bootstrap.
  double time = 0, low = 0, high = 0;
  double compute = 0, exchange = 0, exposed = 0;
  // Expected ratio of the slowest partition's computing time to that of the measured partitions.
  double imbalance = 1;
  std::optional<double> measured;
  std::optional<double> speedup, efficiency;  // relative to one partition, if that was measured
};

struct Model {
  std::string machine, title;
  std::string why_not;  // Why there is no model. Empty: there is one.
  bool weak = false;
  Cut cut;
  FittedTier link;
  double hidden = 0;     // Fraction of the shorter of computing and exchanging that overlaps the longer.
  int fitted_up_to = 0;  // Largest number of partitions that the fit uses.
  int left_out = 0;      // Largest number of partitions measured, which tests the fit.
  double error = 0;      // Predicted over measured time for left_out, minus 1.
  std::vector<std::string> assumptions;  // Complete sentences.
  std::string stops;                     // Why the prediction ends early, with the remedy.
  std::vector<Predicted> points;
};

inline constexpr int fewest_counts = 3;  // different numbers of partitions that a model needs

// Predicts the numbers of partitions in `counts`, in their order. `summaries`: all of the file, because other
// sizes show how long smaller partitions compute.
Model model_of(const ScalingCurve& curve, const std::vector<Summary>& summaries,
               const std::vector<int>& counts, const std::optional<Network>& network);

// Expected largest of `draws` random draws from the samples. `draws` may be fractional.
double expected_largest(std::vector<double> samples, double draws);

}  // namespace sextant::scaling
