// First section of the report: advice from the results, and one figure.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "analysis/study/advice.hpp"
#include "analysis/study/findings.hpp"
#include "base/join.hpp"
#include "present/advice_text.hpp"
#include "present/format.hpp"
#include "present/search_view.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

std::string bytes_of(const Environment& environment, const std::string& key) {
  const std::string text = value_of(environment, key);
  return text.empty() ? "" : format_bytes(std::strtod(text.c_str(), nullptr));
}

std::string joined(std::initializer_list<std::string> parts) {
  std::string text;
  for (const std::string& part : parts)
    if (!part.empty()) text += (text.empty() ? "" : ", ") + part;
  return text;
}

std::string with(const std::string& text, const char* unit) { return text.empty() ? "" : text + unit; }

// Describes the machine in one line: GPUs, processor, memory, operating system, date.
std::string card(const Machine& machine) {
  if (machine.sessions.empty()) return "";
  const Session& last = *machine.sessions.back();
  const Environment& e = last.environment;
  std::string text;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) text += (text.empty() ? "" : " · ") + part;
  };
  for (int i = 0; i < 16; ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    add(joined({value_of(e, gpu + ".name"), bytes_of(e, gpu + ".memory"),
                with(value_of(e, gpu + ".multiprocessors"), " multiprocessors"),
                value_of(e, gpu + ".driver").empty() ? "" : "driver " + value_of(e, gpu + ".driver")}));
  }
  if (const std::string none = value_of(e, "gpus.missing"); !none.empty()) add("no GPU: " + none);
  const std::string cpu = value_of(e, "cpu").empty() ? value_of(e, "cpu.name") : value_of(e, "cpu");
  add(joined({cpu, with(value_of(e, "cpu.cores"), " cores"),
              with(value_of(e, "openmp.threads"), " OpenMP threads"),
              with(value_of(e, "cpu.limit"), " processors by quota"),
              with(bytes_of(e, "cpu.last_level_cache"), " last-level cache"),
              with(bytes_of(e, "memory"), " memory")}));
  add(joined({value_of(e, "os"), value_of(e, "virtual") == "yes" ? "virtual machine" : ""}));
  add("measured " + last.started.substr(0, 10));
  return "<p class=\"card\"><b>" + escape(machine.label) + "</b> " + escape(text) + "</p>\n";
}

std::string advice_html(const Machine& machine) {
  std::string html;
  for (const auto& [threads, rows] : by_threads(machine.rows)) {
    if (!threads.empty()) html += element("h3", threads);
    html += "<dl class=\"advice\">\n";
    for (const AdviceText& one : advice_text(rows)) {
      html += "<dt>" + escape(one.topic) + "</dt><dd>" + escape(one.text);
      if (!one.lines.empty()) html += "<pre>" + escape(join(one.lines, "\n")) + "</pre>";
      html += "</dd>\n";
    }
    html += "</dl>\n";
  }
  if (const std::string missing = missing_baseline(machine.rows); !missing.empty() && !machine.rows.empty())
    html += "<p class=\"warning\">" + escape(missing) + "</p>\n";
  return html;
}

// The kernels measured with one element type at one size N. The figure shows the speed-ups for one slice.
struct Slice {
  ElementType type;
  std::int64_t n;
  std::vector<const StudyRow*> rows;
};

// Returns the slices in descending order of N. The figure shows the first one at the beginning.
std::vector<Slice> slices_of(const Machine& machine) {
  std::vector<Slice> slices;
  for (const StudyRow& row : machine.rows) {
    if (!row.plain() || row.cache == CacheMode::cold) continue;
    const bool ratios = std::any_of(row.best.begin(), row.best.end(), [](const auto& one) {
      return one.second->speedup_cpu.samples && !one.second->on_host;
    });
    if (!ratios) continue;
    const auto same = std::find_if(slices.begin(), slices.end(),
                                   [&](const Slice& s) { return s.type == row.type && s.n == row.n; });
    (same == slices.end() ? slices.emplace_back(Slice{row.type, row.n, {}}) : *same).rows.push_back(&row);
  }
  std::erase_if(slices, [](const Slice& s) { return s.rows.size() < 3; });
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.n != b.n ? a.n > b.n : a.type < b.type; });
  return slices;
}

