#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "analysis/study/groups.hpp"
#include "analysis/study/verdict.hpp"
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

using Group = StudyGroup;

// The first columns of every row in machine-readable output.
const std::vector<Column> key_columns = {{"machine"}, {"kernel"}, {"type"},   {"size"},
                                         {"cache"},   {"fill"},   {"threads"}};

std::vector<Cell> key_cells(const StudyRow& row) {
  return {row.machine,
          row.kernel,
          name_of(row.type),
          row.n && row.size == std::to_string(row.n) ? Cell(row.n) : Cell(row.size),
          row.cache == CacheMode::cold ? "cold" : "warm",
          cell_of(row.fill),
          row.threads.empty() ? Cell() : Cell(row.threads)};
}

std::vector<Column> with_keys(std::vector<Column> more) {
  std::vector<Column> columns = key_columns;
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

void add_row(Table* table, const StudyRow& row, std::vector<Cell> more) {
  std::vector<Cell> cells = key_cells(row);
  cells.insert(cells.end(), more.begin(), more.end());
  table->rows.push_back(std::move(cells));
}

// Returns half of the interval's width as a percentage of the median. The text is empty if there are too few
// samples, and for ratios that are 1 by definition.
std::string plus_minus(const Interval& interval) {
  const double share = noise(interval);
  if (!std::isfinite(share) || share == 0) return "";
  if (share > 0.995) return " ±>99%";
  return share < 0.00995 ? fmt::format(" ±{:.1f}%", 100 * share) : fmt::format(" ±{:.0f}%", 100 * share);
}

Cell ratio_cell(const Interval& ratio, bool best) {
  if (!ratio.samples) return {};
  return Cell(ratio.median, best ? Tone::good : Tone::plain)
      .as(format_ratio(ratio.median) + plus_minus(ratio));
}

using Line = std::function<std::vector<Cell>(const StudyRow&, const std::vector<std::string>&)>;

struct SpeedupKind {
  const char* title;
  const char* baseline;
  bool with_transfers;
  Interval Summary::*ratio;
};

const SpeedupKind speedup_kinds[] = {
    {"over -O2 loop", "serial", false, &Summary::speedup_serial},
    {"over best CPU", "cpu", false, &Summary::speedup_cpu},
    {"-O2 loop, copies", "serial", true, &Summary::speedup_serial_with_transfers},
    {"CPU, copies", "cpu", true, &Summary::speedup_cpu_with_transfers}};

std::vector<Cell> speedup_line(const SpeedupKind& kind, const StudyRow& row,
                               const std::vector<std::string>& columns) {
  const auto& best = row.best_by(kind.with_transfers);
  const std::optional<Winner> first = winner(row, kind.with_transfers);
  std::vector<Cell> cells;
  for (const std::string& column : columns) {
    const auto found = best.find(column);
    cells.push_back(found == best.end()
                        ? Cell()
                        : ratio_cell(found->second->*kind.ratio, first && first->column == column));
  }
  return cells;
}

Cell rate_cell(const Summary& s) {
  if (counts_flops(s)) return s.flop_rate ? Cell(*s.flop_rate).as(format_flop_rate(*s.flop_rate)) : Cell();
  if (!s.bandwidth && item_rate(s)) return Cell(*item_rate(s)).as(format_item_rate(*item_rate(s)));
  return s.bandwidth ? Cell(*s.bandwidth).as(format_bandwidth(*s.bandwidth)) : Cell();
}

std::vector<Cell> best_line(const StudyRow& row, const std::vector<std::string>& columns,
                            const std::function<Cell(const Summary&)>& cell) {
  std::vector<Cell> cells;
  for (const std::string& column : columns) {
    const auto found = row.best.find(column);
    cells.push_back(found == row.best.end() ? Cell() : cell(*found->second));
  }
  return cells;
}

// Returns a note on which variant each column's figures belong to, as wrapped text: "fastest: serial native;
// cuda tiled (7936, 130560), vector (1310720)".
std::string variants_note(const Group& group, const std::vector<std::string>& columns) {
  std::string note, line = "  fastest:";
  for (const std::string& column : columns) {
    // Pairs of a variant and the sizes at which it is the fastest.
    std::vector<std::pair<std::string, std::string>> names;
    for (const StudyRow* row : group) {
      const auto found = row->best.find(column);
      if (found == row->best.end()) continue;
      const std::string& full = found->second->measurement->what.variant;
      const std::string name = full.substr(full.find('.') + 1);
      if (names.empty() || names.back().first != name)
        names.emplace_back(name, row->size);
      else
        names.back().second += ", " + row->size;
    }
    std::string text = column;
    for (std::size_t i = 0; i < names.size(); ++i)
      text += (i ? ", " : " ") + names[i].first + (names.size() > 1 ? " (" + names[i].second + ")" : "");
    if (column != columns.back()) text += ";";
    if (line.size() + 1 + text.size() > 100) {
      note += line + "\n";
      line = "   ";
    }
    line += " " + text;
  }
  return note + line;
}

// Explains each N, as wrapped text: "N: 7936 is arrays of 51x51 (31.0 KiB in all), …".
std::string sizes_note(const Group& group) {
  const std::vector<std::string> items = sizes_explained(group);
  if (items.empty()) return {};
  std::string note, line = "  N:";
  for (std::size_t i = 0; i < items.size(); ++i) {
    const std::string text = " " + items[i] + (i + 1 < items.size() ? "," : "");
    if (line.size() + text.size() > 100) {
      note += line + "\n";
      line = "   ";
    }
    line += text;
  }
  return note + line;
}

bool wins_somewhere(const Group& group, const std::string& column) {
  return std::any_of(group.begin(), group.end(), [&](const StudyRow* row) {
    const std::optional<Winner> without = winner(*row, false), with = winner(*row, true);
    return (without && without->column == column) || (with && with->column == column);
  });
}

// True if this line of the table has a value for at least one size. A line without values is omitted, for
// example fractions of ceilings if no ceilings were measured.
bool says_something(const Group& group, const std::vector<std::string>& columns, const Line& line) {
  return std::any_of(group.begin(), group.end(), [&](const StudyRow* row) {
    const std::vector<Cell> cells = line(*row, columns);
    return std::any_of(cells.begin(), cells.end(),
                       [](const Cell& cell) { return !std::holds_alternative<std::monostate>(cell.value); });
  });
}

Table group_table(const Group& group, const std::vector<std::pair<std::string, Line>>& lines) {
  Table table;
  table.title = title_of(*group.front());
  const std::vector<std::string> columns = columns_of(group);
  table.columns = {{"size", "N", Unit::count}, {"what", " "}};
  table.keys = 2;
  for (const std::string& column : columns)  // On a narrow terminal, columns without a win are hidden first.
    table.columns.push_back({.name = column,
                             .title = column,
                             .unit = Unit::ratio,
                             .spare = wins_somewhere(group, column) ? 1 : 2,
                             .missed = true});
  for (const StudyRow* row : group)
    for (const auto& [name, line] : lines)
      if (says_something(group, columns, line)) {
        std::vector<Cell> cells = {row->size, name};
        for (Cell& cell : line(*row, columns)) cells.push_back(std::move(cell));
        table.rows.push_back(std::move(cells));
      }
  table.note = variants_note(group, columns);
  if (const std::string sizes = sizes_note(group); !sizes.empty()) table.note += "\n" + sizes;
  return table;
}

// True if at least one of the best variants ran on a device. Only such variants have copies.
bool has_copies(const Group& group) {
  return std::any_of(group.begin(), group.end(), [](const StudyRow* row) {
    return std::any_of(row->best.begin(), row->best.end(),
                       [](const auto& best) { return !best.second->on_host; });
  });
}

std::vector<std::pair<std::string, Line>> speedup_lines(const Group& group) {
  std::vector<std::pair<std::string, Line>> lines;
  for (const SpeedupKind& kind : speedup_kinds)
    if (!kind.with_transfers || has_copies(group))
      lines.emplace_back(kind.title, [&kind](const StudyRow& row, const std::vector<std::string>& columns) {
        return speedup_line(kind, row, columns);
      });
  return lines;
}

std::vector<std::pair<std::string, Line>> rate_lines() {
  return {
      {"rate", [](const StudyRow& row, const auto& columns) { return best_line(row, columns, rate_cell); }},
      {"of the ceiling", [](const StudyRow& row, const auto& columns) {
         return best_line(row, columns, [](const Summary& s) {
           return s.ceiling_fraction ? Cell(*s.ceiling_fraction).as(format_percent(*s.ceiling_fraction))
                                     : Cell();
         });
       }}};
}

// Adds one row for each problem: the fastest competitor, those tied with it, and the number of competitors.
void add_standings(const Group& group, Table* rows) {
  for (const bool with_transfers : {false, true})
    for (const Standing& one : standings(group, with_transfers)) {
      const Measurement& m = *one.fastest().measurement;
      std::vector<std::string> ties = one.leaders();
      std::erase(ties, one.entrants.front().name);
      add_row(
          rows, *one.row,
          {with_transfers, one.entrants.front().name, m.what.variant, tuning_text(m.what.tuning), join(ties),
           median_of(one.over_cpu), median_of(one.lead), static_cast<std::int64_t>(one.entrants.size() - 1),
           join(one.missing), outcome_of(one), one.lead.samples ? Cell(one.lead.low) : Cell(),
           one.lead.samples ? Cell(one.lead.high) : Cell(), *one.by ? Cell(one.by) : Cell()});
    }
}

void add_verdicts(const Group& group, std::string* note) {
  for (const bool with_transfers : {false, true}) {
    const std::string text = verdict(group, with_transfers);
    if (!text.empty() && (!with_transfers || has_copies(group)))
      *note += std::string("\n  ") +
               (!has_copies(group) ? "by N: "
                : with_transfers   ? "with copies: "
                                   : "without copies: ") +
               text;
  }
  for (const auto& sentences :
       {preparation_sentences(group), library_sentences(group), one_core_sentences(group)})
    for (const std::string& sentence : sentences) *note += "\n  " + sentence;
}

}  // namespace

