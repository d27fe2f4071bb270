#include "run/trial.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/clock.hpp"
#include "record/keys.hpp"
#include "run/sentinels.hpp"

namespace sextant {
namespace {

using Ratios = std::optional<std::vector<SentinelRatio>>;

// Measures the sentinels, the test cases for disturbance between GPUs. If the result forbids any overlap,
// measures them again and returns the second result, to ignore a passing disturbance.
Ratios sentinels_looked_at_twice(const std::vector<WorkerSlot>& slots, const Settings& settings,
                                 ProgressReporter& progress) {
  const Ratios ratios = measure_sentinels(slots, settings, progress);
  if (!ratios || concurrency_by(*ratios, settings.max_noise).overlap != Overlap::nothing) return ratios;
  progress.message(text_of(*ratios) + "\nmeasuring them again");
  return measure_sentinels(slots, settings, progress);
}

// Measures the sentinels. If only call times changed, measures them twice more and takes the median, because
// times of short calls scatter.
Ratios tried_sentinels(const std::vector<WorkerSlot>& slots, const Settings& settings,
                       ProgressReporter& progress) {
  const Ratios first = sentinels_looked_at_twice(slots, settings, progress);
  if (!first || concurrency_by(*first, settings.max_noise).overlap != Overlap::long_calls) return first;
  progress.message(text_of(*first) + "\nmeasuring the calls twice more");
  std::array<std::vector<SentinelRatio>, 3> tries = {*first, {}, {}};
  for (std::size_t i = 1; i < tries.size(); ++i) {
    const Ratios again = measure_sentinels(slots, settings, progress, true);
    if (!again) return std::nullopt;
    tries[i] = *again;
  }
  return middle_of(tries);
}

bool is_for_gpu(const Case& what) { return what.device != "cpu"; }

}  // namespace

std::optional<Distribution> distribution_of(const RequestedDevices& requested, const RunRequest& request,
                                            const Environment& environment, ProgressReporter& progress,
                                            std::int64_t session, ResultsFile* file, Timings* timings) {
  Distribution distribution;
  if (requested.names.empty()) {
    Environment learnt;
    distribution.on_cores = for_cores(request.cases, request.settings, environment, progress, &learnt);
    if (learnt.empty()) return distribution;
    file->add_environment(session, learnt);
    timings->add("testing serial code for interference between cores");
    return distribution;
  }
  distribution.slots = slots_of(requested.names, environment);
  distribution.sentinels = request.sentinels && requested.names.size() > 1 &&
                           std::any_of(request.cases.begin(), request.cases.end(), is_for_gpu);
  // a single GPU has no other GPU to overlap with
  if (requested.names.size() == 1) distribution.concurrency.overlap = Overlap::nothing;
  if (!distribution.sentinels) return distribution;
  progress.message(
      "testing whether the GPUs slow each other down, by three cases on each GPU, first isolated and then "
      "concurrently");
  const auto ratios = tried_sentinels(distribution.slots, request.settings, progress);
  if (!ratios) return std::nullopt;
  if (ratios->empty())
    progress.message("note: the test failed, so it is not known whether the GPUs slow each other down");
  distribution.concurrency = concurrency_by(*ratios, request.settings.max_noise);
  for (const std::string& text : {text_of(*ratios), differences_of(*ratios),
                                  reason_of(distribution.concurrency, *ratios, request.settings.max_noise)})
    if (!text.empty()) progress.message(text);
  Environment learnt = {{"sentinel.overlap", name_of(distribution.concurrency.overlap)}};
  if (distribution.concurrency.overlap == Overlap::long_calls)
    learnt["sentinel.short_call"] = fmt::format("{:.4g}", distribution.concurrency.short_call);
  record_ratios(*ratios, "start", &learnt);
  file->add_environment(session, learnt);
  timings->add("testing the GPUs for interference");
  return distribution;
}

void try_sentinels_again(const Distribution& distribution, const RunRequest& request,
                         ProgressReporter& progress, std::int64_t session, ResultsFile* file,
                         Timings* timings) {
  const double began = now();
  const auto ratios = tried_sentinels(distribution.slots, request.settings, progress);
  if (!ratios) return;
  Environment learnt;
  record_ratios(*ratios, "end", &learnt);
  if (!learnt.empty()) file->add_environment(session, learnt);
  if (!ratios->empty()) progress.message("at the end: " + text_of(*ratios));
  const double max_noise = request.settings.max_noise;
  if (const Concurrency found = concurrency_by(*ratios, max_noise);
      found.overlap > distribution.concurrency.overlap)
    progress.message("note: the GPUs slow each other down more at the end of this run than at its start: " +
                     disturbance_of(found, *ratios, max_noise) +
                     ". Late cases may have longer times than isolated ones.");
  timings->add("testing the GPUs for interference again", now() - began);
}

Distribution distribution_in(const Distribution& distribution, const std::vector<Case>& round) {
  Distribution part = distribution;
  std::set<std::string> keys;
  for (const Case& one : round) keys.insert(key_of(one));
  std::erase_if(part.on_cores.cases, [&](const Case& one) { return !keys.contains(key_of(one)); });
  return part;
}

}  // namespace sextant
