// View of `sextant show --by counters`. It shows each variant's hardware counters next to the bytes and
// operations that the problem requires.
#include <algorithm>
#include <map>

#include "present/views.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

Cell counter(const Measurement& m, const char* name) {
  for (const auto& [known, value] : m.counters)
    if (known == name) return value;
  return {};
}

Cell ratio(const Cell& value, double of) {
  const double* number = std::get_if<double>(&value.value);
  return number && of > 0 ? Cell(*number / of) : Cell();
}

const std::vector<Column> figures = {
    {"l1_hit_rate", "L1 hits", Unit::percent},          {"l2_hit_rate", "L2 hits", Unit::percent},
    {"l2_bytes_read", "L2 read", Unit::bytes},          {"dram_bytes_read", "DRAM read", Unit::bytes},
    {"dram_read_ratio", "of needed", Unit::ratio},      {"dram_bytes_written", "DRAM written", Unit::bytes},
    {"dram_written_ratio", "of needed", Unit::ratio},   {"achieved_occupancy", "occupancy", Unit::percent},
    {"instructions", "warp instructions", Unit::number}};

std::vector<Cell> cells_of(const Measurement& m) {
  std::vector<Cell> cells;
  for (const Column& column : figures) {
    if (column.name == "dram_read_ratio")
      cells.push_back(ratio(counter(m, "dram_bytes_read"), static_cast<double>(m.work.bytes_read)));
    else if (column.name == "dram_written_ratio")
      cells.push_back(ratio(counter(m, "dram_bytes_written"), static_cast<double>(m.work.bytes_written)));
    else
      cells.push_back(counter(m, column.name.c_str()));
  }
  return cells;
}

std::string tuning_of(const Measurement& m) { return tuning_text(m.what.tuning); }

}  // namespace

View counters_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = {{"machine"}, {"kernel"}, {"type"}, {"size"}, {"variant"}, {"tuning"}};
  view.rows.columns.insert(view.rows.columns.end(), figures.begin(), figures.end());
  std::string title;
  for (const StudyRow& row : rows)
    for (const Summary* s : row.all) {
      const Measurement& m = *s->measurement;
      if (!s->ok() || s->on_host || m.counters.empty()) continue;
      const std::vector<Cell> cells = cells_of(m);
      std::vector<Cell> line = {row.machine, row.kernel,     name_of(row.type),
                                row.size,    m.what.variant, tuning_of(m)};
      line.insert(line.end(), cells.begin(), cells.end());
      view.rows.rows.push_back(std::move(line));
      const std::string kernel =
          row.kernel + " " + name_of(row.type) + ", hardware counters" + conditions_of(row);
      if (title != kernel) {
        view.texts.push_back({kernel, {{"size", "N"}, {"variant"}, {"tuning"}}, {}, {}});
        view.texts.back().columns.insert(view.texts.back().columns.end(), figures.begin(), figures.end());
        title = kernel;
      }
      line = {row.size, m.what.variant, tuning_of(m)};
      line.insert(line.end(), cells.begin(), cells.end());
      view.texts.back().rows.push_back(std::move(line));
    }
  if (!view.texts.empty())
    view.texts.back().note =
        "Of needed: relative to the bytes that the problem itself reads and writes; counters of one launch.";
  return view;
}

}  // namespace sextant
