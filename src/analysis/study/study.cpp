#include "analysis/study/study.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <tuple>
#include <unordered_map>

#include "analysis/summary/time_of.hpp"
#include "base/join.hpp"

namespace sextant {
namespace {

// Sort key of kernels. The order is: the study's kernels, other kernels, programs, kernels without a
// description.
std::tuple<int, std::string, int> rank_of(const KernelDescription* kernel) {
  if (!kernel || kernel->group.empty()) return {3, "", 0};
  if (!kernel->study.study.empty()) return {0, kernel->study.study, kernel->study.place};
  return {kernel->group == "program" ? 2 : 1, "", 0};
}

// Returns the newest session's description of each kernel. All rows of a kernel use this description.
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

// Formats a thread setting: "4 threads", "1 thread OMP_PROC_BIND=spread".
std::string threads_text(const std::string& threads) {
  const std::size_t end = std::min(threads.find(' '), threads.size());
  const std::string count = threads.substr(0, end);
  return count + (count == "1" ? " thread" : " threads") + threads.substr(end);
}

// Returns the machines whose current measurements use several thread counts or bindings.
std::set<std::string> machines_of_several_threads(const std::vector<Summary>& summaries) {
  std::map<std::string, std::set<std::string>> threads;
  for (const Summary& s : summaries)
    if (const std::string text = text_of(s.threads); s.current && !text.empty())
      threads[s.machine].insert(text);
  std::set<std::string> machines;
  for (const auto& [machine, texts] : threads)
    if (texts.size() > 1) machines.insert(machine);
  return machines;
}

void keep_fastest(const Summary& s, const Interval& time, std::map<std::string, const Summary*>* best,
                  const Interval& (*time_of)(const Summary&)) {
  // Without a positive finite time, there is nothing to compare.
  if (!time.samples || !(time.median > 0) || !std::isfinite(time.median)) return;
  const Summary*& fastest = (*best)[column_of(s)];
  // Ranks calls that the work of other GPUs disturbed below all other calls.
  const auto rank = [&](const Summary& one) {
    const bool disturbed = time_of == call_of && one.measurement->isolation == Isolation::calls_disturbed;
    return std::pair(disturbed, time_of(one).median);
  };
  if (!fastest || rank(s) < rank(*fastest)) fastest = &s;
}

// Finds the fastest measurement of each column among `row->all`.
void pick_best(StudyRow* row) {
  for (const Summary* s : row->all) {
    if (!s->ok() || s->excluded_from_ranking) continue;
    keep_fastest(*s, s->call_time, &row->best, call_of);
    keep_fastest(*s, s->time_with_transfers(), &row->best_with_transfers, whole_of);
  }
}

// Splits a row into one row for each thread setting. Measurements without a thread setting are added to each
// of these rows.
std::vector<StudyRow> split_by_threads(const StudyRow& row) {
  std::set<std::string> threads;
  for (const Summary* s : row.all)
    if (const std::string text = text_of(s->threads); !text.empty()) threads.insert(text);
  if (threads.empty()) return {row};
  std::vector<StudyRow> rows;
  for (const std::string& text : threads) {
    StudyRow& one = rows.emplace_back(row);
    one.threads = text;
    one.all.clear();
    one.own = std::make_shared<std::vector<Summary>>();
    for (const Summary* s : row.all)
      if (const std::string own = text_of(s->threads); own.empty() || own == text) one.own->push_back(*s);
    const auto best_by = [&](TimeOf time_of) {
      const Summary* best = nullptr;
      for (const Summary& s : *one.own)
        if (is_cpu_version(s)) keep_faster(s, time_of, &best);
      return best;
    };
    const Summary *const best = best_by(call_of), *const best_once = best_by(whole_of);
    for (Summary& s : *one.own) {
      if (s.ok()) set_best_cpu(best, best_once, &s);
      one.all.push_back(&s);
    }
  }
  return rows;
}

StudyRow empty_row(const Summary& s, const KernelDescription* description) {
  const Case& what = s.measurement->what;
  StudyRow row;
  row.machine = s.machine;
  row.kernel = what.kernel;
  row.description = description;
  if (description) row.group = description->group;
  row.type = what.problem.type;
  row.cache = what.cache;
  row.fill = what.fill;
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
    // Excludes problems that are split over ranks or GPUs, because scaling_curves reports them.
    if (!s.current || s.parts > 0) continue;
    const auto [found, fresh] = index.try_emplace(problem_key(s), rows.size());
    if (fresh) rows.push_back(empty_row(s, description_of(s.measurement->what.kernel)));
    rows[found->second].all.push_back(&s);
  }
  if (const std::set<std::string> several = machines_of_several_threads(summaries); !several.empty()) {
    std::vector<StudyRow> split;
    for (StudyRow& row : rows)
      for (StudyRow& one : several.contains(row.machine) ? split_by_threads(row) : std::vector{row})
        split.push_back(std::move(one));
    rows = std::move(split);
  }
  for (StudyRow& row : rows) pick_best(&row);
  const auto order = [](const StudyRow& r) {
    return std::tuple(r.machine, rank_of(r.description), r.kernel, r.type, r.cache, r.fill,
                      std::atoi(r.threads.c_str()), r.threads, r.points, r.n, r.size);
  };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const StudyRow& a, const StudyRow& b) { return order(a) < order(b); });
  return rows;
}

