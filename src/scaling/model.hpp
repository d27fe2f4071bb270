// Predicts the time of a problem with more partitions than were measured. The prediction combines:
//   - computing: the measured rates of partitions of similar size
//   - messages: Hockney's formula, fitted to the measured exchanges
//   - overlap of computing and messages: as measured
//   - imbalance between partitions: from the spread of the samples
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
  double items = 0;  // items of one partition
  double cores = 1;  // cores of one partition
  double bytes_sent = 0;
  // samples in seconds; compute and exchange are empty if they were not measured
  std::vector<double> all, compute, exchange;
};

struct Predicted {
  int parts = 1;
  std::optional<int> nodes;  // number of cluster nodes
  // Seconds per call. low and high are the 2.5 % and 97.5 % quantiles of the bootstrap.
  double time = 0, low = 0, high = 0;
  double compute = 0, exchange = 0, exposed = 0;
  // Expected computing time of the slowest partition, relative to the measured slowest one.
  double imbalance = 1;
  std::optional<double> measured;
  std::optional<double> speedup, efficiency;  // relative to one partition, if that was measured
};

struct Model {
  std::string machine, title;
  std::string why_not;  // why there is no model; else empty
  bool weak = false;
  Cut cut;
  FittedTier link;
  double hidden = 0;     // fraction of the shorter phase (computing or exchanging) that overlaps the longer
  int fitted_up_to = 0;  // largest number of partitions in the fit
  int left_out = 0;      // largest measured number of partitions; it tests the fit
  double error = 0;      // predicted over measured time for `left_out` partitions, minus 1
  std::vector<std::string> assumptions;  // complete sentences for the user
  // why the prediction ends before the requested number of partitions
  std::string stops;
  std::vector<Predicted> points;
};

inline constexpr int fewest_counts = 3;  // a model needs measurements at this many numbers of partitions

// Predicts the times for the numbers of partitions in `counts`, in their order. `summaries` contains all
// results of the file, because other problem sizes show how fast smaller partitions compute.
Model model_of(const ScalingCurve& curve, const std::vector<Summary>& summaries,
               const std::vector<int>& counts, const std::optional<Network>& network);

// Returns the expected maximum of `draws` random draws from the samples. `draws` need not be an integer.
double expected_largest(std::vector<double> samples, double draws);

}  // namespace sextant::scaling