std::vector<std::string> sizes_explained(const StudyGroup& group) {
  std::vector<std::string> items;
  for (const StudyRow* row : group) {
    if (!row->plain() || row->all.empty()) continue;
    const Extents& extents = row->all.front()->measurement->what.problem.extents;
    const double bytes = static_cast<double>(row->n) * static_cast<double>(element_size(row->type));
    // In files of older versions, N may be smaller than the number of elements of one array. The size in
    // bytes is then not shown.
    items.push_back(fmt::format("{} is arrays of {}", row->size, extents_text(extents)) +
                    (row->n >= extents.count() ? " (" + format_bytes(bytes) + " in all)" : ""));
  }
  return items;
}

View study_view(const std::vector<StudyRow>& rows) {
  View view = speedup_view(rows);
  view.texts.clear();
  for (const Group& group : study_groups(rows)) {
    std::vector<std::pair<std::string, Line>> lines = speedup_lines(group);
    for (auto& line : rate_lines()) lines.push_back(line);
    view.texts.push_back(group_table(group, lines));
    add_verdicts(group, &view.texts.back().note);
  }
  return view;
}

View speedup_view(const std::vector<StudyRow>& rows) {
  View view;
  for (const Group& group : study_groups(rows)) {
    view.texts.push_back(group_table(group, speedup_lines(group)));
    add_verdicts(group, &view.texts.back().note);
  }
  view.rows.columns = with_keys({{"column"},
                                 {"variant"},
                                 {"tuning"},
                                 {"baseline"},
                                 {"with_transfers"},
                                 {"speedup"},
                                 {"speedup_low"},
                                 {"speedup_high"},
                                 {"samples"}});
  for (const StudyRow& row : rows)
    for (const SpeedupKind& kind : speedup_kinds)
      for (const auto& [column, s] : row.best_by(kind.with_transfers)) {
        const Interval& ratio = s->*kind.ratio;
        const bool there = ratio.samples > 0;
        add_row(&view.rows, row,
                {column, s->measurement->what.variant, tuning_text(s->measurement->what.tuning),
                 kind.baseline, kind.with_transfers, median_of(ratio), there ? Cell(ratio.low) : Cell(),
                 there ? Cell(ratio.high) : Cell(), static_cast<std::int64_t>(ratio.samples)});
      }
  return view;
}

