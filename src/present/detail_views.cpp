// Tables of `sextant show` other than the speed-ups: transfers, tunings, variants and problems.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/study/groups.hpp"
#include "analysis/study/tuning_loss.hpp"
#include "base/join.hpp"
#include "present/cells.hpp"
#include "present/format.hpp"
#include "present/item_rate.hpp"
#include "present/preparation.hpp"
#include "present/rivals.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

std::vector<Cell> case_cells(const Summary& s) {
  const Case& what = s.measurement->what;
  const std::string types = s.description ? array_types(*s.description, what.problem.type) : "";
  return {s.machine,
          what.kernel,
          name_of(what.problem.type),
          what.problem_class.empty() ? Cell(what.problem.n) : Cell(what.problem_class),
          what.cache == CacheMode::cold ? "cold" : "warm",
          cell_of(what.fill),
          s.threads.count.empty() ? Cell() : Cell(text_of(s.threads)),
          what.variant,
          tuning_text(what.tuning),
          types.empty() ? Cell() : Cell(types)};
}

const std::vector<Column> case_columns = {{"machine"}, {"kernel"},  {"type"},    {"size"},   {"cache"},
                                          {"fill"},    {"threads"}, {"variant"}, {"tuning"}, {"array_types"}};

std::vector<Column> with_case(std::vector<Column> more) {
  std::vector<Column> columns = case_columns;
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

void add_row(Table* table, const Summary& s, std::vector<Cell> more) {
  std::vector<Cell> cells = case_cells(s);
  cells.insert(cells.end(), more.begin(), more.end());
  table->rows.push_back(std::move(cells));
}

bool new_kernel(const std::vector<StudyRow>& rows, std::size_t i) {
  return i == 0 || rows[i].kernel != rows[i - 1].kernel || rows[i].type != rows[i - 1].type ||
         rows[i].machine != rows[i - 1].machine || rows[i].cache != rows[i - 1].cache ||
         rows[i].fill != rows[i - 1].fill || rows[i].threads != rows[i - 1].threads;
}

// The names of the tuned parameters and their values, such as "depth/tile_rows" and "256/64". For GPU
// launches, the value is the number of threads per block. The number of CPU threads is omitted, because the
// row's name contains it. Both texts are empty if nothing was tuned.
struct TunedChoice {
  std::string names, values;
};

TunedChoice tuned_choice(const Summary& s) {
  if (const std::string block = block_of(s); !block.empty()) return {"threads per block", block};
  Tuning tuning = s.measurement->what.tuning;
  std::erase_if(tuning, [](const auto& one) { return one.first == "threads"; });
  return {join(tuning, "/", [](const auto& one) { return one.first; }),
          join(tuning, "/", [](const auto& one) { return value_text(one.second); })};
}

// Returns a measurement whose copies were made by the column's own programming model. The column's best
// variant may not qualify: if an OpenACC variant takes device pointers, CUDA copies its data. Only CUDA's
// copies have times with pinned host memory.
const Summary* copied_by(const StudyRow& row, const std::string& column, bool pinned) {
  for (const Summary* s : row.all)
    if (s->ok() && column_of(*s) == column && s->h2d_bytes && s->h2d_pinned_time.has_value() == pinned)
      return s;
  return nullptr;
}

}  // namespace

View transfers_view(const std::vector<StudyRow>& rows) {
  View view;
  Table table;
  table.title = "Transfers of the arrays that a kernel reads (in) and writes (out), each on its own, summed";
  table.columns = {{"kernel"},
                   {"size", "N", Unit::count},
                   {"bytes", "size", Unit::bytes},
                   {"cuda_in", "CUDA in", Unit::seconds},
                   {"cuda_out", "out", Unit::seconds},
                   {"pinned_in", "pinned", Unit::seconds},
                   {"pinned_out", "out", Unit::seconds},
                   {"openacc_in", "OpenACC", Unit::seconds},
                   {"openacc_out", "out", Unit::seconds}};
  table.keys = 1;
  for (const StudyRow& row : rows) {
    const Summary* cuda = copied_by(row, "cuda", true);
    const Summary* openacc = copied_by(row, "openacc", false);
    const Summary* any = cuda && cuda->h2d_bytes ? cuda : openacc;
    if (!any || (!any->h2d_bytes && !any->d2h_bytes)) continue;
    const auto time = [](const Summary* s, std::optional<double> Summary::*member) {
      return s ? known(s->*member) : Cell();
    };
    table.rows.push_back({short_name_of(row), row.size,
                          any->h2d_bytes.value_or(0) + any->d2h_bytes.value_or(0),
                          time(cuda, &Summary::h2d_time), time(cuda, &Summary::d2h_time),
                          time(cuda, &Summary::h2d_pinned_time), time(cuda, &Summary::d2h_pinned_time),
                          time(openacc, &Summary::h2d_time), time(openacc, &Summary::d2h_time)});
  }
  if (!table.rows.empty()) view.texts = {table};
  view.rows.columns = with_case({{"h2d_bytes"},
                                 {"d2h_bytes"},
                                 {"h2d_time"},
                                 {"d2h_time"},
                                 {"h2d_pinned_time"},
                                 {"d2h_pinned_time"},
                                 {"alloc_time"},
                                 {"end_to_end_time"}});
  for (const StudyRow& row : rows)
    for (const auto& [column, s] : row.best)
      if (!s->on_host)
        add_row(&view.rows, *s,
                {known(s->h2d_bytes), known(s->d2h_bytes), known(s->h2d_time), known(s->d2h_time),
                 known(s->h2d_pinned_time), known(s->d2h_pinned_time), median_of(s->alloc_time),
                 median_of(s->end_to_end_time)});
  return view;
}

