#include "run/trial.hpp"

#include <algorithm>
#include <set>

#include "base/clock.hpp"
#include "record/keys.hpp"
#include "run/sentinels.hpp"

namespace sextant {
namespace {

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
    timings->add("trying whether serial code disturbs itself");
    return dealing;
  }
  dealing.lanes = lanes_of(dealt.names, environment);
  dealing.sentinels = request.sentinels && dealt.names.size() > 1 &&
                      std::any_of(request.cases.begin(), request.cases.end(), is_for_gpu);
  if (!dealing.sentinels) return dealing;
  progress.message(
      "trying whether the GPUs disturb each other: three cases on each, alone and beside the others");
  const auto ratios = measure_sentinels(dealing.lanes, request.settings, progress);
  if (!ratios) return std::nullopt;
  if (ratios->empty())
    progress.message(
        "note: none of them could be measured: whether the GPUs disturb each other is not known");
  dealing.overlap = overlap_for(*ratios, request.settings.max_noise);
  for (const std::string& text :
       {text_of(*ratios), reason_of(dealing.overlap, *ratios, request.settings.max_noise)})
    if (!text.empty()) progress.message(text);
  Environment learnt = {{"sentinel.overlap", name_of(dealing.overlap)}};
  record_ratios(*ratios, "start", &learnt);
  file->add_environment(session, learnt);
  timings->add("trying whether GPUs disturb each other");
  return dealing;
}

void try_sentinels_again(const Dealing& dealing, const RunRequest& request, ProgressReporter& progress,
                         std::int64_t session, ResultsFile* file, Timings* timings) {
  const double began = now();
  const auto ratios = measure_sentinels(dealing.lanes, request.settings, progress);
  if (!ratios) return;
  Environment learnt;
  record_ratios(*ratios, "end", &learnt);
  if (!learnt.empty()) file->add_environment(session, learnt);
  if (!ratios->empty()) progress.message("at the end: " + text_of(*ratios));
  const double max_noise = request.settings.max_noise;
  if (const Overlap now_allowed = overlap_for(*ratios, max_noise); now_allowed > dealing.overlap)
    progress.message("note: at the end of this run the GPUs disturbed each other more than at its start: " +
                     disturbance_of(now_allowed, *ratios, max_noise) +
                     ". Cases that came late may be slower than alone.");
  timings->add("trying again whether GPUs disturb each other", now() - began);
}

Dealing dealing_in(const Dealing& dealing, const std::vector<Case>& round) {
  Dealing part = dealing;
  std::set<std::string> keys;
  for (const Case& one : round) keys.insert(key_of(one));
  std::erase_if(part.on_cores.cases, [&](const Case& one) { return !keys.contains(key_of(one)); });
  return part;
}

}  // namespace sextant
