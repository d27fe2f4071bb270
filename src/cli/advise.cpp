// sextant advise --evaluate: how well ways of choosing a strategy do on what was measured.
#include <memory>

#include "cli/commands.hpp"
#include "cli/measured_data.hpp"
#include "predict/evaluate.hpp"
#include "predict/train/trees_selector.hpp"
#include "present/table.hpp"

namespace sextant {
namespace {

struct AdviseOptions {
  std::vector<std::string> files;
  std::string split = "kernel-out";
  bool trees = false, json = false;
};

std::vector<predict::Selector> selectors_of(const AdviseOptions& options) {
  std::vector<predict::Selector> selectors = predict::baselines();
  if (!options.trees) return selectors;
  predict::TrainingSettings settings;
  settings.folds = 16;
  settings.boost.depth = 3;
  settings.difficulty = false;
  for (predict::Selector& one : predict::trees_selectors(settings)) selectors.push_back(std::move(one));
  return selectors;
}

void evaluate(const AdviseOptions& options) {
  const predict::Split split = predict::split_of(options.split);
  const predict::DataSet data = data_set_of(options.files);
  Table table;
  table.columns = {{"times"},
                   {"selector"},
                   {"fraction", "of the best", Unit::percent},
                   {"worst_family_fraction", "worst family", Unit::percent},
                   {"worst_family", "it is"},
                   {"fifth_percentile", "5th percentile", Unit::percent},
                   {"top_one", "best chosen", Unit::percent},
                   {"contests", "problems", Unit::count}};
  table.keys = 1;
  for (const predict::Target target : predict::all_targets)
    for (const predict::Score& score : predict::evaluate(data, split, target, selectors_of(options))) {
      if (score.contests == 0) continue;
      table.rows.push_back({name_of(target), score.selector, score.fraction, score.worst_family,
                            score.worst_name, score.fifth_percentile, score.top_one,
                            static_cast<std::int64_t>(score.contests)});
    }
  table.note =
      table.rows.empty()
          ? "no problem at which all of serial, openmp and, with a GPU, openacc and cuda were measured, or "
            "nothing to learn from beside what is held out: try another --split"
          : "call: the data are where they are needed; whole: on the host, with allocation and copies. Each "
            "family counts the\nsame; an option that was not measured counts as ten times the best.";
  print(table, options.json);
}

}  // namespace

void add_advise(Command app, int*) {
  Command command = app.add_subcommand("advise", "Judge ways of choosing a strategy on what was measured");
  const auto options = std::make_shared<AdviseOptions>();
  command.add_option("--evaluate", options->files, "Results files whose cases are the data")
      .type_name("FILE…")
      .required();
  command
      .add_option(
          "--split", options->split,
          "What is held out while a selector is taught: kernel-out (families, default), size-out (decades), "
          "size-between (every second size), machine-out, kernel-machine-out")
      .type_name("NAME")
      .take_last();
  command.add_flag("--trees", options->trees,
                   "Besides, trees that are trained for each fold; needs XGBoost, and minutes");
  command.add_flag("--json", options->json, "The same rows as JSON");
  command.footer(
      "Examples:\n"
      "  sextant advise --evaluate data/h200/study.sextant                     families nobody has seen\n"
      "  sextant advise --evaluate data/h200/*.sextant --split size-out        sizes nobody has seen");
  command.callback([options] { evaluate(*options); });
}

}  // namespace sextant