namespace {

constexpr std::size_t most_tunings = 10;

std::string with_noise(const Interval& time) {
  return format_seconds(time.median) + (noise(time) < too_noisy ? " " + noise_text(time) : "");
}

// Returns a cell with the gain over the default tuning and its interval: "1.32x". The text is "none beyond
// noise" if noise may explain the gain.
Cell gain_cell(const RankedTuning& one) {
  if (one.standard) return Cell(1.0).as("default");
  if (!one.gain.samples) return {};
  if (one.gain.low <= 1 && one.gain.high >= 1) return Cell(one.gain.median).as("none beyond noise");
  return Cell(one.gain.median, one.gain.low > 1 ? Tone::good : Tone::plain)
      .as(fmt::format("{} ({} to {})", format_ratio(one.gain.median), format_ratio(one.gain.low),
                      format_ratio(one.gain.high)));
}

// Returns the ten best tunings of one variant at one problem, and the default.
Table ranked_table(const StudyRow& row, const std::vector<RankedTuning>& ranked) {
  Table table;
  table.title = fmt::format("{} N={}, {}: the best of {} tunings", short_name_of(row), row.size,
                            ranked.front().summary->measurement->what.variant, ranked.size());
  table.columns = {{"tuning"},
                   {"time", "time", Unit::seconds},
                   {"over_best", "over the best", Unit::ratio},
                   {"gain", "gain over the default", Unit::ratio}};
  const auto add = [&](const RankedTuning& one) {
    table.rows.push_back(
        {tuning_text(one.summary->measurement->what.tuning), Cell(one.time.median).as(with_noise(one.time)),
         one.tied ? Cell(one.over_best.median, Tone::good).as(&one == ranked.data() ? "best" : "tied")
                  : Cell(one.over_best.median),
         gain_cell(one)});
  };
  for (std::size_t i = 0; i < std::min(ranked.size(), most_tunings); ++i) add(ranked[i]);
  for (std::size_t i = most_tunings; i < ranked.size(); ++i)
    if (ranked[i].standard) add(ranked[i]);
  const auto ties = static_cast<std::size_t>(
      std::count_if(ranked.begin(), ranked.end(), [](const RankedTuning& one) { return one.tied; }));
  if (ties > 1)
    table.note = fmt::format(
        "  {} are undecided: noise explains the difference. Take more samples to decide (--samples, "
        "--max-noise).",
        ties);
  return table;
}

}  // namespace

View ranked_tuning_view(const std::vector<StudyRow>& rows) {
  View view = tuning_view(rows);
  for (const StudyRow& row : rows)
    for (const char* column : study_columns)
      if (const std::vector<RankedTuning> ranked = ranked_tunings(row, column); ranked.size() > 1)
        view.texts.push_back(ranked_table(row, ranked));
  return view;
}

