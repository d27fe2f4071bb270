#include "cli/run/locked_clocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <set>

#include "base/error.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

constexpr double tolerance = 0.01;  // a GPU holds its clock if the samples' clock is this close to it

}  // namespace

std::optional<unsigned> parse_clock(const std::string& text) {
  constexpr unsigned least = 100, most = 10'000;
  if (text == "base") return std::nullopt;
  unsigned megahertz = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), megahertz);
  if (error != std::errc() || end != text.data() + text.size() || megahertz < least || megahertz > most)
    throw UserError("`" + text +
                    "` of --lock-clocks is not a clock. Give MHz, such as 1500 (`nvidia-smi -q -d "
                    "SUPPORTED_CLOCKS` lists them), or `base`.");
  return megahertz;
}

std::vector<std::string> guardian_command() { return {"/proc/self/exe", "guard-clocks"}; }

LockedClocks::LockedClocks(const std::vector<std::string>& guardian, std::optional<unsigned> megahertz,
                           const std::vector<Case>& cases, const std::vector<std::string>& more_gpus,
                           Environment* environment, ProgressReporter& progress)
    : megahertz_(megahertz) {
  std::set<std::string> names(more_gpus.begin(), more_gpus.end());
  for (const Case& what : cases)
    if (gpu_index(what.device) >= 0 && environment->contains(what.device + ".name"))
      names.insert(what.device);
  if (names.empty()) {
    progress.message("note: --lock-clocks has no effect, because no case runs on a GPU of this machine");
    return;
  }
  std::vector<GpuToLock> gpus;
  for (const std::string& name : names)
    gpus.push_back({name, value_of(*environment, name + ".bus_id"), gpu_index(name)});
  guard_ = std::make_unique<ClockGuard>(guardian, gpus, megahertz);
  for (const GpuToLock& gpu : guard_->locked()) {
    held_[gpu.name] = {};
    (*environment)[gpu.name + ".locked_clock"] =
        megahertz ? std::to_string(*megahertz * 1'000'000ULL) : "base";
  }
  for (const std::string& obstacle : guard_->obstacles())
    progress.message("note: the clock is not locked on " + obstacle +
                     ". Locking needs an administrator's rights. The run goes on with changing clocks");
}

LockedClocks::~LockedClocks() {
  if (!guard_) return;
  for (const std::string& gpu : guard_->release())
    std::fprintf(stderr, "the clock of %s is still locked. `sudo nvidia-smi -rgc` unlocks it\n", gpu.c_str());
}

void LockedClocks::add(const Measurement& measurement) {
  const auto found = held_.find(measurement.what.device);
  if (found == held_.end() || !megahertz_ || !measurement.clock) return;
  Held& held = found->second;
  const double wanted = *megahertz_ * 1e6, clock = *measurement.clock;
  ++held.cases;
  if (std::abs(clock - wanted) <= tolerance * wanted) return;
  held.low = held.missed == 0 ? clock : std::min(held.low, clock);
  held.high = std::max(held.high, clock);
  ++held.missed;
}

std::string LockedClocks::text() const {
  std::string text;
  for (const auto& [gpu, held] : held_)
    if (held.missed > 0)
      text += fmt::format(
          "{}{} did not hold {} MHz in {} of {} cases: {:.0f} to {:.0f} MHz. Its power limit may allow a "
          "lower "
          "clock",
          text.empty() ? "" : "; ", gpu, *megahertz_, held.missed, held.cases, held.low * 1e-6,
          held.high * 1e-6);
  return text;
}

}  // namespace sextant
