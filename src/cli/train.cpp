// sextant train: the trees that advice is given by, from a table of residuals.
#include <cstdio>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "predict/train/training.hpp"
#include "predict/trees.hpp"
#include "present/table.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

struct TrainOptions {
  std::string table, output, compact;
  bool json = false;
};

Table table_of_training(const predict::Training& training) {
  Table table;
  table.columns = {{"option"}, {"target"},        {"rows"},      {"families"},
                   {"trees"},  {"physics alone"}, {"with trees"}};
  for (const predict::EnsembleReport& one : training.reports)
    table.rows.push_back({name_of(one.option), name_of(one.target), static_cast<double>(one.rows),
                          static_cast<double>(one.groups), static_cast<double>(one.trees), one.physics_error,
                          one.error});
  return table;
}

void train_trees(const TrainOptions& options) {
  const predict::TrainingTable table =
      predict::read_training_table(tuner::text_of_file(options.table), options.table);
  const predict::Training training = predict::train(table, {});
  const predict::Trees trees = predict::Trees::read(training.json, options.output);
  write_output(training.json, options.output);
  if (!options.compact.empty()) write_output(trees.compact(), options.compact);
  print(table_of_training(training), options.json);
}

}  // namespace

void add_train(Command app, int*) {
  Command command =
      app.add_subcommand("train", "Train the trees of advice; needs XGBoost, which advice does not");
  const auto options = std::make_shared<TrainOptions>();
  command.add_option("table", options->table, "Rows to learn from, as comma-separated text")
      .type_name("FILE.csv")
      .required();
  command.add_option("-o,--output", options->output, "The model, as XGBoost writes it")
      .type_name("FILE")
      .required();
  command.add_option("--compact", options->compact, "The same model in the form that the program carries")
      .type_name("FILE");
  command.add_flag("--json", options->json, "What it came to as JSON");
  command.footer(
      "FILE.csv: option, target, group, weight, residual (log of measured over modelled time), then features; a\n"
      "feature whose column begins with `trait.` is hidden in some rows. The last two columns printed are errors of\n"
      "log times (root of the mean square) for families that the trees have not seen. Example:\n"
      "  sextant train residuals.csv -o advice.json --compact advice.trees");
  command.callback([options] { train_trees(*options); });
}

}  // namespace sextant
