#include "analysis/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>
#include <unordered_map>

namespace sextant {
namespace {

// A study's kernels first, in its order; then others; then programs; last those of which nothing is known.
std::tuple<int, std::string, int> rank_of(const KernelDescription* kernel) {
  if (!kernel || kernel->group.empty()) return {3, "", 0};
  if (!kernel->study.study.empty()) return {0, kernel->study.study, kernel->study.place};
  return {kernel->group == "program" ? 2 : 1, "", 0};
}

// What the newest session that describes a kernel says of it, so that all its rows are read alike.
std::unordered_map<std::string, const KernelDescription*> newest_descriptions(
    const std::vector<Summary>& summaries) {
  std::unordered_map<std::string, const Summary*> newest;
  for (const Summary& s : summaries) {
    if (!s.description) continue;
    const Summary*& known = newest[s.measurement->what.kernel];
    if (!known || s.session->started > known->session->started) known = &s;
  }
  std::unordered_map<std::string, const KernelDescription*> descriptions;
  for (const auto& [kernel, s] : newest) descriptions[kernel] = s->description;
  return descriptions;
}

void keep_fastest(const Summary& s, const Interval& time, std::map<std::string, const Summary*>* best,
                  const Interval& (*time_of)(const Summary&)) {
  if (!time.samples || !(time.median > 0) || !std::isfinite(time.median))
    return;  // no time that can be compared
  const Summary*& fastest = (*best)[column_of(s)];
  if (!fastest || time.median < time_of(*fastest).median) fastest = &s;
}

const Interval& call_of(const Summary& s) { return s.call_time; }
const Interval& whole_of(const Summary& s) { return s.time_with_transfers(); }

StudyRow empty_row(const Summary& s, const KernelDescription* description) {
  const Case& what = s.measurement->what;
  StudyRow row;
  row.machine = s.machine;
  row.kernel = what.kernel;
  row.description = description;
  if (description) row.group = description->group;
  row.type = what.problem.type;
  row.cache = what.cache;
  row.n = what.problem.n;
  row.points = what.problem.extents.count();
  row.size = what.problem_class.empty() ? std::to_string(row.n) : what.problem_class;
  return row;
}

}  // namespace

std::string column_of(const Summary& s) {
  if (s.model != "library") return s.model;
  return s.on_host ? "cpu library" : "gpu library";
}

std::vector<StudyRow> study_rows(const std::vector<Summary>& summaries) {
  const auto descriptions = newest_descriptions(summaries);
  const auto description_of = [&](const std::string& kernel) {
    const auto found = descriptions.find(kernel);
    return found == descriptions.end() ? nullptr : found->second;
  };
  std::unordered_map<std::string, std::size_t> index;
  std::vector<StudyRow> rows;
  for (const Summary& s : summaries) {
    if (!s.current) continue;
    const auto [found, fresh] = index.try_emplace(problem_key(s), rows.size());
    if (fresh) rows.push_back(empty_row(s, description_of(s.measurement->what.kernel)));
    StudyRow& row = rows[found->second];
    row.all.push_back(&s);
    if (!s.ok() || s.aside) continue;
    keep_fastest(s, s.call_time, &row.best, call_of);
    keep_fastest(s, s.time_with_transfers(), &row.best_with_transfers, whole_of);
  }
  const auto order = [](const StudyRow& r) {
    return std::tuple(r.machine, rank_of(r.description), r.kernel, r.type, r.cache, r.points, r.n, r.size);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const StudyRow& a, const StudyRow& b) { return order(a) < order(b); });
  return rows;
}

std::optional<Winner> winner(const StudyRow& row, bool with_transfers) {
  const auto time_of = with_transfers ? whole_of : call_of;
  Winner best;
  for (const auto& [column, s] : row.best_by(with_transfers))
    if (!best.summary || time_of(*s).median < time_of(*best.summary).median) {
      best.summary = s;
      best.column = column;
    }
  if (!best.summary) return std::nullopt;
  for (const char* column : study_columns) {
    const auto other = row.best_by(with_transfers).find(column);
    if (other == row.best_by(with_transfers).end() || other->first == best.column) continue;
    if (ratio_of_medians(time_of(*other->second), time_of(*best.summary)).low <= 1)
      best.ties.push_back(column);
  }
  best.over_cpu = with_transfers ? best.summary->speedup_cpu_with_transfers : best.summary->speedup_cpu;
  return best;
}

std::optional<BestTuning> best_tuning(const StudyRow& row, const std::string& column) {
  std::vector<const Summary*> candidates;
  for (const Summary* s : row.all)
    if (s->ok() && !s->aside && column_of(*s) == column && !s->measurement->what.tuning.empty())
      candidates.push_back(s);
  if (candidates.empty()) return std::nullopt;
  const bool device = std::all_of(candidates.begin(), candidates.end(),
                                  [](const Summary* s) { return s->device_time.samples > 0; });
  const auto time = [device](const Summary* s) {
    return device ? s->device_time.median : s->call_time.median;
  };
  BestTuning best;
  best.summary = *std::min_element(candidates.begin(), candidates.end(),
                                   [&](const Summary* a, const Summary* b) { return time(a) < time(b); });
  for (const Summary* s : candidates) {
    if (s->measurement->what.variant != best.summary->measurement->what.variant) continue;
    ++best.tried;
    const Interval ratio = ratio_of_medians(device ? s->device_time : s->call_time,
                                            device ? best.summary->device_time : best.summary->call_time);
    if (time(best.summary) > 0 && ratio.low > 1)  // else noise explains it
      best.slowest_over_best = std::max(best.slowest_over_best, time(s) / time(best.summary));
  }
  return best;
}

std::string block_of(const Summary& s) {
  const auto joined = [](const std::vector<int>& extents) {
    std::string text;
    for (const int extent : extents) text += (text.empty() ? "" : "x") + std::to_string(extent);
    return text;
  };
  std::vector<int> extents;
  const std::vector<KernelLaunch>& launches = s.measurement->launches;
  const auto longest = std::max_element(launches.begin(), launches.end(),
                                        [](const auto& a, const auto& b) { return a.time < b.time; });
  if (longest != launches.end()) {
    extents.assign(longest->block.begin(), longest->block.end());
    while (extents.size() > 1 && extents.back() == 1) extents.pop_back();
    return joined(extents);
  }
  for (const char* name : {"block_size", "block_x", "block_y", "block_z"})
    for (const auto& [key, value] : s.measurement->what.tuning)
      if (key == name) extents.push_back(value);
  return joined(extents);
}

}  // namespace sextant
