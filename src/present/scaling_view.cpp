// View of `sextant show --by scaling`: problems on several ranks or GPUs, with one line for each number of
// ranks or GPUs.
#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/summary/scaling.hpp"
#include "present/cells.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"

namespace sextant {
namespace {

const std::vector<Column> columns = {{"parts", "", Unit::count},
                                     {"nodes", "", Unit::count},
                                     {"cores", "", Unit::number},
                                     {"call_time_median", "time", Unit::seconds},
                                     {"speedup_self", "over one part", Unit::ratio},
                                     {"efficiency_self", "efficiency", Unit::percent},
                                     {"speedup_best_single", "over best single", Unit::ratio},
                                     {"efficiency_best_single", "efficiency", Unit::percent},
                                     {"compute_time", "computing", Unit::seconds},
                                     {"exchange_time", "exchanging", Unit::seconds},
                                     {"exposed_time", "exposed", Unit::seconds},
                                     {"hidden_share", "hidden", Unit::percent},
                                     {"bytes_sent", "sent", Unit::bytes},
                                     {"bus_bandwidth", "rate", Unit::bandwidth},
                                     {"balance", "balance", Unit::percent}};

const std::vector<Column> columns_of_each = {{"parts", "", Unit::count},
                                             {"part", "", Unit::text},
                                             {"compute_time", "computing", Unit::seconds},
                                             {"exchange_time", "exchanging", Unit::seconds},
                                             {"clock", "MHz", Unit::number},
                                             {"power", "W", Unit::number}};

Cell whole_units(const std::optional<double>& value, double unit) {
  if (!value) return {};
  return Cell(*value / unit).as(std::to_string(std::lround(*value / unit)));
}

// Returns a table of the compute and exchange times of every rank or GPU, for each point of the curve.
Table each_of(const ScalingCurve& curve) {
  Table table;
  table.title = curve.title + ": each part";
  table.columns = columns_of_each;
  for (const Summary* s : curve.points)
    for (const Part& part : s->measurement->each)
      table.rows.push_back({static_cast<std::int64_t>(s->parts), part.device, known(part.compute),
                            known(part.exchange), whole_units(part.clock, 1e6), whole_units(part.power, 1)});
  hide_empty_columns(&table);
  return table;
}

std::vector<Cell> cells_of(const Summary& s) {
  const Measurement& m = *s.measurement;
  return {static_cast<std::int64_t>(s.parts),
          m.nodes ? Cell(std::int64_t{*m.nodes}) : Cell(),
          known(m.cores),
          median_of(s.call_time),
          median_of(s.speedup_self),
          median_of(s.efficiency_self),
          median_of(s.speedup_best_single),
          median_of(s.efficiency_best_single),
          known(s.compute_time),
          known(s.exchange_time),
          known(s.exposed_time),
          known(s.hidden_share),
          m.work.bytes_sent,
          known(s.bus_bandwidth),
          known(m.balance)};
}

bool share_cores(const Summary& s) { return s.measurement->cores && *s.measurement->cores < s.parts; }

// Returns a warning that parts (ranks or GPUs) share cores: "4 parts share 2 cores: …". It refers to the
// first point of the curve where they do.
std::string sharing_of(const std::vector<const Summary*>& curve) {
  for (const Summary* s : curve) {
    if (!share_cores(*s)) continue;
    const auto cores = std::lround(*s->measurement->cores);
    return std::to_string(s->parts) + " parts share " + std::to_string(cores) +
           (cores == 1 ? " core" : " cores") + ": their times do not apply to parts with their own cores";
  }
  return {};
}

// Returns the most likely reason why more ranks or GPUs are slower, judged by the measured times.
std::string likely_reason(const Summary& s) {
  if (s.measurement->balance && *s.measurement->balance < 0.8) return "the parts are unbalanced";
  if (s.exposed_time && *s.exposed_time > 0.3 * s.call_time.median)
    return "most of its gain is lost to the exchange";
  return "its parts are too small, or share processors or devices";
}

// Returns a warning that more parts (ranks or GPUs) are slower: "4 parts are slower than 2: …". It refers to
// the first point of the curve where they are.
std::string warning_of(const std::vector<const Summary*>& curve) {
  for (std::size_t i = 1; i < curve.size(); ++i) {
    const Summary &before = *curve[i - 1], &s = *curve[i];
    const bool weak = is_weak(s.measurement->what.problem_class);
    if (share_cores(s)) break;  // sharing_of already explains this point
    if (weak || !(s.call_time.low > before.call_time.high)) continue;
    return std::to_string(s.parts) + " parts are slower than " + std::to_string(before.parts) + ": " +
           likely_reason(s);
  }
  return sharing_of(curve);
}

}  // namespace

View scaling_view(const std::vector<Summary>& summaries) {
  View view;
  view.rows.columns = {{"machine"},       {"kernel"}, {"variant"}, {"type"}, {"n", "", Unit::count},
                       {"problem_class"}, {"tuning"}, {"device"},  {"scale"}};
  view.rows.columns.insert(view.rows.columns.end(), columns.begin(), columns.end());
  for (const ScalingCurve& curve : scaling_curves(summaries)) {
    Table table;
    table.title = curve.title;
    table.note = warning_of(curve.points);
    table.columns = columns;
    for (const Summary* s : curve.points) {
      const Case& what = s->measurement->what;
      std::vector<Cell> cells = cells_of(*s);
      table.rows.push_back(cells);
      std::vector<Cell> row = {s->machine,
                               what.kernel,
                               what.variant,
                               std::string(name_of(what.problem.type)),
                               what.problem.n,
                               what.problem_class,
                               tuning_text(what.tuning),
                               what.device,
                               std::string(curve.weak ? "weak" : "strong")};
      row.insert(row.end(), cells.begin(), cells.end());
      view.rows.rows.push_back(std::move(row));
    }
    hide_empty_columns(&table);
    view.texts.push_back(std::move(table));
    if (Table each = each_of(curve); !each.rows.empty()) view.texts.push_back(std::move(each));
  }
  return view;
}

}  // namespace sextant