DotPanel panel_of(const Slice& slice, bool with_transfers) {
  DotPanel panel{with_transfers ? "with the copies of a single use" : "without copies", {}};
  for (const char* column : study_columns) {
    DotSeries series{column, {}};
    std::vector<double> ratios;
    for (std::size_t i = 0; i < slice.rows.size(); ++i) {
      const auto& best = slice.rows[i]->best_by(with_transfers);
      const auto found = best.find(column);
      if (found == best.end()) continue;
      const Summary& s = *found->second;
      const Interval& ratio = with_transfers ? s.speedup_cpu_with_transfers : s.speedup_cpu;
      if (!ratio.samples) continue;
      const std::vector<Standing> standing = standings({slice.rows[i]}, with_transfers);
      const std::vector<std::string> leaders = standing.front().leaders();
      const bool leads = std::find(leaders.begin(), leaders.end(), column) != leaders.end();
      series.dots.push_back(
          {i, ratio.median, ratio.low, ratio.high, leads && leaders.size() > 1, s.measurement->what.variant});
      ratios.push_back(ratio.median);
    }
    // A mean is shown only if the model ran every kernel. Means over different kernels are not comparable.
    if (ratios.size() == slice.rows.size())
      series.dots.push_back({slice.rows.size(),
                             spread_of(ratios).mean,
                             {},
                             {},
                             false,
                             "geometric mean of " + std::to_string(ratios.size()) + " kernels"});
    if (!series.dots.empty()) panel.series.push_back(std::move(series));
  }
  return panel;
}

std::string summary_figure(const Machine& machine, const std::string& suffix) {
  std::vector<std::pair<std::string, Spec>> choices;
  for (const Slice& slice : slices_of(machine)) {
    std::vector<std::string> names;
    for (const StudyRow* row : slice.rows)
      names.push_back(row->kernel + (row->threads.empty() ? "" : ", " + row->threads + " threads"));
    names.emplace_back("geometric mean");
    choices.emplace_back(std::string(name_of(slice.type)) + ", N = " + std::to_string(slice.n),
                         dots_spec({"times the best CPU version", "", true}, names, 1, 1.0,
                                   {panel_of(slice, false), panel_of(slice, true)}));
    if (choices.size() == 8) break;
  }
  return choice_html(
      {"summary" + suffix, "The best of each model, as a multiple of the best CPU version's speed",
       "One row per kernel, one point per model: right of 1 it is faster than the best CPU version. "
       "Rings: undecided fastest. The map below holds the winners; the tables of the kernels hold all "
       "numbers."},
      choices);
}

// Returns a sentence on the results of tuning searches, or "" if the file contains none.
std::string searches_html(const Context& context) {
  if (!are_of_searches(context.results)) return "";
  return "<dl class=\"advice\">\n<dt>Which tuning</dt><dd>" +
         escape(searches_sentence(context.results.searches)) +
         " <a href=\"#searches\">Each search and its winner</a></dd>\n</dl>\n";
}

}  // namespace

std::string answer_section(const Context& context) {
  const std::string searched = searches_html(context);
  std::string html =
      section_open("answer", searched.empty() ? "Which model to use" : "Which tuning to use") + searched;
  if (context.summaries.empty() && searched.empty())
    return html +
           "<p class=\"warning\">These files hold no result yet. Measure with <code>sextant run -o "
           "FILE</code>.</p>\n</section>\n";
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    html += machine_heading(context, machine) + card(machine);
    if (context.summaries.empty()) continue;
    const std::string figure = summary_figure(machine, machine_suffix(context, i));
    html += std::string("<div class=\"answer") + (figure.empty() ? "" : " both") + "\">\n<div>" +
            advice_html(machine) + "</div>\n" + figure + "</div>\n";
  }
  return html + "</section>\n";
}

}  // namespace sextant::report