View tuning_view(const std::vector<StudyRow>& rows) {
  View view;
  Table table;
  // The table has one column per size. If these do not fit on a line, it has only the five largest sizes.
  std::vector<const StudyRow*> all;
  for (const StudyRow& row : rows) all.push_back(&row);
  std::vector<std::string> shown = sizes_of(all);
  if (shown.size() > 5) shown.erase(shown.begin(), shown.end() - 5);
  table.columns = {{"kernel"}, {"model"}, {"what", "of"}};
  for (const std::string& size : shown) table.columns.push_back({size, size, Unit::count});
  view.rows.columns = with_case({{"column"},
                                 {"block"},
                                 {"call_time"},
                                 {"device_time"},
                                 {"tried"},
                                 {"slowest_over_best"},
                                 {"ties"},
                                 {"gain"},
                                 {"gain_low"},
                                 {"gain_high"}});
  std::map<std::string, std::size_t> line_of;
  std::size_t most_tried = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const char* column : study_columns) {
      const std::optional<BestTuning> best = best_tuning(rows[i], column);
      if (!best) continue;
      const Summary& s = *best->summary;
      most_tried = std::max(most_tried, best->tried);
      const TunedChoice tuned = tuned_choice(s);
      const std::vector<RankedTuning> ranked = ranked_tunings(rows[i], column);
      // Speed-up of the best tuning over the default one.
      const Interval gain = ranked.empty() ? Interval{} : ranked.front().gain;
      const std::int64_t ties =
          std::count_if(ranked.begin(), ranked.end(), [](const RankedTuning& one) { return one.tied; });
      add_row(&view.rows, s,
              {column, block_of(s), median_of(s.call_time), median_of(s.device_time),
               static_cast<std::int64_t>(best->tried), best->slowest_over_best, ties - 1,
               gain.samples ? Cell(gain.median) : Cell(), gain.samples ? Cell(gain.low) : Cell(),
               gain.samples ? Cell(gain.high) : Cell()});
      if (tuned.names.empty()) continue;
      const auto [line, fresh] =
          line_of.try_emplace(rows[i].machine + short_name_of(rows[i]) + "|" + column, table.rows.size());
      if (fresh) {
        table.rows.push_back({short_name_of(rows[i]), column, tuned.names});
        table.rows.back().resize(table.columns.size());
      }
      std::vector<Cell>& cells = table.rows[line->second];
      const auto place = std::find(shown.begin(), shown.end(), rows[i].size);
      if (place == shown.end()) continue;
      // The best variant at this size may have other tunables than the row's variant. The cell then shows
      // their names.
      const bool same = to_text(cells[2], Unit::text) == tuned.names;
      cells[3 + static_cast<std::size_t>(place - shown.begin())] =
          Cell(same ? tuned.values : tuned.names + " " + tuned.values);
    }
  if (most_tried > 1)
    table.note = "  `sextant show FILE --by tuning` shows the ten best and their gain over the default.";
  if (most_tried == 1)
    table.note =
        "  Only each variant's default tuning was measured: `sextant run -t all` measures all tunings.";
  table.title = "Best tuning of each model's best variant, by N";
  if (!table.rows.empty()) view.texts = {table};
  return view;
}

namespace {

// True if the rate is shown in FLOP/s, as in the table of `run`. That is the case above four FLOP per byte.
bool is_told_by_arithmetic(const Summary& s) {
  return s.flop_rate && s.bandwidth && *s.flop_rate > 4 * *s.bandwidth;
}

}  // namespace

