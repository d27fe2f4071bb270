#include "plan/estimate.hpp"

#include <algorithm>
#include <cmath>

#include "record/keys.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

// Returns the load of a case: its bytes of memory traffic plus 0.25 bytes per FLOP. The factor is a rough
// ratio of their costs on a processor.
double load_of(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry || !entry->kernel.work) return 0;
  const Work work = entry->kernel.work(what.problem);
  return static_cast<double>(work.bytes_read) + static_cast<double>(work.bytes_written) +
         0.25 * static_cast<double>(work.flops);
}

}  // namespace

// Returns the least-squares slope of seconds over load. It is 0 below three standard errors, or with fewer
// than three points.
double Estimate::Line::slope() const {
  if (count < 3) return 0;
  const double mean_load = load / count, mean = seconds / count;
  const double spread = load_squared / count - mean_load * mean_load;
  if (spread <= 1e-9 * mean_load * mean_load) return 0;
  const double slope = (load_seconds / count - mean_load * mean) / spread;
  const double scatter = seconds_squared / count - mean * mean - slope * slope * spread;
  const double error = std::sqrt(std::max(0.0, scatter) / (spread * (count - 2)));
  return slope > 3 * error ? slope : 0;
}

double Estimate::Line::at(double x) const {
  if (count == 0) return 0;
  const double mean_load = load / count, mean = seconds / count;
  double steepness = slope();
  if (mean - steepness * mean_load < 0)
    // a negative constant part would be meaningless
    steepness = mean_load > 0 ? mean / mean_load : 0.0;
  return mean + steepness * (x - mean_load);
}

Estimate::Estimate(const std::vector<Case>& cases) {
  for (const Case& what : cases) {
    Group& group = groups_[model_of(what.variant)][what.kernel + "|" + what.variant];
    group.cases_left += 1;
    group.load_left += load_of(what);
  }
}

void Estimate::ended(const Case& what, double seconds) {
  const double load = load_of(what);
  Line& line = models_[model_of(what.variant)];
  for (Line* one : {&line, &all_}) {
    one->count += 1;
    one->load += load;
    one->seconds += seconds;
    one->load_squared += load * load;
    one->load_seconds += load * seconds;
    one->seconds_squared += seconds * seconds;
  }
  Group& group = groups_[model_of(what.variant)][what.kernel + "|" + what.variant];
  group.cases_left -= 1;
  group.load_left -= load;
  group.seconds += seconds;
  group.predicted += line.at(load);
}

double Estimate::remaining() const {
  if (all_.count == 0) return -1;
  double sum = 0;
  for (const auto& [model, groups] : groups_) {
    const auto found = models_.find(model);
    const Line& line = found == models_.end() ? all_ : found->second;
    for (const auto& [name, group] : groups) {
      if (group.cases_left < 0.5) continue;
      const double ratio = group.predicted > 0 ? std::clamp(group.seconds / group.predicted, 0.1, 10.0) : 1.0;
      sum += ratio * group.cases_left * line.at(group.load_left / group.cases_left);
    }
  }
  return sum;
}

}  // namespace sextant
