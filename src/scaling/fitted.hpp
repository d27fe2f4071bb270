// Fits the parameters of the scaling model to samples. For the confidence band, the model repeats the fit
// with resampled data (bootstrap).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scaling/model.hpp"

namespace sextant::scaling {

class Fitted {
 public:
  // The first of `measured` must have the most partitions of the curve to predict.
  Fitted(const Cut& cut, const std::vector<Sampled>& measured);

  const std::string& why_not() const { return why_not_; }
  const FittedTier& link() const { return link_; }
  double hidden() const { return hidden_; }
  double smallest() const { return rates_.front().items; }

  // Predicts the time of a call. `items` and `cores` are per partition. Without a network, all messages are
  // as fast as the measured ones.
  Predicted at(int parts, double items, double cores, const std::optional<Network>& network) const;

 private:
  struct Rate {
    double items = 0, seconds = 0;  // items of a partition; seconds that one core needs per item
  };

  double seconds_an_item(double items) const;

  Cut cut_;
  std::vector<Rate> rates_;  // measured rates, sorted by number of items
  FittedTier link_;
  double hidden_ = 0;
  // samples of the computing time, from the measurement with the most partitions
  std::vector<double> samples_;
  int parts_of_samples_ = 1;
  std::string why_not_;
};

}  // namespace sextant::scaling