std::vector<StudyRow> with_usual_inputs(std::vector<StudyRow> rows) {
  std::erase_if(rows, [](const StudyRow& row) { return row.fill != InputFill::uniform; });
  return rows;
}

std::vector<std::pair<std::string, std::vector<StudyRow>>> by_threads(const std::vector<StudyRow>& rows) {
  std::vector<std::string> threads;  // thread settings in the order of the rows
  for (const StudyRow& row : rows)
    if (!row.threads.empty() && std::find(threads.begin(), threads.end(), row.threads) == threads.end())
      threads.push_back(row.threads);
  if (threads.size() < 2) return {{"", rows}};
  std::vector<std::pair<std::string, std::vector<StudyRow>>> parts;
  for (const std::string& one : threads) {
    parts.emplace_back(threads_text(one), std::vector<StudyRow>());
    for (const StudyRow& row : rows)
      if (row.threads.empty() || row.threads == one) parts.back().second.push_back(row);
  }
  return parts;
}

namespace {

// Returns the fill and the threads as the end of a name.
std::string fill_and_threads(const StudyRow& row) {
  return (row.fill == InputFill::uniform ? std::string() : std::string(", ") + description_of(row.fill)) +
         (row.threads.empty() ? "" : ", " + threads_text(row.threads));
}

}  // namespace

std::string short_name_of(const StudyRow& row) {
  return row.kernel + " " + name_of(row.type) + (row.cache == CacheMode::cold ? " cold" : "") +
         fill_and_threads(row);
}

std::string conditions_of(const StudyRow& row) {
  return (row.cache == CacheMode::cold ? ", cold caches" : "") + fill_and_threads(row);
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
    if (contest_of(*other->second, *best.summary, with_transfers).decision != Decision::faster)
      best.ties.push_back(column);
  }
  best.over_cpu = with_transfers ? best.summary->speedup_cpu_with_transfers : best.summary->speedup_cpu;
  return best;
}

std::optional<BestTuning> best_tuning(const StudyRow& row, const std::string& column) {
  std::vector<const Summary*> candidates;
  for (const Summary* s : row.all)
    if (s->ok() && !s->excluded_from_ranking && column_of(*s) == column &&
        !s->measurement->what.tuning.empty())
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
    if (time(best.summary) > 0 && ratio.low > 1)  // A smaller difference may be noise.
      best.slowest_over_best = std::max(best.slowest_over_best, time(s) / time(best.summary));
  }
  return best;
}

std::string block_of(const Summary& s) {
  std::vector<int> extents;
  const std::vector<KernelLaunch>& launches = s.measurement->launches;
  const auto longest = std::max_element(launches.begin(), launches.end(),
                                        [](const auto& a, const auto& b) { return a.time < b.time; });
  if (longest != launches.end()) {
    extents.assign(longest->block.begin(), longest->block.end());
    while (extents.size() > 1 && extents.back() == 1) extents.pop_back();
  } else {
    for (const char* name : {"block_size", "block_x", "block_y", "block_z"})
      for (const auto& [key, value] : s.measurement->what.tuning)
        if (key == name) extents.push_back(value);
  }
  return join(extents, "x", [](int extent) { return std::to_string(extent); });
}

}  // namespace sextant
