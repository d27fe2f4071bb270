#include "analysis/study/tuning_loss.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "record/keys.hpp"

namespace sextant {
namespace {

// maps a tuning and the index of a size to seconds
using Times = std::map<std::string, std::map<std::size_t, double>>;

// Returns the correct measurements of a variant, each with the index of its row in the group.
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
  TuningLoss loss{tuning, 0, 0, "", times.size(), {}};
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

// Returns the times of the default tuning at the sizes where it was measured.
std::map<std::size_t, double> default_times(const std::vector<std::pair<std::size_t, const Summary*>>& runs,
                                            const Times& times) {
  std::map<std::size_t, double> result;
  for (const auto& [size, s] : runs) {
    if (!s->measurement->standard_tuning.value_or(false)) continue;
    const auto tuning = times.find(tuning_text(s->measurement->what.tuning));
    if (tuning == times.end()) continue;
    if (const auto time = tuning->second.find(size); time != tuning->second.end())
      result[size] = time->second;
  }
  return result;
}

// Returns the values of the tuning whose text form is `text`.
Tuning choices_of(const std::string& text, const std::vector<std::pair<std::size_t, const Summary*>>& runs) {
  for (const auto& [size, s] : runs)
    if (tuning_text(s->measurement->what.tuning) == text) return s->measurement->what.tuning;
  return {};
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
    // A tuning that noise may make slower than the best counts as equally fast.
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
  for (TuningLoss& loss : map.tunings) loss.choices = choices_of(loss.tuning, runs);
  std::stable_sort(map.tunings.begin(), map.tunings.end(), [](const TuningLoss& a, const TuningLoss& b) {
    return a.sizes != b.sizes ? a.sizes > b.sizes : a.mean < b.mean;
  });
  for (const TuningLoss& loss : map.tunings) {
    std::vector<std::optional<double>>& line = map.over_best.emplace_back(group.size());
    for (const auto& [size, time] : times[loss.tuning]) line[size] = time / best[size];
    if (loss.sizes == measured && (!map.fixed || loss.worst < map.fixed->worst)) map.fixed = &loss;
  }
  if (const auto standard = default_times(runs, times); !standard.empty())
    map.standard = loss_of("default", standard, best, group);
  return map;
}

}  // namespace

std::vector<RankedTuning> ranked_tunings(const StudyRow& row, const std::string& column) {
  const std::optional<BestTuning> best = best_tuning(row, column);
  if (!best) return {};
  const std::string& variant = best->summary->measurement->what.variant;
  std::vector<RankedTuning> ranked;
  for (const Summary* s : row.all)
    if (s->ok() && !s->excluded_from_ranking && s->measurement->what.variant == variant &&
        column_of(*s) == column)
      ranked.push_back({.summary = s});
  const bool device = std::all_of(ranked.begin(), ranked.end(), [](const RankedTuning& one) {
    return one.summary->device_time.samples > 0;
  });
  for (RankedTuning& one : ranked) {
    one.time = device ? one.summary->device_time : one.summary->call_time;
    one.standard = one.summary->measurement->standard_tuning.value_or(false);
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
        // After the loop, `variant` is the best one at the largest size.
        variant = best->summary->measurement->what.variant;
    if (variant.empty()) continue;
    if (std::optional<TuningMap> map = map_of(group, column, variant)) maps.push_back(std::move(*map));
  }
  return maps;
}

}  // namespace sextant
