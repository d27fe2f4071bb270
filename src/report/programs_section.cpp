// Report section on whole programs: rates, verification, times of program phases, and curves of the variants
// over N.
#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/study/programs.hpp"
#include "analysis/study/sizes.hpp"
#include "analysis/study/standing.hpp"
#include "analysis/summary/roofline.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// Returns the parameters in a size: "steps=24" for "1024 steps=24". All sizes on one curve have the same.
std::string family_of(const std::string& size) {
  const std::size_t blank = size.find(' ');
  return blank == std::string::npos ? "" : size.substr(blank + 1);
}

// Returns the parameters (family_of) that occur with the most sizes.
std::string largest_family(const SizeCurves& curves) {
  std::map<std::string, std::size_t> count;
  for (const SizeLine& line : curves.lines)
    if (line.row->n > 0) ++count[family_of(line.row->size)];
  const auto most = std::max_element(count.begin(), count.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == count.end() ? "" : most->first;
}

// Returns the rate that memory bandwidth allows for `amount` units of work, or nothing if unknown.
std::optional<double> limit_of(const Context& context, const Summary& s, double amount) {
  for (auto session = context.results.sessions.rbegin(); session != context.results.sessions.rend();
       ++session) {
    if (machine_of(*session) != s.machine || session->ceilings.empty()) continue;
    const Roofline roofline(session->ceilings, s.measurement->what.device);
    Work bytes = s.measurement->work;
    bytes.flops = 0;
    if (const auto bound = roofline.bound(bytes, s.measurement->what.problem, CacheMode::cold))
      return amount / bound->seconds;
  }
  return std::nullopt;
}

// Returns true if the limit is close enough to the measured curves to be drawn with them.
bool is_near(const Line& limit, const std::vector<Line>& lines) {
  double highest = 0;
  for (const Line& line : lines)
    for (const Point& point : line.points) highest = std::max(highest, point.y);
  return std::any_of(limit.points.begin(), limit.points.end(),
                     [&](const Point& point) { return point.y < 30 * highest; });
}

Spec curve_spec(const Context& context, const SizeCurves& curves, bool items) {
  const std::string family = largest_family(curves);
  std::vector<Line> lines;
  for (const std::string& variant : curves.variants) lines.push_back({variant, {}});
  Line limit{"limit of memory, one pass a step", {}};
  for (const SizeLine& line : curves.lines) {
    if (line.row->n == 0 || family_of(line.row->size) != family) continue;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
      const std::optional<double> rate = items ? line.points[i].item_rate : line.points[i].flop_rate;
      if (!rate) continue;
      const Interval& time = line.points[i].summary->work_time();
      Point point{static_cast<double>(line.row->n), *rate};
      if (time.low > 0) point.high = *rate * time.median / time.low;
      if (time.high > 0) point.low = *rate * time.median / time.high;
      lines[i].points.push_back(point);
    }
    if (!line.ahead) continue;
    const Summary& s = *line.points[*line.ahead].summary;
    const Work& work = s.measurement->work;
    // The required bytes are those of one pass over the points, but a program may make many passes (steps).
    const auto points = static_cast<double>(s.measurement->what.problem.extents.count());
    const double a_point =
        items || work.items <= 0 ? 1 : static_cast<double>(work.flops) / static_cast<double>(work.items);
    if (const auto most = limit_of(context, s, points * a_point))
      limit.points.push_back({static_cast<double>(line.row->n), *most});
  }
  std::erase_if(lines, [](const Line& line) { return line.points.empty(); });
  if (is_near(limit, lines)) lines.push_back(limit);
  if (lines.empty()) return "";
  return lines_spec({"N" + (family.empty() ? std::string() : " (" + family + ")"), "", true},
                    {items ? "rate" : "arithmetic rate", items ? " points/s" : "FLOP/s", true}, lines);
}

// Draws one curve per variant, for kernels that were measured at three or more sizes.
std::string curves_figure(const Context& context, const StudyGroup& group) {
  const SizeCurves curves = size_curves(group);
  std::map<std::string, std::vector<std::int64_t>> sizes;
  for (const SizeLine& line : curves.lines)
    if (line.row->n > 0) sizes[family_of(line.row->size)].push_back(line.row->n);
  if (std::none_of(sizes.begin(), sizes.end(), [](const auto& one) { return one.second.size() >= 3; }))
    return "";
  return choice_html(
      {id_of_group(context, group) + "-curves", "Rates over N: " + name_of_group(context, group),
       "One curve per strategy; the dashed line is the limit of the memory bandwidth if each step passes "
       "over the arrays once. `--by size` prints the numbers."},
      {{"points per second", curve_spec(context, curves, true)},
       {"FLOP per second", curve_spec(context, curves, false)}});
}