View bandwidth_view(const std::vector<StudyRow>& rows) {
  View view;
  for (const Group& group : study_groups(rows)) view.texts.push_back(group_table(group, rate_lines()));
  view.rows.columns = with_keys({{"column"},
                                 {"variant"},
                                 {"tuning"},
                                 {"call_time"},
                                 {"device_time"},
                                 {"bandwidth"},
                                 {"flop_rate"},
                                 {"item_rate"},
                                 {"ceiling_fraction"},
                                 {"ceiling"}});
  for (const StudyRow& row : rows)
    for (const auto& [column, s] : row.best)
      add_row(&view.rows, row,
              {column, s->measurement->what.variant, tuning_text(s->measurement->what.tuning),
               median_of(s->call_time), median_of(s->device_time), known(s->bandwidth), known(s->flop_rate),
               known(item_rate(*s)), known(s->ceiling_fraction),
               s->ceiling_fraction ? Cell(name_of(s->limit)) : Cell()});
  return view;
}

View verdict_view(const std::vector<StudyRow>& rows) {
  View view;
  Table table;
  table.title = "Who wins";
  table.columns = {{"kernel"},  {"type"},        {"fill", "inputs"},
                   {"threads"}, {"copies", " "}, {.name = "winner", .title = "fastest by N", .breaks = true}};
  table.keys = 4;
  for (const Group& group : study_groups(rows))
    for (const bool with_transfers : {false, true})
      if (!with_transfers || has_copies(group))
        table.rows.push_back({group.front()->kernel, name_of(group.front()->type),
                              cell_of(group.front()->fill),
                              group.front()->threads.empty() ? Cell() : Cell(group.front()->threads),
                              !has_copies(group) ? Cell() : Cell(with_transfers ? "with copies" : "without"),
                              verdict(group, with_transfers, false)});
  drop_if_empty(&table, "fill");
  drop_if_empty(&table, "threads");
  drop_if_empty(&table, "copies");
  const std::vector<Group> groups = study_groups(rows);
  table.note = std::any_of(groups.begin(), groups.end(), has_copies)
                   ? "  Without copies call times decide, or device times between two GPU models with\n"
                     "  equally many launches. With copies end-to-end times decide."
                   : "  Call times decide.";
  if (!table.rows.empty()) view.texts = {table};
  view.rows.columns = with_keys({{"with_transfers"},
                                 {"winner"},
                                 {"variant"},
                                 {"tuning"},
                                 {"tied_with"},
                                 {"speedup_cpu"},
                                 {"lead"},
                                 {"rivals"},
                                 {"missing"},
                                 {"outcome"},
                                 {"lead_low"},
                                 {"lead_high"},
                                 {"decided_by"}});
  for (const Group& group : study_groups(rows)) add_standings(group, &view.rows);
  return view;
}

}  // namespace sextant
