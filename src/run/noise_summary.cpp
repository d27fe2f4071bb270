#include "run/noise_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "base/plural.hpp"
#include "present/format.hpp"
#include "record/lasting.hpp"
#include "run/progress.hpp"

namespace sextant {
namespace {

constexpr std::size_t most_lines = 5;

}  // namespace

void NoiseSummary::add(const Measurement& measurement) {
  if (measurement.status != Status::ok || measurement.call_times.empty()) return;
  ++timed_;
  const Interval call = lasting_interval(measurement.call_times);
  if (call.samples < min_interval_samples) {
    ++few_;
    return;
  }
  const double share = noise(call);
  if (!(share <= max_noise_)) noisy_.push_back({share, describe(measurement.what) + ": " + noise_text(call)});
}

std::string NoiseSummary::text(const std::string& load, const std::string& again) const {
  std::string text;
  if (!noisy_.empty()) {
    text = fmt::format("{} of {} {} noisier than ± {} %{}; the worst:\n", noisy_.size(),
                       plural(timed_, "case"), noisy_.size() == 1 ? "is" : "are",
                       format_significant(100 * max_noise_), load.empty() ? "" : " (" + load + ")");
    std::vector<Noisy> worst = noisy_;
    std::stable_sort(worst.begin(), worst.end(),
                     [](const Noisy& a, const Noisy& b) { return a.noise > b.noise; });
    worst.resize(std::min(worst.size(), most_lines));
    for (const Noisy& one : worst) text += "  " + one.line + "\n";
    text += "on a quieter machine, measure them again: " + again;
  }
  if (few_ > 0)
    text += fmt::format("{}{} of {} {} fewer than {} samples: how noisy they are is not known",
                        text.empty() ? "" : "\n", few_, plural(timed_, "case"), few_ == 1 ? "has" : "have",
                        min_interval_samples);
  return text;
}

std::string load_text() {
  double load = 0;
  if (getloadavg(&load, 1) != 1) return {};
  const unsigned processors = std::max(1u, std::thread::hardware_concurrency());
  return fmt::format("load average {:.1f} on {}", load, plural(processors, "processor"));
}

}  // namespace sextant
