// sextant train: fits the advice model to results files and data sets.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/error.hpp"
#include "base/plural.hpp"
#include "cli/commands.hpp"
#include "cli/files/measured_data.hpp"
#include "cli/files/output.hpp"
#include "predict/train/model_training.hpp"
#include "predict/train/untaught.hpp"
#include "present/table.hpp"

namespace sextant {
namespace {

struct TrainOptions {
  std::vector<std::string> files;
  std::string model;
  bool json = false;
};

Table table_of_training(const predict::Training& training) {
  Table table;
  table.columns = {{"option"},
                   {"target"},
                   {"rows"},
                   {"families"},
                   {"start", "error before"},
                   {"held_out", "error of unknown families"}};
  for (const predict::TrainingReport& one : training.reports)
    table.rows.push_back({name_of(one.option), name_of(one.target), static_cast<double>(one.rows),
                          static_cast<double>(one.families), one.start, one.held_out});
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

void train(const TrainOptions& options) {
  if (options.model.empty())
    throw UserError(
        "no output file is named. Name one with --model FILE. `sextant advise --model-file FILE` reads it.");
  const predict::DataSet data = data_set_of(options.files);
  const predict::ProblemsByTarget problems = predict::measured_problems(data);
  if (predict::cases_of(data, predict::of_families_with_a_choice(data, problems)).cases.empty())
    throw nothing_taught(data, options.files);
  const predict::Training training = predict::taught_by(data, problems, {});
  write_output(predict::to_text(training.model), options.model);
  print(table_of_training(training), options.json);
}

}  // namespace

void add_train(Command app, int*) {
  Command command = app.add_subcommand("train", "Fit the predictions of `advise` to measured times");
  const auto options = std::make_shared<TrainOptions>();
  command
      .add_option("files", options->files,
                  "Learn from results files or data-set folders (`sextant export --format data-set`)")
      .type_name("FILE")
      .required();
  command.add_option("--model", options->model, "Write the model to FILE, for `sextant advise --model-file`")
      .type_name("FILE");
  command.add_flag("--json", options->json, "Print the table of prediction errors as JSON");
  command.footer(
      "The last two printed columns are root-mean-square errors of log times: before fitting, and with "
      "constants that were fitted to other kernels.\n"
      "Examples:\n"
      "  sextant train mine.sextant data/h200/study.sextant --model advice.model\n"
      "  sextant train data/set data/loops --model advice.model");
  command.callback([options] { train(*options); });
}

}  // namespace sextant
