// sextant advise: says which option to use for a problem (serial, OpenMP, OpenACC, CUDA or a library), or
// scores methods of choosing on measured data.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "cli/advise/evaluate.hpp"
#include "cli/advise/measure.hpp"
#include "cli/commands.hpp"
#include "cli/files/load.hpp"
#include "cli/files/output.hpp"
#include "cli/options/data.hpp"
#include "cli/options/invocation.hpp"
#include "cli/options/values.hpp"

namespace sextant {
namespace {

struct AdviseOptions {
  SelectionOptions selection;
  AdviceSources sources;
  std::string reuse = "1", risk, form, file = "advice.sextant";
  int measure = 0;  // Maximum number of cases to measure.
  bool quiet = false, json = false;
  EvaluateOptions evaluate;
};

struct AdviceResult {
  std::vector<AnsweredQuestion> answered;
  std::vector<std::string> crossovers;
};

AdviceResult answer_all(const AdviceGround& ground, const std::vector<Question>& questions, double risk) {
  const predict::Predictor predictor = predictor_of(ground);
  AdviceResult result;
  for (const Question& question : questions)
    result.answered.push_back(answer(ground, predictor, question, risk));
  result.crossovers = crossover_lines(predictor, result.answered, risk);
  return result;
}

void print_answers(const AdviceGround& ground, const AdviceResult& result, const AnswerStyle& style,
                   bool json) {
  if (json) {
    write_output(answers_json(result.answered, result.crossovers, style), "");
    return;
  }
  std::string text;
  for (const AnsweredQuestion& one : result.answered) text += answer_text(one, style);
  for (const std::string& line : result.crossovers) text += line + "\n";
  write_output(text + "\n", "");
  print(options_table(result.answered), false);
  write_output(ground_note(ground, result.answered), "");
}

// Measures one case at a time and computes the answers again after each. It ends when all answers are sure,
// or when no more cases may be measured.
void measure_until_sure(const AdviseOptions& options, double risk, const std::vector<Question>& questions,
                        AdviceGround* ground, AdviceResult* result) {
  std::vector<Case> done;
  AdviceSources sources = options.sources;
  sources.fresh = false;
  while (done.size() < static_cast<std::size_t>(options.measure)) {
    const std::optional<Case> next = next_to_measure(result->answered, done);
    if (!next) break;
    measure_case(*next, *ground, options.file, options.quiet);
    done.push_back(*next);
    if (std::find(sources.files.begin(), sources.files.end(), options.file) == sources.files.end())
      sources.files.push_back(options.file);
    *ground = advice_ground(sources);
    *result = answer_all(*ground, questions, risk);
  }
}

bool asks_for_gpu_alone(const Question& question) {
  bool any = false;
  for (std::size_t i = 0; i < predict::option_count; ++i) {
    const bool offered = question.offered[i];
    if (offered && !predict::on_gpu(predict::all_options[i])) return false;
    any = any || offered;
  }
  return any;
}

// Throws UserError if no question could be answered.
void require_an_answer(const AdviceGround& ground, const AdviceResult& result) {
  const std::vector<AnsweredQuestion>& answered = result.answered;
  if (std::any_of(answered.begin(), answered.end(),
                  [](const AnsweredQuestion& one) { return one.advice.choice.has_value(); }))
    return;
  if (!ground.profile.gpu && std::all_of(answered.begin(), answered.end(), [](const AnsweredQuestion& one) {
        return asks_for_gpu_alone(one.question);
      }))
    throw UserError(
        "nothing can be said: all that is asked for runs on a GPU, and the machine has none. --profile FILE answers "
        "for another machine: a results file of it, or what `sextant list profile --json` prints there.",
        ExitCode::missing);
  throw UserError(
      "nothing can be said: the machine's profile lacks what every option needs. `sextant list profile` shows what it "
      "has, --fresh measures it again.",
      ExitCode::missing);
}

void check_options(const AdviseOptions& options) {
  if (options.measure == 0) return;
  if (!options.form.empty())
    throw UserError("--measure needs code to measure, and --form describes a kernel without: leave one out.");
  if (!options.sources.profile.empty())
    throw UserError("--measure measures on this machine, and --profile speaks of another: leave one out.");
  require_writable_place(options.file);
}

void advise(const AdviseOptions& options) {
  check_options(options);
  AnswerStyle style;
  if (!options.risk.empty()) style.risk = parse_share(options.risk, "--risk");
  for (const std::string& load : options.selection.loads) style.loads += " --load " + load;
  style.file = options.file;
  const DataUse use = parse_reuse(options.reuse);
  std::vector<std::string> notes;
  std::vector<Question> questions = options.form.empty()
                                        ? questions_of(options.selection, use, &notes)
                                        : questions_of_form(options.form, options.selection, use);
  if (!options.quiet)
    for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", note.c_str());
  AdviseOptions own = options;
  if (std::filesystem::exists(options.file)) own.sources.files.push_back(options.file);
  use_tuned_launches(own.sources.files, &questions);
  AdviceGround ground = advice_ground(own.sources);
  AdviceResult result = answer_all(ground, questions, style.risk);
  measure_until_sure(own, style.risk, questions, &ground, &result);
  require_an_answer(ground, result);
  print_answers(ground, result, style, options.json);
}

void add_evaluation(Command command, EvaluateOptions* options) {
  const char* heading = "Judging";
  command
      .add_option(
          "--evaluate", options->files,
          "Results files, or the folder of a data set: print how well ways of choosing do on their cases, "
          "instead of advice")
      .type_name("FILE|FOLDER")
      .group(heading);
  command
      .add_option(
          "--split", options->split,
          "What is held out while a selector is taught: kernel-out (families, default), size-out (decades), "
          "size-between (every second size), machine-out, kernel-machine-out; all: one after another")
      .type_name("NAME")
      .take_last()
      .group(heading);
  command
      .add_flag("--trees", options->trees,
                "Besides, trees that are trained for each fold, and the choices of `advise` by them; needs "
                "XGBoost, and up to ten minutes a split")
      .group(heading);
  command
      .add_flag("--families", options->families,
                "Of each family on each machine what advice (without --trees: physics) gets of the best, the "
                "worst first, and by "
                "what factor each option's times are off")
      .group(heading);
  command
      .add_flag(
          "--residuals", options->residuals,
          "Where advice (without --trees: physics) loses: how much runs that differ let be had, the problems "
          "that cost most, what was taken for what, errors and intervals by option, and crossovers")
      .group(heading);
}

void add_options(Command command, AdviseOptions* options) {
  options->selection.add_all(command);
  options->selection.add_suite(command);
  options->selection.add_load(command);
  command
      .add_option("--reuse", options->reuse,
                  "How many calls use the data between copying them to a GPU and back (default 1), or "
                  "resident: they are where the code wants them")
      .type_name("COUNT")
      .take_last();
  command
      .add_option("--risk", options->risk,
                  "Expected loss against the best above which the answer is `not sure`, a percentage "
                  "(default 5%)")
      .type_name("PERCENT")
      .take_last();
  command
      .add_option("--measure", options->measure,
                  "Measure up to so many cases where the answer is not sure, then answer")
      .type_name("COUNT")
      .range(0, 1000)
      .take_last();
  command
      .add_option("--from", options->sources.files,
                  "Results files whose cases, machine and tunings count, beside those of -o")
      .type_name("FILE");
  add_data(command, &options->sources.data);
  command
      .add_option("--profile", options->sources.profile,
                  "Another machine: what `sextant list profile --json` printed there, or a results file")
      .type_name("FILE")
      .take_last();
  command.add_option("--model-file", options->sources.model_file, "A model of `sextant train --model`")
      .type_name("FILE")
      .take_last();
  command
      .add_option("--form", options->form,
                  "A kernel without code, described in TOML; -n says how many items it has")
      .type_name("FILE")
      .take_last();
  command
      .add_option("-o,--output", options->file,
                  "Results file of what is measured; its cases count (default advice.sextant)")
      .type_name("FILE")
      .take_last();
  command.add_flag("--fresh", options->sources.fresh, "Measure this machine's profile again");
  command.add_flag("-q,--quiet", options->quiet, "No progress and no notes");
  command.add_flag("--json", options->json, "The answers as JSON; of --evaluate: the same rows");
  add_evaluation(command, &options->evaluate);
}

}  // namespace

void add_advise(Command app, int*) {
  Command command = app.add_subcommand(
      "advise", "Say which strategy to use, what it gains and how sure that is; or judge ways of choosing");
  const auto options = std::make_shared<AdviseOptions>();
  add_options(command, options.get());
  command.footer(
      "Examples:\n"
      "  sextant advise -k matmul -n 1Ki:64Mi:x4 --type float       copies counted, data used once\n"
      "  sextant advise -k triad -n 1Mi --reuse 100                  copied once, used 100 times\n"
      "  sextant advise -k triad -n 1Mi --measure 3                  may measure three cases, then answers\n"
      "  sextant advise -k triad -n 1Mi --profile data/h200/study.sextant   for another machine\n"
      "  sextant advise --form form.toml -n 1Mi                      no code yet: bytes_read = 8, …\n"
      "  sextant advise --evaluate data/h200/study.sextant           families nobody has seen\n"
      "  sextant advise --evaluate data/h200/*.sextant --split size-out     sizes nobody has seen\n"
      "  sextant advise --evaluate data/set --split all              of the data set, whatever is held out\n"
      "  sextant advise --evaluate data/set --residuals              where it loses, and why");
  command.callback([options] {
    options->evaluate.json = options->json;
    if (!options->risk.empty()) options->evaluate.risk = parse_share(options->risk, "--risk");
    if (options->evaluate.files.empty()) return advise(*options);
    if (options->sources.data == "seen")
      throw UserError("--data seen is of advice by results files: leave it out with --evaluate.");
    evaluate_advice(options->evaluate);
  });
}

}  // namespace sextant
