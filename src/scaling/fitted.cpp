#include "scaling/fitted.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "record/statistics.hpp"

namespace sextant::scaling {
namespace {

double median_of_samples(const std::vector<double>& samples) { return median_interval(samples).median; }

}  // namespace

Fitted::Fitted(const Cut& cut, const std::vector<Sampled>& measured) : cut_(cut) {
  // computing times per item, by the number of items of a partition
  std::map<double, std::vector<double>> rates;
  std::vector<TimedMessages> messages;
  std::vector<double> hidden;
  for (const Sampled& one : measured) {
    const double all = median_of_samples(one.all);
    const double compute = one.compute.empty() ? one.parts == 1 ? all : 0 : median_of_samples(one.compute);
    if (!(compute > 0) || !(one.items > 0)) continue;
    rates[one.items].push_back(compute * one.cores / one.items);
    if (one.exchange.empty() || one.parts < 2 || cut.pattern == Exchange::Pattern::none) continue;
    const double exchange = median_of_samples(one.exchange);
    if (!(exchange > 0)) continue;
    Cut own = cut;
    own.bytes = bytes_of_cut(cut, one.parts, one.bytes_sent);
    own.planes = 0;
    messages.push_back({loads_of(own, one.parts, 0), exchange});
    hidden.push_back(std::clamp((compute + exchange - all) / std::min(compute, exchange), 0.0, 1.0));
  }
  for (const auto& [items, values] : rates) rates_.push_back({items, median_of_samples(values)});
  if (rates_.empty()) why_not_ = "the computing time was not measured below its largest number of parts";
  if (cut.pattern != Exchange::Pattern::none && messages.empty())
    why_not_ = "the exchange was not measured below its largest number of parts";
  if (!why_not_.empty()) return;
  if (!messages.empty()) {
    link_ = fit_tier(messages);
    hidden_ = median_of_samples(hidden);
  }
  const Sampled& first = measured.front();
  samples_ = first.compute.empty() ? first.all : first.compute;
  parts_of_samples_ = first.parts;
}

// Returns the seconds that one core needs per item in a partition of `items` items. Interpolates by a power
// law between measured sizes, and is constant beyond them.
double Fitted::seconds_an_item(double items) const {
  const auto above =
      std::find_if(rates_.begin(), rates_.end(), [&](const Rate& r) { return r.items >= items; });
  if (above == rates_.end()) return rates_.back().seconds;
  if (above == rates_.begin()) return above->seconds;
  const Rate &low = *(above - 1), &high = *above;
  const double share = std::log(items / low.items) / std::log(high.items / low.items);
  return low.seconds * std::pow(high.seconds / low.seconds, share);
}

Predicted Fitted::at(int parts, double items, double cores, const std::optional<Network>& network) const {
  Predicted point;
  point.parts = parts;
  if (network) point.nodes = (parts + network->devices_per_node - 1) / network->devices_per_node;
  // A sample is the time of the slowest of n = parts_of_samples_ partitions. So the slowest of `parts`
  // partitions is the slowest of parts / n samples.
  const double groups = std::max(1.0, static_cast<double>(parts) / parts_of_samples_);
  point.imbalance = expected_largest(samples_, groups) / expected_largest(samples_, 1);
  point.compute = seconds_an_item(items) * items / cores * point.imbalance;
  point.exchange = fastest(loads_of(cut_, parts, network ? network->devices_per_node : 0), link_.tier,
                           network ? network->tier() : link_.tier);
  point.exposed = point.exchange - hidden_ * std::min(point.compute, point.exchange);
  point.time = point.compute + point.exposed;
  return point;
}

}  // namespace sextant::scaling
