#include "analysis/summary/roofline.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/place.hpp"

namespace sextant {
namespace {

// Interpolates y linearly between (x0, y0) and (x1, y1).
double between(double x, double x0, double y0, double x1, double y1) {
  return x1 > x0 ? y0 + (y1 - y0) * (x - x0) / (x1 - x0) : y0;
}

double log_of(std::int64_t footprint) {
  return std::log(static_cast<double>(std::max<std::int64_t>(footprint, 1)));
}

double at(const std::map<std::int64_t, double>& curve, std::int64_t footprint) {
  const auto above = curve.lower_bound(footprint);
  if (above == curve.end()) return curve.rbegin()->second;
  if (above == curve.begin()) return above->second;
  const auto below = std::prev(above);
  return between(log_of(footprint), log_of(below->first), below->second, log_of(above->first), above->second);
}

bool is_rate_of_links(const std::string& name) {
  return name.starts_with("link_") && !name.ends_with("_latency");
}

}  // namespace

std::vector<std::string> devices_of_ceilings(const std::string& device) {
  const auto place = place_of(device);
  if (!place || !place->is_team()) return {device};
  return {"gpu" + std::to_string(place->device), device};
}

Roofline::Roofline(const std::vector<Ceiling>& ceilings, const std::string& device) {
  const std::string each = devices_of_ceilings(device).front();
  if (const auto place = place_of(device); place && place->is_team()) devices_ = place->devices;
  // Maps each bandwidth benchmark to its fraction of writes: bytes written over bytes read and written.
  static const std::map<std::string, double> write_shares = {
      {"read", 0.0}, {"triad", 1.0 / 3}, {"copy", 1.0 / 2}, {"write", 1.0}};
  for (const Ceiling& ceiling : ceilings) {
    if (devices_ > 1 && ceiling.device == device && is_rate_of_links(ceiling.name))
      link_rate_ = std::max(link_rate_, ceiling.value);
    if (ceiling.device != each || !(ceiling.value > 0)) continue;
    if (const auto pattern = write_shares.find(ceiling.name); pattern != write_shares.end())
      curves_[pattern->second][ceiling.footprint] = ceiling.value;
    if (ceiling.name == "fp32") flop_rates_[ElementType::float32] = ceiling.value;
    if (ceiling.name == "fp64") flop_rates_[ElementType::float64] = ceiling.value;
    if (ceiling.name == "int32") integer_rate_ = ceiling.value;
    if (ceiling.name == "fp64_tensor") matrix_rates_[ElementType::float64] = ceiling.value;
    if (ceiling.name == "bf16_tensor") matrix_rates_[ElementType::float32] = ceiling.value;
    if (ceiling.name.starts_with("launch_")) launch_costs_[ceiling.name] = ceiling.value;
  }
}

std::optional<double> Roofline::bandwidth(std::int64_t footprint, double write_share) const {
  if (curves_.empty()) return std::nullopt;
  const auto above = curves_.lower_bound(write_share);
  if (above == curves_.end()) return at(curves_.rbegin()->second, footprint);
  if (above == curves_.begin()) return at(above->second, footprint);
  const auto below = std::prev(above);
  return 1 / between(write_share, below->first, 1 / at(below->second, footprint), above->first,
                     1 / at(above->second, footprint));
}

std::optional<double> Roofline::flop_rate(ElementType type, bool matrix_units) const {
  if (matrix_units)
    if (const auto found = matrix_rates_.find(type); found != matrix_rates_.end())
      return devices_ * found->second;
  const auto found = flop_rates_.find(type);
  return found == flop_rates_.end() ? std::nullopt : std::optional(devices_ * found->second);
}

std::optional<double> Roofline::launch_cost(const std::string& model) const {
  const auto found = launch_costs_.find("launch_" + (model == "library" ? std::string("cuda") : model));
  return found == launch_costs_.end() ? std::nullopt : std::optional(found->second);
}

std::int64_t Roofline::least_footprint() const {
  std::int64_t least = 0;
  for (const auto& [share, curve] : curves_)
    if (!least || curve.begin()->first < least) least = curve.begin()->first;
  return least;
}

std::optional<Bound> Roofline::bound(const Work& work, const Problem& problem, CacheMode cache,
                                     bool matrix_units) const {
  if (work.bytes_sent > 0 && lacks_links()) return std::nullopt;
  std::optional<Bound> bound;
  const std::int64_t bytes = work.bytes_read + work.bytes_written;
  const std::int64_t working_set =
      problem.n > 0 ? problem.n * static_cast<std::int64_t>(element_size(problem.type)) : bytes;
  const std::int64_t footprint =
      cache == CacheMode::cold ? std::numeric_limits<std::int64_t>::max() : working_set / devices_;
  if (bytes > 0)
    if (const auto rate =
            bandwidth(footprint, static_cast<double>(work.bytes_written) / static_cast<double>(bytes)))
      bound = Bound{static_cast<double>(bytes) / devices_ / *rate};
  const auto compute = [&](std::int64_t operations, double rate) {
    const double seconds = static_cast<double>(operations) / rate;
    if (!bound || seconds > bound->seconds) bound = Bound{.seconds = seconds, .by_arithmetic = true};
  };
  if (const auto rate = flop_rate(problem.type, matrix_units); work.flops > 0 && rate)
    compute(work.flops, *rate);
  if (work.integer_operations > 0 && integer_rate_ > 0)
    compute(work.integer_operations, devices_ * integer_rate_);
  if (bound && devices_ > 1 && work.bytes_sent > 0) {
    const double seconds = static_cast<double>(work.bytes_sent) / link_rate_;
    if (seconds > bound->seconds) bound = Bound{.seconds = seconds, .by_link = true};
  }
  return bound;
}

}  // namespace sextant
