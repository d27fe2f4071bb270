// sextant train: trains the advice model from results files, or decision trees from a table of residuals.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "cli/commands.hpp"
#include "cli/files/measured_data.hpp"
#include "cli/files/output.hpp"
#include "predict/train/model_training.hpp"
#include "predict/train/untaught.hpp"
#include "present/table.hpp"
#include "tuner/file_text.hpp"

namespace sextant {
namespace {

struct TrainOptions {
  std::vector<std::string> files;
  std::string model, output, compact;
  bool json = false;
};

Table table_of_training(const predict::Training& training) {
  Table table;
  table.columns = {{"option"}, {"target"},        {"rows"},      {"families"},
                   {"trees"},  {"physics alone"}, {"with trees"}};
  for (const predict::EnsembleReport& one : training.reports)
    table.rows.push_back({name_of(one.option), name_of(one.target), static_cast<double>(one.rows),
                          static_cast<double>(one.groups), static_cast<double>(one.trees), one.analytic_error,
                          one.error});
  const std::size_t least = predict::advice_settings().least_families;
  if (std::any_of(training.reports.begin(), training.reports.end(),
                  [&](const predict::EnsembleReport& one) { return one.groups < least; }))
    table.note = fmt::format(
        "Options with rows of fewer than {} families get no trees, because their error on other kernels is "
        "unknown.",
        least);
  return table;
}

// Returns an error that names the files that were read, the cases that were left out with the reasons, and
// remedies.
UserError nothing_taught(const predict::DataSet& data, const std::vector<std::string>& files) {
  std::string left_out, remedies;
  for (const predict::Untaught& one : predict::untaught(data)) {
    left_out += fmt::format("{}{} {}", left_out.empty() ? "" : ", ", one.cases, one.why);
    remedies += " " + one.remedy;
  }
  return UserError(fmt::format("the advice model cannot learn from {}, which {} {}: {}.{}",
                               fmt::join(files, ", "), files.size() == 1 ? "has" : "have",
                               plural(data.rows.size(), "case"), left_out, remedies));
}

struct Taught {
  predict::Training training;
  predict::AdviceModel model;
};

Taught taught_by(const TrainOptions& options) {
  if (options.files.size() == 1 && options.files.front().ends_with(".csv")) {
    if (!options.model.empty())
      throw UserError(
          "--model needs results files, because the model stores the names of their machines. Use `sextant "
          "train FILE.sextant… --model " +
          options.model + "`.");
    const std::string& file = options.files.front();
    const std::string text = tuner::text_of_file(file);
    const predict::TrainingTable table =
        adding_step("`sextant train --help` describes the columns of such a table.",
                    [&] { return predict::read_training_table(text, file); });
    predict::Training training = predict::train(table, predict::advice_settings());
    predict::AdviceModel model = predict::model_of(table, training, {});
    return {std::move(training), std::move(model)};
  }
  const predict::DataSet data = data_set_of(options.files);
  if (predict::table_of(data).rows.empty()) throw nothing_taught(data, options.files);
  predict::Training training;
  predict::AdviceModel model =
      predict::taught_by(data, predict::measured_problems(data), predict::advice_settings(), &training);
  return {std::move(training), std::move(model)};
}

void train_trees(const TrainOptions& options) {
  if (options.model.empty() && options.output.empty() && options.compact.empty())
    throw UserError(
        "no output file is named. Name one with --model FILE. `sextant advise --model-file FILE` reads it.");
  const auto [training, model] = taught_by(options);
  if (!options.output.empty()) write_output(training.json, options.output);
  if (!options.compact.empty()) write_output(model.trees.compact(), options.compact);
  if (!options.model.empty()) write_output(predict::to_text(model), options.model);
  print(table_of_training(training), options.json);
}

}  // namespace

void add_train(Command app, int*) {
  Command command = app.add_subcommand("train", "Train the predictions of `advise` (needs XGBoost)");
  const auto options = std::make_shared<TrainOptions>();
  command
      .add_option("files", options->files,
                  "Learn from results files, a data-set folder (`sextant export --format data-set`), or a "
                  "CSV table of prediction errors (residuals)")
      .type_name("FILE")
      .required();
  command.add_option("--model", options->model, "Write the model to FILE, for `sextant advise --model-file`")
      .type_name("FILE");
  command
      .add_option("-o,--output", options->output,
                  "Write only the model's decision trees to FILE, in XGBoost's format")
      .type_name("FILE");
  command
      .add_option("--compact", options->compact,
                  "Write only the model's decision trees to FILE, in a compact format")
      .type_name("FILE");
  command.add_flag("--json", options->json, "Print the table of prediction errors as JSON");
  command.footer(
      "A CSV table begins with the columns `option` (such as cuda), `target` (`call` or `whole` time), "
      "`group` (family of kernels), `weight` of the row, and `residual` (logarithm of measured over modelled "
      "time). The other columns are features. Training hides a feature whose name begins with `trait.` in "
      "some rows. The last two printed columns are root-mean-square errors of log times, on kernels left out "
      "of training.\n"
      "Examples:\n"
      "  sextant train mine.sextant data/h200/study.sextant --model advice.model\n"
      "  sextant train residuals.csv -o advice.json --compact advice.trees");
  command.callback([options] { train_trees(*options); });
}

}  // namespace sextant
