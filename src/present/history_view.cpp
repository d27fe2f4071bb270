#include "present/history_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/plural.hpp"
#include "present/comparison.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// Draws one bar for each run of a case. The scale is logarithmic: the case's shortest time gives the lowest
// bar, its longest time the highest. A run without a time is a dot. If the times differ by less than 1 %, all
// bars have half height.
std::string bars(const CaseHistory& history, std::size_t runs) {
  constexpr const char* heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::vector<std::string> marks(runs, "·");
  const auto [least, most] =
      std::minmax_element(history.points.begin(), history.points.end(),
                          [](const HistoryPoint& a, const HistoryPoint& b) { return a.seconds < b.seconds; });
  for (const HistoryPoint& point : history.points) {
    const double range = std::log(most->seconds / least->seconds),
                 share = range > 0.01 ? std::log(point.seconds / least->seconds) / range : 0.5;
    marks[point.run] = heights[std::clamp(static_cast<int>(share * 8), 0, 7)];
  }
  std::string text;
  for (const std::string& mark : marks) text += mark;
  return text;
}

std::string changes_text(const CaseHistory& history) {
  std::string text;
  for (const HistoryChange& change : history.changes)
    text += fmt::format("{}from run {}: {:.3g} times as long", text.empty() ? "" : "; ", change.run + 1,
                        change.ratio);
  if (history.broken)
    text += fmt::format("{}the newest is {}", text.empty() ? "" : "; ",
                        name_of(history.newest->measurement->status));
  return text;
}

bool is_told(const CaseHistory& history) { return history.broken || !history.changes.empty(); }

}  // namespace

Table runs_table(const History& history, const std::map<const Session*, std::string>& names) {
  Table table;
  table.columns = {{"run", "run", Unit::count}, {"file"}, {"started"}, {"machine"}, {"revision"}};
  for (std::size_t i = 0; i < history.runs.size(); ++i) {
    const Session& session = *history.runs[i];
    const auto name = names.find(&session);
    table.rows.push_back({Cell(static_cast<std::int64_t>(i + 1)), name == names.end() ? "" : name->second,
                          session.started, machine_of(session),
                          value_of(session.environment, "git_revision").substr(0, 12)});
  }
  return table;
}

Table history_table(const History& history, bool all, double threshold) {
  Table table;
  table.columns = {{"kernel"},
                   {.name = "type", .spare = 2, .missed = true},
                   {.name = "size", .title = "N", .unit = Unit::count, .spare = 1, .missed = true},
                   {.name = "variant", .breaks = true},
                   {.name = "threads", .spare = 3},
                   {.name = "time", .spare = 5},
                   {.name = "runs", .unit = Unit::count, .spare = 4},
                   {.name = "first", .unit = Unit::seconds, .spare = 3},
                   {.name = "last", .unit = Unit::seconds, .spare = 3},
                   {.name = "bars", .title = "over the runs"},
                   {.name = "changes", .breaks = true}};
  std::size_t told = 0;
  for (const CaseHistory& one : history.cases) {
    told += is_told(one);
    if (!all && !is_told(one)) continue;
    const Case& what = one.newest->measurement->what;
    const bool timed = !one.points.empty();
    table.rows.push_back({what.kernel, name_of(what.problem.type),
                          what.problem_class.empty() ? Cell(what.problem.n) : Cell(what.problem_class),
                          what.variant + (what.tuning.empty() ? "" : " " + tuning_text(what.tuning)) +
                              (what.cache == CacheMode::cold ? " cold" : "") + text_of(what.fill, " "),
                          one.newest->threads.count.empty() ? Cell() : Cell(text_of(one.newest->threads)),
                          name_of(one.time), Cell(static_cast<std::int64_t>(one.points.size())),
                          timed ? Cell(one.points.front().seconds) : Cell(),
                          timed ? Cell(one.points.back().seconds) : Cell(), bars(one, history.runs.size()),
                          Cell(changes_text(one), one.regressed()       ? Tone::bad
                                                  : one.changes.empty() ? Tone::plain
                                                                        : Tone::good)});
  }
  drop_if_empty(&table, "threads");
  table.note =
      fmt::format("{} of {} over {} changed by more than {}.", told, plural(history.cases.size(), "case"),
                  plural(history.runs.size(), "run"), format_percent(threshold));
  if (!all && told < history.cases.size()) table.note += " The others are not shown: --all shows them.";
  if (history.runs.size() < least_runs_for_changes)
    table.note += fmt::format(" A case needs at least {} runs to find changes.", least_runs_for_changes);
  return table;
}

std::string to_json(const History& history, const std::map<const Session*, std::string>& names) {
  nlohmann::ordered_json json;
  json["runs"] = nlohmann::ordered_json::parse(to_json_rows(runs_table(history, names)));
  json["cases"] = nlohmann::ordered_json::array();
  for (const CaseHistory& one : history.cases) {
    const Case& what = one.newest->measurement->what;
    nlohmann::ordered_json row = {{"case", name_of_case(*one.newest)},
                                  {"kernel", what.kernel},
                                  {"variant", what.variant},
                                  {"time", name_of(one.time)},
                                  {"broken", one.broken}};
    row["points"] = row["changes"] = nlohmann::ordered_json::array();
    for (const HistoryPoint& point : one.points)
      row["points"].push_back({{"run", point.run + 1}, {"seconds", point.seconds}});
    for (const HistoryChange& change : one.changes)
      row["changes"].push_back({{"run", change.run + 1}, {"ratio", change.ratio}});
    json["cases"].push_back(row);
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string history_line(const History& history) {
  std::size_t slower = 0, broken = 0, faster = 0;
  const CaseHistory* worst = nullptr;
  for (const CaseHistory& one : history.cases) {
    broken += one.broken;
    if (one.broken || one.changes.empty()) continue;
    ++(one.regressed() ? slower : faster);
    if (one.regressed() && (!worst || one.changes.back().ratio > worst->changes.back().ratio)) worst = &one;
  }
  std::string text = fmt::format("{}, {}: {} slower since a change, {} faster, {} broken",
                                 plural(history.runs.size(), "run"), plural(history.cases.size(), "case"),
                                 slower, faster, broken);
  if (worst) text += "; worst: " + name_of_case(*worst->newest) + ", " + changes_text(*worst);
  return text + "\n";
}

}  // namespace sextant