View variants_view(const std::vector<StudyRow>& rows) {
  View view;
  const std::vector<Column> figures = {
      {"call_time", "call", Unit::seconds},
      {"device_time", "device", Unit::seconds},
      {.name = "end_to_end_time", .title = "with copies", .unit = Unit::seconds, .spare = 2, .missed = true},
      {.name = "prepare_time", .title = "prepare", .unit = Unit::seconds, .spare = 3},
      // minimum number of launches on the same inputs for which preparing these inputs pays off; 0: never
      {.name = "pays_from", .title = "pays from", .unit = Unit::count},
      {.name = "first_use", .title = "first use", .unit = Unit::seconds, .spare = 4},
      {"speedup_serial", "over -O2 loop", Unit::ratio},
      {"bandwidth", "bandwidth", Unit::bandwidth},
      // Shown instead of the bandwidth if arithmetic limits the variant.
      {"flop_rate", "arithmetic", Unit::flop_rate},
      {"item_rate", "rate"},  // shown for kernels that do not count bytes
      {.name = "ceiling_fraction", .title = "of ceiling", .unit = Unit::percent, .spare = 1}};
  view.rows.columns = with_case(figures);
  bool fresh = false;  // true if the next row with a result starts a new table
  for (std::size_t i = 0; i < rows.size(); ++i) {
    fresh = fresh || new_kernel(rows, i);
    std::map<std::string, const Summary*> best;  // maps a variant to its measurement with the best tuning
    for (const Summary* s : rows[i].all) {
      if (!s->ok()) continue;
      const Summary*& fastest = best[s->measurement->what.variant];
      if (!fastest || s->call_time.median < fastest->call_time.median) fastest = s;
    }
    std::vector<const Summary*> order;
    for (const auto& [name, s] : best) order.push_back(s);
    std::stable_sort(order.begin(), order.end(), [](const Summary* a, const Summary* b) {
      return a->call_time.median < b->call_time.median;
    });
    if (order.empty()) continue;
    if (fresh) {
      fresh = false;
      view.texts.emplace_back();
      view.texts.back().title =
          short_name_of(rows[i]) + (rows[i].machine.empty() ? "" : " on " + rows[i].machine);
      view.texts.back().columns = {{"size", "N", Unit::count}, {.name = "variant", .breaks = true}};
      view.texts.back().keys = 1;
      view.texts.back().columns.insert(view.texts.back().columns.end(), figures.begin(), figures.end());
    }
    for (const Summary* s : order) {
      std::vector<Cell> cells = {
          median_of(s->call_time),      median_of(s->device_time), median_of(s->end_to_end_time),
          median_of(s->prepare_time),   pays_from_cell(*s),        known(s->first_use),
          median_of(s->speedup_serial), known(s->bandwidth),       known(s->flop_rate),
          known(item_rate(*s)),         known(s->ceiling_fraction)};
      add_row(&view.rows, *s, cells);
      cells[is_told_by_arithmetic(*s) ? 7 : 8] = Cell();
      cells[9] = item_rate(*s) && !s->bandwidth ? Cell(format_item_rate(*item_rate(*s))) : Cell();
      if (!s->prepares()) cells[3] = cells[5] = Cell();  // negligible
      std::vector<Cell> line = {rows[i].size, s->measurement->what.variant +
                                                  (s->excluded_from_ranking ? " (not ranked)" : "") +
                                                  (ran_on_one_core(*s) ? " (one core)" : "")};
      line.insert(line.end(), cells.begin(), cells.end());
      view.texts.back().rows.push_back(line);
    }
  }
  for (Table& table : view.texts) {
    hide_empty_columns(&table);
    if (std::any_of(table.columns.begin(), table.columns.end(),
                    [](const Column& column) { return column.name == "pays_from" && column.title != "-"; }))
      table.note =
          "  pays from: launches on the same inputs from which preparing for them pays, by call time, "
          "against\n"
          "  the fastest variant without such a preparation on the same device";
  }
  return view;
}

namespace {

// Maps a status and a reason to the number of cases and their names. Status::ok stands for correct cases that
// are faster than the device's ceilings allow.
using Problems = std::map<std::pair<Status, std::string>, std::pair<std::size_t, std::set<std::string>>>;

Table problems_table(const Problems& problems) {
  Table table;
  table.title = "Not measured, or not correctly";
  table.columns = {{"cases", "cases", Unit::count}, {"status"}, {.name = "reason", .breaks = true}};
  for (const auto& [what, cases] : problems) {
    const auto& [count, names] = cases;
    std::string where;
    std::size_t named = 0;
    for (const std::string& name : names) {
      if (++named > 3) break;
      where += (where.empty() ? "" : ", ") + name;
    }
    if (names.size() > 3) where += fmt::format(", … ({} variants)", names.size());
    const std::string reason = what.second.substr(0, what.second.find('\n'));
    const Tone tone = what.first == Status::skipped ? Tone::quiet
                      : what.first == Status::ok    ? Tone::warning
                                                    : Tone::bad;
    const char* status = what.first == Status::ok ? "too fast" : name_of(what.first);
    table.rows.push_back({static_cast<std::int64_t>(count), Cell(status, tone),
                          (reason.empty() ? "no reason given" : reason) + ": " + where});
  }
  return table;
}

}  // namespace

View problems_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = with_case({{"status"}, {"reason"}});
  Problems problems;
  std::map<std::string, std::size_t> notes;
  for (const StudyRow& row : rows)
    for (const Summary* s : row.all) {
      const Measurement& m = *s->measurement;
      for (const std::string& note : s->notes)
        if (!s->beyond_ceiling || note != s->above_ceiling) ++notes[note];
      if (m.status == Status::ok && !s->beyond_ceiling) continue;
      const bool impossible = !s->why_impossible.empty();
      const Status status = impossible ? Status::impossible : m.status;
      const std::string& reason = impossible          ? s->why_impossible
                                  : s->beyond_ceiling ? s->above_ceiling
                                                      : m.reason;
      auto& [count, names] = problems[{status, reason}];
      ++count;
      names.insert(m.what.kernel + " " + m.what.variant);
      add_row(&view.rows, *s, {name_of(status), reason});
    }
  if (!problems.empty()) view.texts.push_back(problems_table(problems));
  Table empty;
  empty.title = "Why figures are missing";
  empty.columns = {{"cases", "cases", Unit::count}, {"reason"}};
  for (const auto& [note, count] : notes) empty.rows.push_back({static_cast<std::int64_t>(count), note});
  if (!empty.rows.empty()) view.texts.push_back(empty);
  return view;
}

}  // namespace sextant
