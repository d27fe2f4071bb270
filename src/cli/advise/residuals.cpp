#include "cli/advise/residuals.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "predict/residuals.hpp"
#include "present/table.hpp"

namespace sextant {
namespace {

constexpr std::size_t worst_shown = 12, choices_shown = 6;  // Number of rows for each split and kind of time.

Cell cell_if(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }
Cell cell_of_count(std::size_t number) { return Cell(static_cast<std::int64_t>(number)); }

std::vector<Column> with_place(std::vector<Column> columns) {
  columns.insert(columns.begin(), {{"split"}, {"times"}});
  return columns;
}

std::vector<Cell> with_place(const JudgedSplit& of, std::vector<Cell> cells) {
  cells.insert(cells.begin(), {Cell(of.split), Cell(of.times)});
  return cells;
}

// Returns how many of the problems with the largest losses make up half of the total loss.
std::size_t half_of(const std::vector<predict::ProblemLoss>& losses) {
  double share = 0;
  std::size_t problems = 0;
  while (problems < losses.size() && share < 0.5) share += losses[problems++].share;
  return problems;
}

Table limits_table(const predict::DataSet& data, const std::vector<JudgedSplit>& splits) {
  Table table;
  table.columns = with_place({{"fraction", "of the best", Unit::percent},
                              {"fraction_by_runs", "errors as of runs", Unit::percent},
                              {"fraction_of_another_run", "another run's best", Unit::percent},
                              {"problems", "problems", Unit::count},
                              {"lost_at", "lost at", Unit::count},
                              {"half_lost_at", "half of it at", Unit::count},
                              {"largest_share", "largest share", Unit::percent}});
  std::array<double, predict::option_count> both = predict::between_runs;
  for (double& one : both) one *= std::sqrt(2.0);
  for (const JudgedSplit& of : splits) {
    const std::vector<predict::ProblemLoss> losses = predict::losses_of(data, of.judged);
    table.rows.push_back(
        with_place(of, {Cell(predict::score_of("", data, of.judged).fraction),
                        Cell(predict::fraction_with_errors(data, of.judged, predict::between_runs)),
                        Cell(predict::fraction_with_errors(data, of.judged, both)),
                        cell_of_count(of.judged.size()), cell_of_count(losses.size()),
                        cell_of_count(half_of(losses)), Cell(losses.empty() ? 0.0 : losses.front().share)}));
  }
  table.note =
      "Errors as of runs: score with times that are as exact as one run predicts the next; another run's "
      "best: score when\nchoosing the best of another run. Lost at: problems where a choice was not the "
      "best.";
  return table;
}

// Adds an option's name, its measured time, and the ratio of that time to the predicted time.
void add_option(const predict::JudgedAnswer& judged, predict::Option option, std::vector<Cell>* row) {
  const std::optional<Interval>& time = judged.contest.at(option);
  const double said = judged.answer.cost[static_cast<std::size_t>(option)];
  const Cell took = time ? Cell(time->median) : Cell();
  const bool expected = time && judged.answer.costs_are_times && std::isfinite(said);
  const Cell off = expected ? Cell(time->median / std::exp(said)) : Cell();
  row->push_back(Cell(name_of(option))
                     .as(std::string(name_of(option)) + " " + to_text(took, Unit::seconds) + ", " +
                         to_text(off, Unit::ratio)));
  row->push_back(took);
  row->push_back(off);
}

Table problems_table(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool all) {
  Table table;
  table.title = "\nThe problems that cost most";
  table.columns = with_place({{"machine"},
                              {"problem", "", Unit::text, 0, true},
                              {"fraction", "of the best", Unit::percent},
                              {"share", "of the loss", Unit::percent},
                              {"sure", "-"},
                              {"chosen", "", Unit::text, 0, true},
                              {"chosen_time", "-", Unit::seconds},
                              {"chosen_off", "-", Unit::ratio},
                              {"best", "", Unit::text, 0, true},
                              {"best_time", "-", Unit::seconds},
                              {"best_off", "-", Unit::ratio}});
  table.keys = 2;
  table.note = "Behind an option: its measured time, and that time over the predicted time.";
  for (const JudgedSplit& of : splits) {
    const std::vector<predict::ProblemLoss> losses = predict::losses_of(data, of.judged);
    for (std::size_t i = 0; i < (all ? losses.size() : std::min(losses.size(), worst_shown)); ++i) {
      const predict::JudgedAnswer& judged = *losses[i].judged;
      std::vector<Cell> row = {Cell(data.machines[judged.contest.machine].name),
                               Cell(data.problems[judged.contest.problem].name),
                               Cell(judged.contest.fraction(judged.answer.choice)), Cell(losses[i].share),
                               Cell(!judged.answer.abstains)};
      add_option(judged, judged.answer.choice, &row);
      add_option(judged, judged.contest.best(), &row);
      table.rows.push_back(with_place(of, std::move(row)));
    }
  }
  return table;
}

Table choices_table(const predict::DataSet& data, const std::vector<JudgedSplit>& splits) {
  Table table;
  table.title = "\nChosen and best options";
  table.columns = with_place(
      {{"chosen"}, {"best"}, {"problems", "problems", Unit::count}, {"share", "of the loss", Unit::percent}});
  table.keys = 2;
  for (const JudgedSplit& of : splits) {
    const std::vector<predict::MistakenChoice> choices =
        predict::mistaken_choices(predict::losses_of(data, of.judged));
    for (std::size_t i = 0; i < std::min(choices.size(), choices_shown); ++i)
      table.rows.push_back(with_place(of, {Cell(name_of(choices[i].chosen)), Cell(name_of(choices[i].best)),
                                           cell_of_count(choices[i].problems), Cell(choices[i].share)}));
  }
  return table;
}

Table errors_table(const std::vector<JudgedSplit>& splits) {
  Table table;
  table.title = "\nErrors by option";
  table.columns = with_place({{"option"},
                              {"cases", "times", Unit::count},
                              {"off", "off by", Unit::ratio},
                              {"mean", "in the mean", Unit::ratio},
                              {"coverage", "90 % intervals hold", Unit::percent},
                              {"above", "above them", Unit::percent},
                              {"width", "high / low", Unit::ratio}});
  table.keys = 2;
  for (const JudgedSplit& of : splits)
    for (const predict::OptionErrors& one : predict::errors_by_option(of.judged))
      table.rows.push_back(with_place(
          of, {Cell(name_of(one.option)), cell_of_count(one.times), Cell(std::exp(one.deviation)),
               Cell(std::exp(one.mean)), cell_if(one.coverage), cell_if(one.above), cell_if(one.width)}));
  table.note = "Measured over predicted times: root mean square, and mean, of logarithms.";
  hide_empty_columns(&table);
  return table;
}

// Returns the median of JudgedCrossover::turn, as a ratio. It covers the crossovers that were predicted
// within near_factor or, if `found` is false, the others.
Cell median_turn(const std::vector<predict::JudgedCrossover>& crossovers, bool found) {
  std::vector<double> turns;
  for (const predict::JudgedCrossover& one : crossovers)
    if ((one.factor <= predict::near_factor) == found) turns.push_back(one.turn);
  if (turns.empty()) return {};
  std::sort(turns.begin(), turns.end());
  return Cell(std::exp(turns[turns.size() / 2]));
}

Table crossovers_table(const predict::DataSet& data, const std::vector<JudgedSplit>& splits) {
  Table table;
  table.title = "\nCrossovers between CPU and GPU";
  table.columns = with_place({{"crossovers", "crossovers", Unit::count},
                              {"missed", "off by more than 2", Unit::count},
                              {"not_seen", "not seen", Unit::count},
                              {"flat", "within 20 % at a factor of 2", Unit::count},
                              {"turn_found", "apart there: found", Unit::ratio},
                              {"turn_missed", "missed", Unit::ratio},
                              {"undetermined", "not determined", Unit::count},
                              {"in_run", "by one run alone", Unit::count}});
  for (const JudgedSplit& of : splits) {
    const predict::Crossovers all = predict::crossovers_of(data, of.judged);
    std::size_t missed = 0, not_seen = 0, flat = 0;
    std::vector<predict::JudgedCrossover> lasting;
    for (const predict::JudgedCrossover& one : all.found) {
      if (!one.lasts) continue;
      lasting.push_back(one);
      missed += one.factor > predict::near_factor ? 1 : 0;
      not_seen += std::isinf(one.factor) ? 1 : 0;
      flat += one.turn < std::log(1.2) ? 1 : 0;
    }
    if (all.found.empty() && all.undetermined == 0) continue;
    table.rows.push_back(
        with_place(of, {cell_of_count(lasting.size()), cell_of_count(missed), cell_of_count(not_seen),
                        cell_of_count(flat), median_turn(lasting, true), median_turn(lasting, false),
                        cell_of_count(all.undetermined), cell_of_count(all.found.size() - lasting.size())}));
  }
  table.note =
      "Apart there: median ratio of CPU and GPU times at a factor of two from the crossover, on its nearer "
      "side. An error of\nthat size moves the crossover so far. Not determined: not within a factor of two "
      "by one run's samples; by one run alone:\nby these, but not by another run.";
  return table;
}

Table missed_table(const predict::DataSet& data, const std::vector<JudgedSplit>& splits) {
  Table table;
  table.title = "\nCrossovers that are missed";
  table.columns = with_place({{"kernel", "", Unit::text, 0, true},
                              {"size", "measured", Unit::count},
                              {"said", "said", Unit::count},
                              {"factor", "off by", Unit::ratio},
                              {"cpu_off", "CPU there", Unit::ratio},
                              {"gpu_off", "GPU there", Unit::ratio}});
  table.keys = 3;
  table.note =
      "CPU, GPU there: measured over predicted time of the best of each, between the measured sizes.";
  const auto count = [](double size) { return cell_of_count(static_cast<std::size_t>(std::llround(size))); };
  for (const JudgedSplit& of : splits)
    for (const predict::JudgedCrossover& one : predict::crossovers_of(data, of.judged).found) {
      if (!one.lasts || one.factor <= predict::near_factor) continue;
      const bool seen = std::isfinite(one.said);
      table.rows.push_back(with_place(
          of, {Cell(one.series), count(one.size), seen ? count(one.said) : Cell(),
               seen ? Cell(one.factor) : Cell(), Cell(std::exp(one.cpu_off)), Cell(std::exp(one.gpu_off))}));
    }
  return table;
}

// Removes the column that names the split of the data set. It is redundant for a single split.
void leave_out_split(Table* table) {
  table->columns.erase(table->columns.begin());
  for (std::vector<Cell>& row : table->rows) row.erase(row.begin());
  table->keys = std::min<std::size_t>(table->keys, 1);
}

}  // namespace

void print_residuals(const predict::DataSet& data, const std::vector<JudgedSplit>& splits, bool json) {
  if (json) {
    print(problems_table(data, splits, true), true);
    return;
  }
  const bool several = std::any_of(splits.begin(), splits.end(),
                                   [&](const JudgedSplit& of) { return of.split != splits.front().split; });
  for (Table table :
       {limits_table(data, splits), problems_table(data, splits, false), choices_table(data, splits),
        errors_table(splits), crossovers_table(data, splits), missed_table(data, splits)}) {
    if (table.rows.empty()) continue;
    if (!several) leave_out_split(&table);
    print(table, false);
  }
}

}  // namespace sextant
