// View of `sextant show --by energy`: the energy of a call.
#include <algorithm>
#include <cmath>

#include "present/cells.hpp"
#include "present/format.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"
#include "record/statistics.hpp"

namespace sextant {
namespace {

const std::vector<Column> figures = {
    {"energy", "energy", Unit::joules},
    {"energy_noise", "±", Unit::percent},
    {"over_least", "over least", Unit::ratio},
    {"power_of_calls", "W", Unit::number},
    {"idle_power", "idle W", Unit::number},
    {.name = "above_idle", .title = "above idle", .unit = Unit::joules, .spare = 2},
    {.name = "energy_time", .title = "time", .unit = Unit::seconds, .spare = 1},
    {"energy_delay", "J·s", Unit::number},
    {"energy_window", "window", Unit::seconds}};

double energy_of(const Summary& s) { return median_interval(s.measurement->energies).median; }

Cell whole_watts(double watts) { return Cell(watts).as(std::to_string(std::lround(watts))); }

std::vector<Cell> cells_of(const Summary& s, double least) {
  const Measurement& m = *s.measurement;
  const Interval energy = median_interval(m.energies);
  const double seconds = median_interval(m.energy_times).median;
  const bool has_interval = energy.samples >= min_interval_samples;
  return {energy.median,
          has_interval ? Cell(noise(energy)) : Cell(),
          energy.median / least,
          whole_watts(energy.median / seconds),
          m.idle_power ? whole_watts(*m.idle_power) : Cell(),
          m.idle_power ? Cell(energy.median - *m.idle_power * seconds) : Cell(),
          seconds,
          energy.median * seconds,
          m.energy_window};
}

// Returns the cases whose energy is known, the one with the least energy first.
std::vector<const Summary*> with_energy(const StudyRow& row) {
  std::vector<const Summary*> found;
  for (const Summary* s : row.all)
    if (s->ok() && energy_of(*s) > 0 && median_interval(s->measurement->energy_times).median > 0)
      found.push_back(s);
  std::stable_sort(found.begin(), found.end(),
                   [](const Summary* a, const Summary* b) { return energy_of(*a) < energy_of(*b); });
  return found;
}

}  // namespace

View energy_view(const std::vector<StudyRow>& rows) {
  View view;
  view.rows.columns = {{"machine"}, {"kernel"}, {"type"}, {"size"}, {"variant"}, {"tuning"}};
  view.rows.columns.insert(view.rows.columns.end(), figures.begin(), figures.end());
  for (const StudyRow& row : rows) {
    const std::string title =
        row.kernel + " " + name_of(row.type) + ", energy of a call" + conditions_of(row);
    for (const std::vector<const Summary*> found = with_energy(row); const Summary* s : found) {
      if (view.texts.empty() || view.texts.back().title != title) {
        view.texts.push_back({title, {{"size", "N"}, {"variant"}, {"tuning"}}, {}, {}, 1});
        view.texts.back().columns.insert(view.texts.back().columns.end(), figures.begin(), figures.end());
      }
      const std::vector<Cell> keys = {row.size, s->measurement->what.variant,
                                      tuning_text(s->measurement->what.tuning)};
      const std::vector<Cell> cells = cells_of(*s, energy_of(*found.front()));
      std::vector<Cell> line = keys, all = {row.machine, row.kernel, name_of(row.type)};
      line.insert(line.end(), cells.begin(), cells.end());
      all.insert(all.end(), line.begin(), line.end());
      view.texts.back().rows.push_back(std::move(line));
      view.rows.rows.push_back(std::move(all));
    }
  }
  for (Table& table : view.texts) hide_empty_columns(&table);
  if (!view.texts.empty())
    view.texts.back().note =
        "Energy of the whole GPU, or of the processor packages and their memory, in windows of calls in a "
        "row. "
        "Above idle: without the idle power. J·s: energy times time.";
  return view;
}

}  // namespace sextant
