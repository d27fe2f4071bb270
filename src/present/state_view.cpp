// View of `sextant show --by state`: the state of the GPU while each case was sampled, and calls after
// pauses.
#include <algorithm>
#include <cmath>

#include "present/cells.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"
#include "record/modes.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

const std::vector<Column> state_figures = {
    {"clock", "MHz", Unit::number},          {"clock_low", "lowest", Unit::number},
    {"clock_high", "highest", Unit::number}, {"power", "W", Unit::number},
    {"temperature", "°C", Unit::number},     {"throttled_share", "throttled", Unit::percent},
    {"throttle_reasons", "by", Unit::text},  {.name = "modes", .breaks = true}};
const std::vector<Column> pause_figures = {
    {"gap", "pause", Unit::seconds},
    {"first_call", "first call", Unit::seconds},
    {"gap_time_median", "after pause", Unit::seconds},
    {"call_time_median", "steady", Unit::seconds},
    {"gap_device_time_median", "on device: after pause", Unit::seconds},
    {"device_time_median", "steady", Unit::seconds}};

Cell whole_number(const std::optional<double>& value, double unit) {
  return value ? Cell(*value).as(std::to_string(std::lround(*value / unit))) : Cell();
}

std::vector<Cell> state_cells(const Summary& s) {
  const Measurement& m = *s.measurement;
  const ClockRange clocks = clock_range(m);
  const std::string reasons = throttle_reasons(m), modes = modes_text(m);
  return {whole_number(m.clock, 1e6),
          whole_number(clocks.low, 1e6),
          whole_number(clocks.high, 1e6),
          whole_number(m.power, 1),
          whole_number(m.temperature, 1),
          known(throttled_share(m)),
          reasons.empty() ? Cell() : Cell(reasons),
          modes.empty() ? Cell() : Cell(modes, Tone::warning)};
}

std::vector<Cell> pause_cells(const Summary& s) {
  const Measurement& m = *s.measurement;
  if (!(m.gap > 0)) return std::vector<Cell>(pause_figures.size());
  return {m.gap,
          known(m.first_call),
          median_of(median_interval(m.gap_times)),
          median_of(s.call_time),
          median_of(median_interval(m.gap_device_times)),
          median_of(s.device_time)};
}

bool is_empty(const std::vector<Cell>& cells) {
  return std::all_of(cells.begin(), cells.end(),
                     [](const Cell& cell) { return std::holds_alternative<std::monostate>(cell.value); });
}

// Adds a line to the table with this title, which is made if it is missing. A line without values is left
// out.
void add_line(View* view, const std::string& title, const std::vector<Column>& columns,
              std::vector<Cell> line, const std::vector<Cell>& cells) {
  if (is_empty(cells)) return;
  auto table = std::find_if(view->texts.begin(), view->texts.end(),
                            [&](const Table& one) { return one.title == title; });
  if (table == view->texts.end()) {
    table = view->texts.insert(table, {title, {{"size", "N"}, {"variant"}, {"tuning"}}, {}, {}});
    table->columns.insert(table->columns.end(), columns.begin(), columns.end());
  }
  line.insert(line.end(), cells.begin(), cells.end());
  table->rows.push_back(std::move(line));
}

}  // namespace

View state_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = {{"machine"}, {"kernel"}, {"type"}, {"size"}, {"variant"}, {"tuning"}};
  for (const auto& columns : {state_figures, pause_figures})
    view.rows.columns.insert(view.rows.columns.end(), columns.begin(), columns.end());
  for (const StudyRow& row : rows)
    for (const Summary* s : row.all) {
      if (!s->ok()) continue;
      const std::vector<Cell> state = state_cells(*s), pauses = pause_cells(*s);
      const std::vector<Cell> keys = {row.size, s->measurement->what.variant,
                                      tuning_text(s->measurement->what.tuning)};
      const std::string kernel = row.kernel + " " + name_of(row.type), conditions = conditions_of(row);
      add_line(&view, kernel + ", state while sampled" + conditions, state_figures, keys, state);
      add_line(&view, kernel + ", calls after pauses" + conditions, pause_figures, keys, pauses);
      if (is_empty(state) && is_empty(pauses)) continue;
      std::vector<Cell> line = {row.machine, row.kernel, name_of(row.type)};
      for (const auto& cells : {keys, state, pauses}) line.insert(line.end(), cells.begin(), cells.end());
      view.rows.rows.push_back(std::move(line));
    }
  for (Table& table : view.texts) hide_empty_columns(&table);
  return view;
}

}  // namespace sextant
