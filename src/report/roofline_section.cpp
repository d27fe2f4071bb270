// Report section on ceilings: the measured limits of each device, and how close the kernels come to them.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "analysis/study/advice.hpp"
#include "base/plural.hpp"
#include "present/advice_text.hpp"
#include "present/ceilings.hpp"
#include "present/format.hpp"
#include "present/links.hpp"
#include "report/chart_spec.hpp"
#include "report/html.hpp"
#include "report/report.hpp"

namespace sextant::report {
namespace {

// Returns the latest session of a machine that measured ceilings, or null.
const Session* ceilings_of(const Machine& machine) {
  const Session* best = nullptr;
  for (const Session* session : machine.sessions)
    if (!session->ceilings.empty() && (!best || session->started > best->started)) best = session;
  return best;
}

std::set<std::string> devices_of(const Session& session) {
  std::set<std::string> devices;
  for (const Ceiling& ceiling : session.ceilings) devices.insert(ceiling.device);
  return devices;
}

// Adds a roof for the bandwidth of memory and of each cache level, from the triad benchmark or else from read
// or copy. A new level begins where the bandwidth rises by 25 % as the footprint shrinks.
void add_levels(const Session& session, const std::string& device, std::vector<Roof>* roofs) {
  constexpr double step = 1.25;
  for (const char* pattern : {"triad", "read", "copy"}) {
    std::map<std::int64_t, double, std::greater<>> curve;
    for (const Ceiling& c : session.ceilings)
      if (c.device == device && c.name == pattern && c.value > 0) curve[c.footprint] = c.value;
    double last = 0;
    for (const auto& [footprint, value] : curve) {
      if (last > 0 && value < step * last) continue;
      roofs->push_back(
          {std::string(pattern) + ", " + format_bytes(static_cast<double>(footprint)), value, true});
      last = value;
    }
    if (!curve.empty()) return;
  }
}

std::vector<Roof> roofs_of(const Session& session, const std::string& device) {
  std::vector<Roof> roofs;
  add_levels(session, device, &roofs);
  for (const Ceiling& c : session.ceilings) {
    if (c.device != device) continue;
    if (c.name == "fp32" || c.name == "fp64" || c.name == "fp64_tensor" || c.name == "bf16_tensor")
      roofs.push_back({c.name, c.value, false});
    if (c.name == "h2d_pinned") roofs.push_back({"transfer, pinned", c.value, true});
  }
  return roofs;
}

std::string detail(const StudyRow& row, const Summary& s) {
  return row.kernel + " " + name_of(row.type) + ", " + row.size + conditions_of(row) + ", " +
         s.measurement->what.variant;
}

std::vector<RooflineSeries> series_of(const Machine& machine, const std::string& device) {
  std::map<std::string, RooflineSeries> series;
  for (const StudyRow& row : machine.rows)
    for (const auto& [column, s] : row.best) {
      if (s->measurement->what.device != device || !s->flop_rate || !s->bandwidth) continue;
      const Interval& time = s->work_time();
      RooflinePoint point{*s->flop_rate / *s->bandwidth, *s->flop_rate, detail(row, *s)};
      if (time.low > 0) point.high = *s->flop_rate * time.median / time.low;
      if (time.high > 0) point.low = *s->flop_rate * time.median / time.high;
      series[column].name = column;
      series[column].points.push_back(std::move(point));
    }
  std::vector<RooflineSeries> result;
  for (const char* column : study_columns)
    if (const auto found = series.find(column); found != series.end()) result.push_back(found->second);
  return result;
}

// Shows the links between GPUs, from the latest session of each GPU group that measured them.
std::string links_html(const Machine& machine, const std::string& number) {
  // start of the session, and its links, by GPU group
  std::map<std::string, std::pair<std::string, LinksView>> latest;
  for (const Session* session : machine.sessions)
    for (LinksView& links : links_views(session->ceilings)) {
      auto& [started, view] = latest[links.team];
      if (started.empty() || session->started > started) started = session->started, view = std::move(links);
    }
  std::string html;
  for (const auto& [team, of] : latest) {
    const LinksView& links = of.second;
    html +=
        element("p", "Links of " + team + ": " + links.text + "." +
                         (links.slow.empty() ? "" : " Slower than the fastest pair: " + links.slow + ".")) +
        html_table({links.pairs, "links-" + slug(team) + number});
  }
  return html;
}

Table ceilings_table(const Session& session, const std::string& label) {
  Table table;
  table.title = "Measured ceilings" + label;
  table.keys = 1;
  table.columns = {
      {"device"}, {"ceiling"}, {"footprint", "footprint", Unit::bytes}, {"value", "value", Unit::number}};
  for (const Ceiling& c : session.ceilings)
    table.rows.push_back(
        {c.device, c.name, c.footprint ? Cell(c.footprint) : Cell(), Cell(c.value).as(format_value(c))});
  return table;
}

Table points_table(const Machine& machine, const std::string& label) {
  Table table;
  table.title = "The fastest of each model against its ceiling, at the largest sizes" + label;
  table.keys = 4;
  table.columns = {{"kernel"},
                   {"type"},
                   {"threads"},
                   {"size", "N", Unit::count},
                   {"variant"},
                   {"device"},
                   {"intensity", "FLOP per byte", Unit::number},
                   {"flop_rate", "arithmetic", Unit::flop_rate},
                   {"bandwidth", "bandwidth", Unit::bandwidth},
                   {"ceiling_fraction", "of the ceiling", Unit::percent},
                   {"bound", "limited by"},
                   {"unit", "unit"},
                   {"why", "above 100 %: why"}};
  const auto known = [](const std::optional<double>& value) { return value ? Cell(*value) : Cell(); };
  for (const StudyRow& row : largest_rows(machine))
    for (const char* column : study_columns) {
      const auto found = row.best.find(column);
      if (found == row.best.end()) continue;
      const Summary& s = *found->second;
      if (!s.bandwidth && !s.flop_rate) continue;
      const Cell intensity =
          s.bandwidth && s.flop_rate ? Cell(*s.flop_rate / *s.bandwidth) : Cell(s.bandwidth ? 0.0 : NAN);
      table.rows.push_back({row.kernel + (row.cache == CacheMode::cold ? " (cold)" : ""), name_of(row.type),
                            row.threads.empty() ? Cell() : Cell(row.threads), row.size,
                            s.measurement->what.variant, s.measurement->what.device, intensity,
                            known(s.flop_rate), known(s.bandwidth), known(s.ceiling_fraction),
                            s.limit == Limit::launch ? "latency" : name_of(s.limit),
                            s.matrix_units ? Cell("matrix units") : Cell(),
                            s.above_ceiling.empty() ? Cell() : Cell(s.above_ceiling)});
    }
  drop_if_empty(&table, "threads");
  return table;
}

std::string roofline_sentence(const Machine& machine) {
  const Reasons all = reasons(machine.rows, false);
  std::size_t above = 0;
  bool matrix_units = false, without_arithmetic = false;
  std::string first;
  for (const StudyRow& row : machine.rows)
    for (const Summary* s : row.all) {
      if (s->beyond_ceiling && !above++)
        first = row.kernel + " " + s->measurement->what.variant + " at " + row.size;
      matrix_units = matrix_units || s->matrix_units;
      without_arithmetic = without_arithmetic || (s->bandwidth && !s->flop_rate);
    }
  if (!all.known()) return "Rates are shown; no ceiling bounds them here.";
  std::string text = "Over all sizes " + limits_text(all) + "; the fastest reach " +
                     format_percent(all.median_fraction) + " of their ceilings in the median. ";
  text += above == 0
              ? "Nothing is faster than its ceiling allows."
              : plural(above, "case") + (above == 1 ? " is" : " are") + " faster than the ceilings allow (" +
                    (above == 1 ? "" : "the first: ") + first + ").";
  if (without_arithmetic) text += " Kernels without arithmetic stand in the table, not in the figure.";
  if (matrix_units) text += " Results of matrix units are compared with the ceiling of matrix units.";
  return text;
}

}  // namespace

std::string roofline_section(const Context& context) {
  std::string html = section_open("roofline", "Ceilings");
  for (std::size_t i = 0; i < context.machines.size(); ++i) {
    const Machine& machine = context.machines[i];
    const std::string number = context.several() ? "-m" + std::to_string(i + 1) : "";
    const std::string label = context.several() ? ", on " + machine.label : "";
    html += machine_heading(context, machine) + element("p", roofline_sentence(machine));
    const Session* session = ceilings_of(machine);
    if (session) {
      for (const std::string& device : devices_of(*session))
        html += figure_html(
            {"roofline-" + slug(device) + number,
             "Roofline of " + device + label + ": measured bandwidths by footprint, and arithmetic",
             "Arithmetic rate over FLOP per byte of each kernel below the measured ceilings; the tables "
             "below hold the numbers."},
            roofline_spec(roofs_of(*session, device), series_of(machine, device)));
      html +=
          folded("The measured ceilings", html_table({ceilings_table(*session, label), "ceilings" + number}));
    } else if (!machine.rows.empty()) {
      html += "<p class=\"warning\">No ceiling was measured" + escape(label) +
              ": rates are shown, shares of a ceiling are not.</p>\n";
    }
    html += links_html(machine, number);
    Table points = points_table(machine, label);
    hide_empty_columns(&points);
    html += folded("The fastest of each model, at the largest sizes", html_table({points, "rates" + number}));
    html += command_html(context, "--by bandwidth");
  }
  return html + "</section>\n";
}

}  // namespace sextant::report
