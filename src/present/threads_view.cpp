// View of `sextant show --by threads`. It shows one variant on 1, 2, … threads, next to serial code for the
// same problem.
#include <fmt/format.h>

#include <vector>

#include "analysis/summary/thread_curves.hpp"
#include "base/plural.hpp"
#include "present/format.hpp"
#include "present/views.hpp"

namespace sextant {
namespace {

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

// Explains why gains exceed the number of threads. Names the missing measurement if one is needed for that.
std::string note_of(const ThreadCurve& curve) {
  const auto& [threads, most] = *curve.points.rbegin();
  const Summary* one = curve.one_thread();
  if (!one)
    return "No time on one thread: `sextant run -t threads=1,…` adds it, for speed-up and efficiency.";
  const double by_threads = one->call_time.median / most->call_time.median;
  const double all = curve.baseline ? curve.baseline->call_time.median / most->call_time.median : 0;
  std::string note;
  if (all > 1.1 * threads)
    note = fmt::format(
        "{} over the -O2 loop is more than {} alone can gain: the code of one thread gains {} (vector "
        "instructions, several sums at a time), threads {}.",
        format_ratio(all), plural(threads, "thread"), format_ratio(all / by_threads),
        by_threads < 0.995 ? "lose: " + format_ratio(by_threads) : "gain " + format_ratio(by_threads));
  if (by_threads > 1.05 * threads)
    note += std::string(note.empty() ? "" : " ") +
            "Efficiency above 100 %: the times are noisy, or the arrays fit into the caches of several cores "
            "but not of one.";
  return note;
}

const std::vector<Column> thread_columns = {{"threads", "", Unit::count},
                                            {"call_time_median", "time", Unit::seconds},
                                            {"speedup_self", "over one thread", Unit::ratio},
                                            {"efficiency", "efficiency", Unit::percent},
                                            {"speedup_baseline", "over the -O2 loop", Unit::ratio},
                                            {"speedup_native", "over the native loop", Unit::ratio}};

Table table_of(const ThreadCurve& curve) {
  Table table;
  const std::string& machine = curve.points.begin()->second->machine;
  table.title = curve.title() + (machine.empty() ? "" : ", " + machine);
  table.columns = thread_columns;
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
  view.rows.columns.insert(view.rows.columns.end(), thread_columns.begin(), thread_columns.end());
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
