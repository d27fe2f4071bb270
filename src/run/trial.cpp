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

// Measures the sentinels, the test cases for disturbance between GPUs. If the result forbids any overlap, it
// measures them a second time, because only a lasting disturbance shows up both times.
Ratios sentinels_looked_at_twice(const std::vector<Lane>& lanes, const Settings& settings,
                                 ProgressReporter& progress) {
  const Ratios ratios = measure_sentinels(lanes, settings, progress);
  if (!ratios || beside_by(*ratios, settings.max_noise).overlap != Overlap::nothing) return ratios;
  progress.message(text_of(*ratios) + "\nmeasuring them again");
  return measure_sentinels(lanes, settings, progress);
}

// If only call times changed, the sentinels are measured twice more, because short calls scatter.
Ratios tried_sentinels(const std::vector<Lane>& lanes, const Settings& settings, ProgressReporter& progress) {
  const Ratios first = sentinels_looked_at_twice(lanes, settings, progress);
  if (!first || beside_by(*first, settings.max_noise).overlap != Overlap::long_calls) return first;
  progress.message(text_of(*first) + "\nmeasuring the calls twice more");
  std::array<std::vector<SentinelRatio>, 3> tries = {*first, {}, {}};
  for (std::size_t i = 1; i < tries.size(); ++i) {
    const Ratios again = measure_sentinels(lanes, settings, progress, true);
    if (!again) return std::nullopt;
    tries[i] = *again;
  }
  return middle_of(tries);
}

bool is_for_gpu(const Case& what) { return what.device != "cpu"; }

}  // namespace

std::optional<Dealing> dealing_of(const DealtDevices& dealt, const RunRequest& request,
                                  const Environment& environment, ProgressReporter& progress,
                                  std::int64_t session, ResultsFile* file, Timings* timings) {
  Dealing dealing;
  if (dealt.names.empty()) {
    Environment learnt;
    dealing.on_cores = for_cores(request.cases, request.settings, environment, progress, &learnt);
    if (learnt.empty()) return dealing;
    file->add_environment(session, learnt);
    timings->add("testing serial code for interference between cores");
    return dealing;
  }
  dealing.lanes = lanes_of(dealt.names, environment);
  dealing.sentinels = request.sentinels && dealt.names.size() > 1 &&
                      std::any_of(request.cases.begin(), request.cases.end(), is_for_gpu);
  // a single GPU has no other GPU to overlap with
  if (dealt.names.size() == 1) dealing.beside.overlap = Overlap::nothing;
  if (!dealing.sentinels) return dealing;
  progress.message(
      "testing whether the GPUs slow each other down: three cases on each, isolated and concurrently");
  const auto ratios = tried_sentinels(dealing.lanes, request.settings, progress);
  if (!ratios) return std::nullopt;
  if (ratios->empty())
    progress.message("note: the test could not be measured: interference between the GPUs is not known");
  dealing.beside = beside_by(*ratios, request.settings.max_noise);
  for (const std::string& text :
       {text_of(*ratios), reason_of(dealing.beside, *ratios, request.settings.max_noise)})
    if (!text.empty()) progress.message(text);
  Environment learnt = {{"sentinel.overlap", name_of(dealing.beside.overlap)}};
  if (dealing.beside.overlap == Overlap::long_calls)
    learnt["sentinel.short_call"] = fmt::format("{:.4g}", dealing.beside.short_call);
  record_ratios(*ratios, "start", &learnt);
  file->add_environment(session, learnt);
  timings->add("testing the GPUs for interference");
  return dealing;
}

void try_sentinels_again(const Dealing& dealing, const RunRequest& request, ProgressReporter& progress,
                         std::int64_t session, ResultsFile* file, Timings* timings) {
  const double began = now();
  const auto ratios = tried_sentinels(dealing.lanes, request.settings, progress);
  if (!ratios) return;
  Environment learnt;
  record_ratios(*ratios, "end", &learnt);
  if (!learnt.empty()) file->add_environment(session, learnt);
  if (!ratios->empty()) progress.message("at the end: " + text_of(*ratios));
  const double max_noise = request.settings.max_noise;
  if (const Beside found = beside_by(*ratios, max_noise); found.overlap > dealing.beside.overlap)
    progress.message("note: the GPUs slow each other down more at the end of this run than at its start: " +
                     disturbance_of(found, *ratios, max_noise) +
                     ". Late cases may have longer times than isolated ones.");
  timings->add("testing the GPUs for interference again", now() - began);
}

Dealing dealing_in(const Dealing& dealing, const std::vector<Case>& round) {
  Dealing part = dealing;
  std::set<std::string> keys;
  for (const Case& one : round) keys.insert(key_of(one));
  std::erase_if(part.on_cores.cases, [&](const Case& one) { return !keys.contains(key_of(one)); });
  return part;
}

}  // namespace sextant
