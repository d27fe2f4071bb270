#include "cli/advise/evaluate.hpp"

#include <cmath>
#include <map>
#include <memory>

#include "cli/advise/residuals.hpp"
#include "cli/files/measured_data.hpp"
#include "own/kernel/load.hpp"
#include "predict/as_used.hpp"
#include "predict/shipped_model.hpp"
#include "predict/train/advice_selector.hpp"
#include "predict/train/user_kernels.hpp"
#include "present/table.hpp"
#include "record/keys.hpp"
#include "registry/registry.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

using predict::Score;

std::vector<predict::Selector> selectors_of(const EvaluateOptions& options, predict::Split split) {
  std::vector<predict::Selector> selectors = predict::baselines(predict::shipped_model().constants);
  if (!options.fit) return selectors;
  predict::TrainingSettings settings;
  // Only these splits into training and test data may train on the tested kernel at other sizes or on other
  // machines.
  settings.sizes = split == predict::Split::size_out || split == predict::Split::size_between ||
                   split == predict::Split::machine_out;
  for (predict::Selector& one : predict::trained_selectors(settings, options.risk))
    selectors.push_back(std::move(one));
  return selectors;
}

struct ScoreColumn {
  Column column;
  Cell (*cell)(const Score&);
};

Cell known(const std::optional<double>& value) { return value ? Cell(*value) : Cell(); }

const std::vector<ScoreColumn>& choice_columns() {
  static const std::vector<ScoreColumn> columns = {
      {{"fraction", "of the best", Unit::percent}, [](const Score& s) { return Cell(s.fraction); }},
      {{"worst_family_fraction", "worst family", Unit::percent},
       [](const Score& s) { return Cell(s.worst_family()); }},
      {{"worst_family", "it is"}, [](const Score& s) { return Cell(s.worst_name()); }},
      {{"top_one", "best chosen", Unit::percent}, [](const Score& s) { return Cell(s.top_one); }},
      {{"top_three", "in 3", Unit::percent}, [](const Score& s) { return Cell(s.top_three); }},
      {{"median_regret", "half", Unit::ratio}, [](const Score& s) { return Cell(s.median_regret); }},
      {{"ninety_regret", "9 in 10", Unit::ratio}, [](const Score& s) { return Cell(s.ninety_regret); }},
      {{"worst_regret", "worst", Unit::ratio}, [](const Score& s) { return Cell(s.worst_regret); }},
      {{"fifth_percentile", "-", Unit::percent}, [](const Score& s) { return Cell(s.fifth_percentile); }},
      {{"contests", "problems", Unit::count},
       [](const Score& s) { return Cell(static_cast<std::int64_t>(s.contests)); }},
  };
  return columns;
}

const std::vector<ScoreColumn>& certainty_columns() {
  static const std::vector<ScoreColumn> columns = {
      {{"coverage", "90 % intervals hold", Unit::percent}, [](const Score& s) { return known(s.coverage); }},
      {{"family_coverage", "by families", Unit::percent},
       [](const Score& s) { return known(s.family_coverage); }},
      {{"interval_width", "high / low", Unit::ratio}, [](const Score& s) { return known(s.width); }},
      {{"ratio_coverage", "of ratios", Unit::percent},
       [](const Score& s) { return known(s.ratio_coverage); }},
      {{"crossovers", "crossovers", Unit::count},
       [](const Score& s) {
         return s.crossovers_near ? Cell(static_cast<std::int64_t>(s.crossovers)) : Cell();
       }},
      {{"crossovers_near", "within 2x", Unit::percent},
       [](const Score& s) { return known(s.crossovers_near); }},
      {{"crossovers_in_run", "-", Unit::count},
       [](const Score& s) {
         return s.crossovers_near_in_run ? Cell(static_cast<std::int64_t>(s.crossovers_in_run)) : Cell();
       }},
      {{"crossovers_near_in_run", "of one run", Unit::percent},
       [](const Score& s) { return known(s.crossovers_near_in_run); }},
      {{"crossovers_bracketed", "between the same sizes", Unit::percent},
       [](const Score& s) { return known(s.crossovers_bracketed); }},
      {{"crossover_factor", "off by, half", Unit::ratio},
       [](const Score& s) {
         if (!s.crossover_factor) return Cell();
         return std::isfinite(*s.crossover_factor) ? Cell(*s.crossover_factor) : Cell().as("not seen");
       }},
      {{"crossovers_undetermined", "not determined", Unit::percent},
       [](const Score& s) { return known(s.crossovers_undetermined); }},
      {{"abstained", "not sure", Unit::percent},
       [](const Score& s) { return s.coverage ? Cell(s.abstained) : Cell(); }},
      {{"fraction_when_sure", "of the best where sure", Unit::percent},
       [](const Score& s) { return known(s.fraction_when_sure); }},
  };
  return columns;
}

