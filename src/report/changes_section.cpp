// Report section that compares two builds on one machine, case by case.
#include <algorithm>
#include <map>

#include "analysis/study/advice.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

std::string size_of(const Case& what) {
  return what.problem_class.empty() ? std::to_string(what.problem.n) : what.problem_class;
}

Tone tone_of(Verdict verdict) {
  if (verdict == Verdict::faster || verdict == Verdict::repaired) return Tone::good;
  return verdict == Verdict::slower || verdict == Verdict::broken ? Tone::bad : Tone::quiet;
}

bool changed(Verdict verdict) { return verdict != Verdict::equal && verdict != Verdict::open; }

Table table_of(const Comparison& comparison, const Change& change) {
  Table table;
  table.title = "Cases that changed, " + change.after.name + " over " + change.before.name;
  table.keys = 2;
  table.columns = {{"kernel"},
                   {"type"},
                   {"size", "N", Unit::count},
                   {"variant"},
                   {"tuning"},
                   {"verdict"},
                   {"ratio", "time, after over before", Unit::ratio},
                   {"before", "before", Unit::seconds},
                   {"after", "after", Unit::seconds},
                   {"reason"}};
  for (const ComparedCase& c : comparison.cases) {
    if (!changed(c.verdict)) continue;
    const Case& what = c.other->measurement->what;
    const std::string shown = format_ratio(c.ratio.median) + " (" + format_ratio(c.ratio.low) + " to " +
                              format_ratio(c.ratio.high) + ")";
    table.rows.push_back({what.kernel, name_of(what.problem.type), size_of(what), what.variant,
                          tuning_text(what.tuning), Cell(name_of(c.verdict), tone_of(c.verdict)),
                          c.ratio.samples ? Cell(c.ratio.median).as(shown) : Cell(),
                          c.base_time > 0 ? Cell(c.base_time) : Cell(),
                          c.other_time > 0 ? Cell(c.other_time) : Cell(), c.reason});
  }
  return table;
}

// Draws one row per kernel and one point per case: the ratio of the case's times in the two builds.
Spec figure(const Comparison& comparison) {
  std::vector<std::string> kernels;
  std::map<std::string, DotSeries> series;
  for (const ComparedCase& c : comparison.cases) {
    if (!c.ratio.samples) continue;
    const Case& what = c.other->measurement->what;
    const std::string name = what.kernel + " " + name_of(what.problem.type);
    auto found = std::find(kernels.begin(), kernels.end(), name);
    if (found == kernels.end()) found = kernels.insert(kernels.end(), name);
    DotSeries& one = series[column_of(*c.other)];
    one.name = column_of(*c.other);
    one.dots.push_back({static_cast<std::size_t>(found - kernels.begin()), c.ratio.median, c.ratio.low,
                        c.ratio.high, changed(c.verdict),
                        what.variant + " at " + size_of(what) + ": " + name_of(c.verdict)});
  }
  DotPanel panel{"", {}};
  for (const char* column : study_columns)
    if (series.contains(column)) panel.series.push_back(std::move(series[column]));
  return dots_spec({"time, after over before", "", true}, kernels, 0, 1.0, {panel});
}

std::string sentence(const Comparison& comparison, const Change& change) {
  std::map<Verdict, std::size_t> counts;
  std::vector<double> ratios;
  for (const ComparedCase& c : comparison.cases) {
    ++counts[c.verdict];
    if (c.ratio.samples) ratios.push_back(c.ratio.median);
  }
  std::string text = "Of " + plural(comparison.cases.size(), "case") + " in both " + change.before.name +
                     " and " + change.after.name;
  for (const Verdict verdict : {Verdict::faster, Verdict::slower, Verdict::equal, Verdict::open,
                                Verdict::broken, Verdict::repaired, Verdict::no_result})
    if (counts[verdict]) text += ", " + std::to_string(counts[verdict]) + " are " + name_of(verdict);
  const Spread all = spread_of(ratios);
  if (all.count)
    text += "; times are " + format_ratio(all.low) + " to " + format_ratio(all.high) + " those before, " +
            format_ratio(all.mean) + " in the geometric mean";
  return text + ". The verdicts are those of `sextant compare`.";
}

}  // namespace

std::string changes_section(const Context& context) {
  if (context.changes.empty()) return "";
  std::string html = section_open("changes", "Before and after");
  std::size_t number = 0;
  for (const Change& change : context.changes) {
    const std::vector<Side> sides = {change.before, change.after};
    const Comparison comparison = compare(sides, match(sides), 1, 0.05, ComparedTime::steadiest);
    const std::string id = "changes-" + std::to_string(++number);
    if (context.changes.size() > 1)
      html += element("h3", (context.several() ? change.machine + ": " : "") + change.before.name +
                                ", then " + change.after.name);
    html += element("p", sentence(comparison, change));
    html += figure_html(
        {id + "-figure", "How each case's time changed",
         "One row per kernel, one point per case: left of 1 it became faster. Ringed: a change beyond "
         "noise. The table below holds those changes."},
        figure(comparison));
    html += html_table({table_of(comparison, change), id});
    html += "<p class=\"command\"><code>sextant compare " +
            escape(change.before.name + " " + change.after.name) + "</code></p>\n";
  }
  return html + "</section>\n";
}

}  // namespace sextant::report