bool belongs(const StudyGroup& group) {
  return is_program(*group.front()) || (!group.front()->plain() && group.front()->n > 0) ||
         std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
           return std::any_of(row->best.begin(), row->best.end(),
                              [](const auto& one) { return !one.second->measurement->phases.empty(); });
         });
}

std::string phases_figure(const Context& context, const StudyGroup& group) {
  std::vector<std::string> categories, names;
  std::vector<const Summary*> cases;
  for (const StudyRow* row : group)
    for (const char* column : study_columns)
      if (const auto best = row->best.find(column); best != row->best.end())
        if (!best->second->measurement->phases.empty()) {
          cases.push_back(best->second);
          categories.push_back(row->size + ", " + best->second->measurement->what.variant);
          for (const Phase& phase : best->second->measurement->phases)
            if (std::find(names.begin(), names.end(), phase.name) == names.end()) names.push_back(phase.name);
        }
  std::vector<Bars> bars;
  // Shows fractions of the total time, because times at different sizes differ by orders of magnitude.
  std::vector<double> sums(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i)
    for (const Phase& phase : cases[i]->measurement->phases)
      if (!phase.times.empty()) sums[i] += median_interval(phase.times).median;
  for (const std::string& name : names) {
    Bars& one = bars.emplace_back(Bars{name, std::vector<Value>(cases.size())});
    for (std::size_t i = 0; i < cases.size(); ++i)
      for (const Phase& phase : cases[i]->measurement->phases)
        if (phase.name == name && !phase.times.empty() && sums[i] > 0)
          one.values[i] = median_interval(phase.times).median / sums[i];
  }
  return figure_html(
      {id_of_group(context, group) + "-phases", "Phases of " + name_of_group(context, group),
       "Stacked bars, one per size and variant, of each phase's share of their sum; the table below "
       "holds the times."},
      bars_spec(categories, true, {"share of the phases", "", false}, bars));
}

Table phases_table(const Context& context) {
  Table table;
  table.title = "Phases of programs";
  table.keys = 3;
  table.columns = {{"kernel", "program"},
                   {"size"},
                   {"variant"},
                   {"phase"},
                   {"time", "median", Unit::seconds},
                   {"low", "low", Unit::seconds},
                   {"high", "high", Unit::seconds},
                   {"share", "of the call", Unit::percent}};
  for (const Machine& machine : context.machines)
    for (const StudyRow& row : machine.rows)
      for (const Summary* s : row.all)
        for (const Phase& phase : s->measurement->phases) {
          if (phase.times.empty() || !s->ok()) continue;
          const Interval time = median_interval(phase.times);
          table.rows.push_back({row.kernel + " " + name_of(row.type), row.size, s->measurement->what.variant,
                                phase.name, time.median, time.low, time.high,
                                s->call_time.median > 0 ? Cell(time.median / s->call_time.median) : Cell()});
        }
  return table;
}

// Formats the number without an exponent, so that rates in a column are easy to compare.
Cell millions_cell(double millions) {
  return millions < 999.5 ? Cell(millions) : Cell(millions).as(std::to_string(std::llround(millions)));
}

// Makes a table of each model's best result for each problem, with rate, standard deviation and verification.
Table results_table(const std::vector<ProgramResult>& results, const std::string& label) {
  Table table;
  table.title = "Each model's best at each problem" + label;
  table.keys = 3;
  table.columns = {{"kernel", "program"},
                   {"type"},
                   {"size", "problem"},
                   {"variant"},
                   {"mean", "mean time", Unit::seconds},
                   {"deviation", "deviation", Unit::percent},
                   {"runs", "runs", Unit::count},
                   {"speedup", "over -O2 loop", Unit::ratio},
                   {"speedup_cpu", "over best CPU", Unit::ratio},
                   {"of_floor", "of floor", Unit::percent},
                   {"rate", "rate", Unit::number},
                   {"unit", "of"},
                   {"verification"},
                   {"error", "error", Unit::number},
                   {"allowed", "allowed", Unit::number}};
  for (const ProgramResult& one : results) {
    const Summary& s = *one.summary;
    const Measurement& m = *s.measurement;
    const std::optional<ProgramRate> rate = program_rate(s, one.repetitions.mean);
    const bool there = one.verified();
    table.rows.push_back(
        {one.row->kernel, name_of(one.row->type), one.row->size, m.what.variant,
         there ? Cell(one.repetitions.mean) : Cell(),
         there && one.repetitions.count > 1 ? Cell(one.repetitions.deviation / one.repetitions.mean) : Cell(),
         static_cast<std::int64_t>(one.repetitions.count),
         there && s.speedup_serial.samples ? Cell(s.speedup_serial.median) : Cell(),
         there && s.speedup_cpu.samples ? Cell(s.speedup_cpu.median) : Cell(),
         there && s.ceiling_fraction ? Cell(*s.ceiling_fraction) : Cell(),
         there && rate ? millions_cell(rate->value * 1e-6) : Cell(),
         there && rate ? Cell(rate->unit) : Cell(),
         there ? Cell("passed", Tone::good)
               : Cell(m.status == Status::wrong ? "FAILED" : name_of(m.status), Tone::bad),
         there || m.status == Status::wrong ? Cell(m.error) : Cell(),
         there || m.status == Status::wrong ? Cell(m.tolerance) : Cell()});
  }
  hide_empty_columns(&table);
  return table;
}

