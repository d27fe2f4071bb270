// sextant show --by threads: one variant on 1, 2, … threads, next to the serial loops of the same problem.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <vector>

#include "base/plural.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

// One variant at one problem: its measurements by the number of threads.
struct ThreadCurve {
  const Summary* baseline = nullptr;  // serial.baseline, compiled with -O2; null: not measured
  const Summary* native = nullptr;    // serial.native
  std::map<int, const Summary*> points;

  const Summary* one_thread() const { return points.begin()->first == 1 ? points.begin()->second : nullptr; }
};

bool counts(const Summary& s) { return s.ok() && s.current && s.on_host && s.parts == 0; }

// Tuning and binding, but for the number of threads.
std::string curve_key(const Summary& s) {
  Tuning tuning = s.measurement->what.tuning;
  std::erase_if(tuning, [](const auto& entry) { return entry.first == "threads"; });
  return problem_key(s) + "|" + s.measurement->what.variant + "|" + tuning_text(tuning) + "|" +
         s.threads.binding;
}

// Those of two numbers of threads or more, in the order of the file.
std::vector<ThreadCurve> thread_curves(const std::vector<Summary>& summaries) {
  std::map<std::string, const Summary*> serial;
  std::map<std::string, std::size_t> index;
  std::vector<ThreadCurve> curves;
  for (const Summary& s : summaries) {
    if (!counts(s)) continue;
    if (s.model == "serial") serial[problem_key(s) + "|" + s.measurement->what.variant] = &s;
    const int threads = std::atoi(s.threads.count.c_str());
    if (threads < 1) continue;
    const auto [found, fresh] = index.try_emplace(curve_key(s), curves.size());
    if (fresh) curves.emplace_back();
    curves[found->second].points[threads] = &s;
  }
  std::erase_if(curves, [](const ThreadCurve& curve) { return curve.points.size() < 2; });
  for (ThreadCurve& curve : curves) {
    const std::string problem = problem_key(*curve.points.begin()->second) + "|";
    if (const auto found = serial.find(problem + "serial.baseline"); found != serial.end())
      curve.baseline = found->second;
    if (const auto found = serial.find(problem + "serial.native"); found != serial.end())
      curve.native = found->second;
  }
  return curves;
}

Cell gain(const Summary* slow, const Summary& fast) {
  return slow ? Cell(slow->call_time.median / fast.call_time.median) : Cell();
}

std::vector<Cell> cells_of(const ThreadCurve& curve, int threads, const Summary& s) {
  const Summary* one = curve.one_thread();
  const Cell over_one = gain(one, s);
  return {Cell(threads),
          Cell(s.call_time.median),
          over_one,
          one ? Cell(one->call_time.median / s.call_time.median / threads) : Cell(),
          gain(curve.baseline, s),
          gain(curve.native, s)};
}

// Where the gain over the -O2 loop is more than the threads alone can give, what else it comes from.
std::string note_of(const ThreadCurve& curve) {
  const auto& [threads, most] = *curve.points.rbegin();
  const Summary* one = curve.one_thread();
  if (!one)
    return "No time on one thread: `sextant run -t threads=1,…` adds it, for speed-up and efficiency.";
  if (!curve.baseline) return "";
  const double all = curve.baseline->call_time.median / most->call_time.median,
               by_threads = one->call_time.median / most->call_time.median;
  if (all <= 1.1 * threads) return "";
  return fmt::format(
      "{} over the -O2 loop is more than {} can give: {} come from the code of one thread (vector instructions, "
      "several sums at a time), {} from threads.",
      format_ratio(all), plural(threads, "thread"), format_ratio(all / by_threads), format_ratio(by_threads));
}

const std::vector<Column> columns = {{"threads", "", Unit::count},
                                     {"call_time_median", "time", Unit::seconds},
                                     {"speedup_self", "over one thread", Unit::ratio},
                                     {"efficiency", "efficiency", Unit::percent},
                                     {"speedup_baseline", "over the -O2 loop", Unit::ratio},
                                     {"speedup_native", "over the native loop", Unit::ratio}};

Table table_of(const ThreadCurve& curve) {
  const Summary& first = *curve.points.begin()->second;
  const Case& what = first.measurement->what;
  Table table;
  table.title =
      fmt::format("{} {}, {} {}, {}", what.kernel, what.variant, name_of(what.problem.type),
                  what.problem_class.empty() ? "N = " + std::to_string(what.problem.n) : what.problem_class,
                  first.machine);
  table.columns = columns;
  for (const auto& [serial, name] :
       {std::pair(curve.baseline, "serial, -O2"), std::pair(curve.native, "serial, native")})
    if (serial)
      table.rows.push_back({name, Cell(serial->call_time.median), Cell(), Cell(),
                            gain(curve.baseline, *serial), gain(curve.native, *serial)});
  for (const auto& [threads, s] : curve.points) table.rows.push_back(cells_of(curve, threads, *s));
  hide_empty_columns(&table);
  table.note = note_of(curve);
  return table;
}

}  // namespace

View threads_view(const std::vector<Summary>& summaries) {
  View view;
  view.rows.columns = {{"machine"},      {"kernel"}, {"variant"}, {"type"}, {"n", "", Unit::count},
                       {"problem_class"}};
  view.rows.columns.insert(view.rows.columns.end(), columns.begin(), columns.end());
  for (const ThreadCurve& curve : thread_curves(summaries)) {
    view.texts.push_back(table_of(curve));
    for (const auto& [threads, s] : curve.points) {
      const Case& what = s->measurement->what;
      std::vector<Cell> row = {s->machine,     what.kernel,       what.variant, name_of(what.problem.type),
                               what.problem.n, what.problem_class};
      const std::vector<Cell> cells = cells_of(curve, threads, *s);
      row.insert(row.end(), cells.begin(), cells.end());
      view.rows.rows.push_back(std::move(row));
    }
  }
  return view;
}

}  // namespace sextant
