// The model's parameters, from one set of samples: once from those measured, and again and again from samples
// drawn of them, which gives the band.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scaling/model.hpp"

namespace sextant::scaling {

class Fitted {
 public:
  // `measured`: the first is of this curve, with the most parts.
  Fitted(const Cut& cut, const std::vector<Sampled>& measured);

  const std::string& why_not() const { return why_not_; }
  const FittedTier& link() const { return link_; }
  double hidden() const { return hidden_; }
  double smallest() const { return rates_.front().items; }

  // `items` and `cores` of a part. Without a network all messages are as those that were measured.
  Predicted at(int parts, double items, double cores, const std::optional<Network>& network) const;

 private:
  struct Rate {
    double items = 0, seconds = 0;  // of a part; seconds on one core, an item
  };

  double seconds_an_item(double items) const;

  Cut cut_;
  std::vector<Rate> rates_;  // by size
  FittedTier link_;
  double hidden_ = 0;
  std::vector<double> samples_;  // of the parts that took longest
  int parts_of_samples_ = 1;
  std::string why_not_;
};

}  // namespace sextant::scaling
