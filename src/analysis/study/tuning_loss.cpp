#include "analysis/study/tuning_loss.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

using Times = std::map<std::string, std::map<std::size_t, double>>;  // tuning -> index of size -> time

// The correct measurements of a variant, by the index of their row.
std::vector<std::pair<std::size_t, const Summary*>> runs_of(const StudyGroup& group,
                                                            const std::string& column,
                                                            const std::string& variant) {
  std::vector<std::pair<std::size_t, const Summary*>> runs;
  for (std::size_t i = 0; i < group.size(); ++i)
    for (const Summary* s : group[i]->all)
      if (s->ok() && !s->measurement->what.tuning.empty() && s->measurement->what.variant == variant &&
          column_of(*s) == column)
        runs.emplace_back(i, s);
  return runs;
}

TuningLoss loss_of(const std::string& tuning, const std::map<std::size_t, double>& times,
                   const std::vector<double>& best, const StudyGroup& group) {
  TuningLoss loss{tuning, 0, 0, "", times.size()};
  double logs = 0;
  for (const auto& [size, time] : times) {
    const double over = time / best[size];
    logs += std::log(over);
    if (over > loss.worst) {
      loss.worst = over;
      loss.worst_size = group[size]->size;
    }
  }
  loss.mean = std::exp(logs / static_cast<double>(std::max<std::size_t>(times.size(), 1)));
  return loss;
}

// The default's times at the sizes at which it was measured.
std::map<std::size_t, double> default_times(const StudyGroup& group, const std::string& variant,
                                            const Times& times) {
  std::map<std::size_t, double> result;
  const RegisteredKernel* kernel = find_kernel(group.front()->kernel);
  const Variant* known = kernel ? find_variant(*kernel, variant) : nullptr;
  if (!known) return result;
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i]->all.empty()) continue;
    const Problem& problem = group[i]->all.front()->measurement->what.problem;
    const auto tuning = times.find(tuning_text(default_tuning(*known, problem)));
    if (tuning == times.end()) continue;
    if (const auto time = tuning->second.find(i); time != tuning->second.end()) result[i] = time->second;
  }
  return result;
}

std::optional<TuningMap> map_of(const StudyGroup& group, const std::string& column,
                                const std::string& variant) {
  const auto runs = runs_of(group, column, variant);
  const bool device =
      std::all_of(runs.begin(), runs.end(), [](const auto& run) { return run.second->device_time.samples; });
  const auto time_of = [&](const Summary* s) -> const Interval& {
    return device ? s->device_time : s->call_time;
  };
  std::vector<const Summary*> fastest(group.size(), nullptr);
  for (const auto& [size, s] : runs)
    if (time_of(s).median > 0 && (!fastest[size] || time_of(s).median < time_of(fastest[size]).median))
      fastest[size] = s;
  Times times;
  std::vector<double> best(group.size(), 0);
  for (const auto& [size, s] : runs) {
    if (!(time_of(s).median > 0)) continue;
    best[size] = time_of(fastest[size]).median;
    // A loss that noise explains is none.
    const bool tied = ratio_of_medians(time_of(s), time_of(fastest[size])).low <= 1;
    times[tuning_text(s->measurement->what.tuning)][size] = tied ? best[size] : time_of(s).median;
  }
  if (times.size() < 2) return std::nullopt;
  TuningMap map;
  map.column = column;
  map.variant = variant;
  std::size_t measured = 0;
  for (std::size_t i = 0; i < group.size(); ++i) {
    map.sizes.push_back(group[i]->size);
    if (best[i] > 0) ++measured;
  }
  for (const auto& [tuning, by_size] : times) map.tunings.push_back(loss_of(tuning, by_size, best, group));
  std::stable_sort(map.tunings.begin(), map.tunings.end(), [](const TuningLoss& a, const TuningLoss& b) {
    return a.sizes != b.sizes ? a.sizes > b.sizes : a.mean < b.mean;
  });
  for (const TuningLoss& loss : map.tunings) {
    std::vector<std::optional<double>>& line = map.over_best.emplace_back(group.size());
    for (const auto& [size, time] : times[loss.tuning]) line[size] = time / best[size];
    if (loss.sizes == measured && (!map.fixed || loss.worst < map.fixed->worst)) map.fixed = &loss;
  }
  if (const auto standard = default_times(group, variant, times); !standard.empty())
    map.standard = loss_of("default", standard, best, group);
  return map;
}

// What this build's default for the problem is, as text; empty if it lacks the variant.
std::string default_text(const StudyRow& row, const std::string& variant) {
  const RegisteredKernel* kernel = find_kernel(row.kernel);
  const Variant* known = kernel ? find_variant(*kernel, variant) : nullptr;
  if (!known || row.all.empty()) return {};
  return tuning_text(default_tuning(*known, row.all.front()->measurement->what.problem));
}

}  // namespace

std::vector<RankedTuning> ranked_tunings(const StudyRow& row, const std::string& column) {
  const std::optional<BestTuning> best = best_tuning(row, column);
  if (!best) return {};
  const std::string& variant = best->summary->measurement->what.variant;
  std::vector<RankedTuning> ranked;
  for (const Summary* s : row.all)
    if (s->ok() && !s->aside && s->measurement->what.variant == variant && column_of(*s) == column)
      ranked.push_back({.summary = s});
  const bool device = std::all_of(ranked.begin(), ranked.end(), [](const RankedTuning& one) {
    return one.summary->device_time.samples > 0;
  });
  const std::string standard = default_text(row, variant);
  for (RankedTuning& one : ranked) {
    one.time = device ? one.summary->device_time : one.summary->call_time;
    one.standard = tuning_text(one.summary->measurement->what.tuning) == standard;
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const RankedTuning& a, const RankedTuning& b) {
    return a.time.median < b.time.median;
  });
  const auto by_default =
      std::find_if(ranked.begin(), ranked.end(), [](const RankedTuning& one) { return one.standard; });
  for (RankedTuning& one : ranked) {
    one.over_best = ratio_of_medians(one.time, ranked.front().time);
    one.tied = one.over_best.low <= 1;
    if (by_default != ranked.end()) one.gain = ratio_of_medians(by_default->time, one.time);
  }
  return ranked;
}

std::vector<TuningMap> tuning_maps(const StudyGroup& group) {
  std::vector<TuningMap> maps;
  for (const char* column : study_columns) {
    std::string variant;
    for (const StudyRow* row : group)
      if (const std::optional<BestTuning> best = best_tuning(*row, column))
        variant = best->summary->measurement->what.variant;  // the largest size's stays
    if (variant.empty()) continue;
    if (std::optional<TuningMap> map = map_of(group, column, variant)) maps.push_back(std::move(*map));
  }
  return maps;
}

}  // namespace sextant
