#include "run/too_fast.hpp"

#include <fmt/format.h>

#include "analysis/summary/summary.hpp"
#include "registry/registry.hpp"
#include "run/progress.hpp"

namespace sextant {
namespace {

const Variant* variant_of(const Measurement& measurement) {
  const RegisteredKernel* kernel = find_kernel(measurement.what.kernel);
  return kernel ? find_variant(*kernel, measurement.what.variant) : nullptr;
}

DependsOn prepares_for(const Variant* variant) {
  return variant && variant->prepare ? variant->prepare_depends_on : DependsOn::sizes;
}

}  // namespace

Measurement TooFast::judged(const Measurement& measurement) const {
  Measurement judged = measurement;
  const Variant* variant = variant_of(measurement);
  const bool has_other_work = variant && variant->excluded_from_ranking;
  if (measurement.status != Status::ok || ceilings_.empty() || has_other_work) return judged;
  judged.reason = held_against(ceilings_, measurement, prepares_for(variant)).why_impossible;
  if (!judged.reason.empty()) judged.status = Status::impossible;
  return judged;
}

std::string TooFast::doubt(const Measurement& measurement) {
  if (!held_against(ceilings_, measurement, prepares_for(variant_of(measurement))).beyond_ceiling) return {};
  cases_.push_back(describe(measurement.what));
  return "faster than the ceilings of " + measurement.what.device;
}

std::string TooFast::text() const {
  constexpr std::size_t most_lines = 5;
  if (cases_.empty()) return {};
  std::string text = fmt::format(
      "{} case{} faster than the ceilings (the device's highest measured speeds) allow. Results were cached, "
      "work was skipped, or the ceilings are too low (see `sextant list ceilings`)",
      cases_.size(), cases_.size() == 1 ? " is" : "s are");
  for (std::size_t i = 0; i < cases_.size() && i < most_lines; ++i) text += "\n  " + cases_[i];
  return text + (cases_.size() > most_lines ? "\n  …" : "");
}

}  // namespace sextant