struct JudgedScore {
  std::string split, times;
  Score score;
};

// Returns a table of scores. It has a column for the split if there are several splits.
Table scores_table(const std::vector<JudgedScore>& scores, const std::vector<ScoreColumn>& columns,
                   bool with_split) {
  Table table;
  if (with_split) table.columns.push_back({"split"});
  table.columns.insert(table.columns.end(), {{"times"}, {"selector"}});
  for (const ScoreColumn& one : columns) table.columns.push_back(one.column);
  table.keys = 1;
  for (const auto& [split, times, score] : scores) {
    std::vector<Cell> row;
    if (with_split) row.emplace_back(split);
    row.insert(row.end(), {Cell(times), Cell(score.selector)});
    for (const ScoreColumn& one : columns) row.push_back(one.cell(score));
    table.rows.push_back(std::move(row));
  }
  return table;
}

std::string times_of(predict::Target target, predict::Judged judged) {
  return name_of(target) + std::string(judged == predict::Judged::parts_of_machines ? ", parts" : "");
}

// Keeps the scores of selectors (methods of choosing) that predict times. Other selectors have no intervals
// to evaluate.
std::vector<JudgedScore> with_times(const std::vector<JudgedScore>& scores) {
  std::vector<JudgedScore> some;
  for (const JudgedScore& one : scores)
    if (one.score.coverage || one.score.crossovers_near) some.push_back(one);
  return some;
}

// Returns the name of the selector to show if only one is shown: the trained model of `advise`, or the
// analytic model if no model was trained.
const char* shown_alone(bool fit) { return fit ? "advice" : "physics"; }

Table families_table(const std::vector<JudgedScore>& scores, bool fit, bool with_split) {
  Table table;
  if (with_split) table.columns.push_back({"split"});
  table.columns.insert(table.columns.end(), {{"times"},
                                             {"family"},
                                             {"fraction", "of the best", Unit::percent},
                                             {"contests", "problems", Unit::count}});
  for (const predict::Option option : predict::all_options)
    table.columns.push_back({std::string("off_") + name_of(option), name_of(option), Unit::ratio});
  for (const auto& [split, times, score] : scores) {
    if (score.selector != shown_alone(fit)) continue;
    for (const predict::FamilyScore& family : score.families) {
      std::vector<Cell> row;
      if (with_split) row.emplace_back(split);
      row.insert(row.end(), {Cell(times), Cell(family.name), Cell(family.fraction),
                             Cell(static_cast<std::int64_t>(family.contests))});
      for (const std::optional<double>& error : family.error)
        row.push_back(error ? Cell(std::exp(*error)) : Cell());
      table.rows.push_back(std::move(row));
    }
  }
  table.note = "By option: the factor between measured and predicted times (root mean square of logarithms).";
  return table;
}

void show_residuals(const EvaluateOptions& options, const predict::DataSet& data,
                    const std::vector<predict::Split>& splits) {
  std::vector<JudgedSplit> judged;
  for (const predict::Split split : splits) {
    std::vector<predict::Selector> selectors = selectors_of(options, split);
    std::erase_if(selectors, [&](const auto& one) { return one.name != shown_alone(options.fit); });
    for (const predict::Target target : predict::all_targets) {
      const auto answers = predict::judged_answers(data, split, target, selectors).front();
      if (!answers.empty())
        judged.push_back({name_of(split), times_of(target, predict::Judged::whole_machines), answers});
    }
  }
  print_residuals(data, judged, options.json);
}

// Returns the first ranked variant of the option that the kernel has, if possible one whose threads do not
// take turns; empty if there is none.
std::string first_variant(const Case& problem, predict::Option option) {
  const RegisteredKernel* entry = find_kernel(problem.kernel);
  if (!entry) return "";
  std::string first;
  for (const Variant& variant : entry->variants) {
    const auto own = predict::option_of(model_of(variant.name), predict::on_gpu(option) ? "gpu0" : "cpu");
    if (own != option || variant.excluded_from_ranking) continue;
    if (!predict::takes_turns(variant.name)) return variant.name;
    if (first.empty()) first = variant.name;
  }
  return first;
}

