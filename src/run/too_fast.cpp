#include "run/too_fast.hpp"

#include <fmt/format.h>

#include "analysis/summary/summary.hpp"
#include "run/progress.hpp"

namespace sextant {

std::string TooFast::doubt(const Measurement& measurement) {
  if (!is_beyond_ceiling(ceilings_, measurement)) return {};
  cases_.push_back(describe(measurement.what));
  return "faster than the ceilings of " + measurement.what.device;
}

std::string TooFast::text() const {
  constexpr std::size_t most_lines = 5;
  if (cases_.empty()) return {};
  std::string text = fmt::format(
      "{} case{} faster than the ceilings allow: cached, not done, or the ceilings ran slow (`sextant list "
      "ceilings`)",
      cases_.size(), cases_.size() == 1 ? " is" : "s are");
  for (std::size_t i = 0; i < cases_.size() && i < most_lines; ++i) text += "\n  " + cases_[i];
  return text + (cases_.size() > most_lines ? "\n  …" : "");
}

}  // namespace sextant