// Names the fastest variant of each program for its last problem: "npb_ep D: cuda.streams in 192 ms, 5720
// Mop/s".
std::string fastest_text(const std::vector<ProgramResult>& results) {
  std::vector<const ProgramResult*> fastest;
  for (const ProgramResult& one : results) {
    if (!one.verified()) continue;
    const bool same_program = !fastest.empty() && fastest.back()->row->kernel == one.row->kernel &&
                              fastest.back()->row->type == one.row->type;
    if (!same_program)
      fastest.push_back(&one);
    else if (fastest.back()->row != one.row ||
             one.summary->call_time.median < fastest.back()->summary->call_time.median)
      fastest.back() = &one;
  }
  std::string text;
  for (const ProgramResult* one : fastest) {
    const Summary& s = *one->summary;
    const std::optional<ProgramRate> rate = program_rate(s, s.call_time.median);
    text += (text.empty() ? "" : "; ") + one->row->kernel + " " + one->row->size + " (" +
            name_of(one->row->type) + "): " + s.measurement->what.variant + " in " +
            format_seconds(s.call_time.median);
    if (rate) text += ", " + std::to_string(std::llround(rate->value * 1e-6)) + " " + rate->unit;
  }
  return text;
}

std::string sentence(const std::vector<ProgramResult>& results) {
  std::size_t passed = 0, failed = 0;
  const ProgramResult* best = nullptr;
  for (const ProgramResult& one : results) {
    (one.verified() ? passed : failed) += 1;
    if (!one.verified() || !one.summary->speedup_serial.samples) continue;
    if (!best || one.summary->speedup_serial.median > best->summary->speedup_serial.median) best = &one;
  }
  const std::string fastest = fastest_text(results);
  std::string text = (fastest.empty() ? "" : "The fastest at the last problem: " + fastest + ". ") + "Of " +
                     plural(results.size(), "result") + " (each model's best at each problem) " +
                     std::to_string(passed) + " passed their verification" +
                     (failed ? ", " + std::to_string(failed) + " did not" : "") + ".";
  if (best)
    text += " The largest speed-up over the -O2 loop is " +
            format_ratio(best->summary->speedup_serial.median) + ", of " + best->row->kernel + " " +
            best->summary->measurement->what.variant + " at " + best->row->size + ".";
  return text;
}

}  // namespace

std::string programs_section(const Context& context) {
  std::string html, results_html, figures, tables;
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    const std::vector<ProgramResult> results = program_results(machine.rows);
    if (!results.empty()) html += machine_heading(context, machine) + element("p", sentence(results));
    results_html += html_table({results_table(results, context.several() ? ", on " + machine.label : ""),
                                "programs" + machine_suffix(context, i)});
    std::size_t number = 0;
    for (const StudyGroup& group : machine.groups) {
      if (!belongs(group)) continue;
      figures += curves_figure(context, group) + phases_figure(context, group);
    }
    for (const Table& table : counters_view(machine.rows).texts)
      tables += html_table({table, "counters-" + std::to_string(++number) + machine_suffix(context, i)});
  }
  const Table phases = phases_table(context);
  // Curves alone do not need this section, because each kernel's section shows them, too.
  if (html.empty() && phases.rows.empty() && tables.empty()) return "";
  return section_open("programs", "Programs") + html +
         (figures.empty() ? "" : "<div class=\"figures\">\n" + figures + "</div>\n") + results_html +
         folded("What the hardware counted, per launch", tables) +
         folded("Phases with their times", html_table({phases, "phases"})) +
         command_html(context, "--by programs") + "</section>\n";
}

}  // namespace sextant::report