Table as_used_table(const std::vector<predict::AsUsed>& scores) {
  Table table;
  table.columns = {{"times"},
                   {"way", "known"},
                   {"problems", "problems", Unit::count},
                   {"fraction", "of the best", Unit::percent},
                   {"line", "straight line", Unit::percent},
                   {"sure", "sure", Unit::percent},
                   {"fraction_when_sure", "there", Unit::percent},
                   {"coverage", "intervals hold", Unit::percent},
                   {"coverage_serial", "serial", Unit::percent},
                   {"coverage_threads", "threads", Unit::percent},
                   {"coverage_gpu", "GPU", Unit::percent},
                   {"coverage_integers", "integers", Unit::percent},
                   {"width", "high / low", Unit::ratio}};
  table.keys = 1;
  for (const predict::AsUsed& one : scores)
    table.rows.push_back({one.resident ? "call" : "single use", one.way,
                          Cell(static_cast<std::int64_t>(one.problems)), one.fraction, known(one.line),
                          one.sure, known(one.fraction_when_sure), known(one.all.share()),
                          known(one.serial.share()), known(one.threads.share()), known(one.gpu.share()),
                          known(one.integers.share()), known(one.width)});
  table.note =
      "Of the best: time of the fastest variant over that of the advised one, geometric mean over problems; "
      "there: where the\nadvice is sure. Straight line: the same for the line through the probed sizes. "
      "Intervals: of times that were not measured\nfor the answer; integers: kernels without floating-point "
      "operations.";
  return table;
}

void show_as_used(const EvaluateOptions& options, predict::DataSet data) {
  // Loaded kernels are judged alone. The files may hold others, for the machine's profile.
  if (!loaded().empty())
    std::erase_if(data.rows, [](const predict::DataRow& row) {
      const RegisteredKernel* entry = find_kernel(row.what.kernel);
      return !entry || entry->loaded_from.empty();
    });
  const predict::AdviceModel model =
      options.model_file.empty()
          ? predict::shipped_model()
          : predict::read_model(tuner::text_of_file(options.model_file), options.model_file);
  std::map<std::string, std::shared_ptr<const predict::AdviceModel>> held_out;
  if (options.fit) held_out = predict::held_out_models(data, model);
  const auto model_of = [&](const Case& what) -> const predict::AdviceModel& {
    const auto own = held_out.find(what.kernel);
    return own == held_out.end() ? model : *own->second;
  };
  const auto scores = predict::scores_as_used(model_of, data, options.risk, first_variant);
  print(as_used_table(scores), options.json);
}

}  // namespace

void evaluate_advice(const EvaluateOptions& options) {
  const bool all = options.split == "all";
  std::vector<predict::Split> splits(std::begin(predict::all_splits), std::end(predict::all_splits));
  if (!all) splits = {predict::split_of(options.split)};
  const predict::DataSet data = data_set_of(options.files);
  if (options.as_used) return show_as_used(options, data);
  if (options.residuals) {
    show_residuals(options, data, splits);
    return;
  }
  std::vector<JudgedScore> scores;
  for (const predict::Split split : splits) {
    // All kinds of time (targets) share these selectors, because selectors cache what they learn from a
    // training set.
    const std::vector<predict::Selector> selectors = selectors_of(options, split);
    for (const predict::Judged judged : {predict::Judged::whole_machines, predict::Judged::parts_of_machines})
      for (const predict::Target target : predict::all_targets)
        for (const Score& score : predict::evaluate(data, split, target, selectors, judged))
          if (score.contests > 0) scores.push_back({name_of(split), times_of(target, judged), score});
  }
  if (options.families) {
    print(families_table(scores, options.fit, all), options.json);
    return;
  }
  if (options.json) {
    std::vector<ScoreColumn> columns = choice_columns();
    columns.insert(columns.end(), certainty_columns().begin(), certainty_columns().end());
    print(scores_table(scores, columns, all), true);
    return;
  }
  Table choices = scores_table(scores, choice_columns(), all);
  choices.note =
      scores.empty()
          ? "there is no problem with times of serial, openmp and, with a GPU, openacc and cuda, or nothing "
            "to learn from outside the held-out cases. Try another --split"
          : "call: the data are already in place; whole: with allocation and copies from the host. Each "
            "family counts the\nsame; an option that was not measured counts as ten times the best. half, 9 "
            "in 10, worst: time over the best's\nthat this share of the choices does not exceed. parts: "
            "problems on parts of machines, which no other row\ncounts.";
  print(choices, false);
  Table certainty = scores_table(with_times(scores), certainty_columns(), all);
  certainty.title = "\nReliability of the predicted times";
  certainty.note =
      "Crossovers: sizes at which the best changes between CPU and GPU, if intervals determine them within a "
      "factor of two for\nanother run (not determined: the share of the others; of one run: within 2x of "
      "those that its own samples determine).\nNot sure: the expected loss is above --risk.";
  hide_empty_columns(&certainty);
  if (!certainty.rows.empty()) print(certainty, false);
}

}  // namespace sextant
