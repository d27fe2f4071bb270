// sextant advise: says which option to use for a problem (serial, OpenMP, OpenACC, CUDA or a library), or
// scores methods of choosing on measured data.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "base/error.hpp"
#include "cli/advise/evaluate.hpp"
#include "cli/advise/measure.hpp"
#include "cli/advise/probe.hpp"
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
  bool no_probe = false, quiet = false, json = false;
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
  if (const std::string note = ground_note(ground, result.answered); !note.empty()) write_output(note, "");
}

// Measures one case at a time and computes the answers again after each case. Stops when all answers are
// sure, or when the allowed number of cases is reached.
void measure_until_sure(const AdviseOptions& options, double risk, const std::vector<Question>& questions,
                        AdviceGround* ground, AdviceResult* result) {
  std::vector<Case> done;
  AdviceSources sources = options.sources;
  while (done.size() < static_cast<std::size_t>(options.measure)) {
    const std::optional<Case> next = next_to_measure(result->answered, done);
    if (!next) break;
    measure_case(*next, *ground, options.file, options.quiet);
    done.push_back(*next);
    if (std::find(sources.files.begin(), sources.files.end(), options.file) == sources.files.end())
      sources.files.push_back(options.file);
    read_measurements(sources, ground);
    *result = answer_all(*ground, questions, risk);
  }
}

// Probes the kernels at small sizes and adds the measurements to the ground.
void probe_kernels(const AdviseOptions& options, const DataUse& use, const std::vector<Question>& questions,
                   AdviceGround* ground) {
  SelectionOptions selection = options.selection;
  selection.sizes.clear();
  for (const std::int64_t n : probed_sizes(questions)) selection.sizes.push_back(std::to_string(n));
  if (selection.sizes.empty()) return;
  std::vector<std::string> notes;  // on sizes that a kernel does not have; they are not probed
  const std::vector<Question> ladder = questions_of(selection, use, &notes);
  const std::vector<Case> cases = cases_to_probe(ladder, ground->data, predict::hardware_of(ground->profile));
  if (cases.empty()) return;
  ground->probes = probe(cases, *ground, options.quiet);
  read_measurements(options.sources, ground);
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
        "no advice is possible: every selected variant needs a GPU, and this machine has no GPU. --profile "
        "FILE gives advice for another machine. FILE is a results file of that machine or its output of "
        "`sextant list profile --json`.",
        ExitCode::missing);
  throw UserError(
      "no advice is possible: the machine's profile (its measured speeds) lacks values that every "
      "programming model needs. `sextant list profile` shows the profile. --fresh measures the profile "
      "again.",
      ExitCode::missing);
}

void check_options(const AdviseOptions& options) {
  if (options.measure == 0) return;
  if (!options.form.empty())
    throw UserError(
        "--measure needs a kernel with code, but --form describes a kernel without code. Leave one of these "
        "options out.");
  if (!options.sources.profile.empty())
    throw UserError(
        "--measure measures on this machine, but --profile describes another machine. Leave one of these "
        "options out.");
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
  if (options.form.empty() && options.sources.profile.empty() && !options.no_probe)
    probe_kernels(own, use, questions, &ground);
  AdviceResult result = answer_all(ground, questions, style.risk);
  measure_until_sure(own, style.risk, questions, &ground, &result);
  require_an_answer(ground, result);
  print_answers(ground, result, style, options.json);
}

void add_evaluation(Command command, EvaluateOptions* options) {
  const char* heading = "Judging the advice";
  command
      .add_option("--evaluate", options->files,
                  "Score the advice against the measured times in these files, instead of giving advice")
      .type_name("FILE|FOLDER")
      .group(heading);
  command
      .add_option(
          "--split", options->split,
          "In `--evaluate`, score advice on kernels, sizes or machines left out of training (`kernel-out`, "
          "`size-out`, `size-between`, `machine-out`, `kernel-machine-out` or `all`) (default kernel-out)")
      .type_name("NAME")
      .take_last()
      .group(heading);
  command
      .add_flag(
          "--as-used", options->as_used,
          "In `--evaluate`, score what a user gets for a kernel: with nothing run, after small sizes were "
          "probed, and after two measurements")
      .group(heading);
  command
      .add_flag("--fit", options->fit,
                "With `--evaluate`, also fit and score the prediction model without the left-out part (takes "
                "minutes). With `--as-used`, judge each user kernel with constants fitted to others")
      .group(rarely_used);
  command
      .add_flag("--families", options->families,
                "Print the scores of `--evaluate` for each machine and family (similar kernels), worst first")
      .group(rarely_used);
  command
      .add_flag("--residuals", options->residuals,
                "List kernels and sizes where the advice of `--evaluate` lost time, and how much")
      .group(rarely_used);
}

void add_options(Command command, AdviseOptions* options) {
  options->selection.add_all(command);
  options->selection.add_suite(command);
  options->selection.add_load(command);
  command
      .add_option("--reuse", options->reuse,
                  "Assume COUNT kernel calls per copy to the GPU (`resident`: data always on the GPU, no "
                  "copies) (default 1)")
      .type_name("COUNT")
      .take_last();
  command
      .add_option(
          "--risk", options->risk,
          "Answer `not sure` if the advice is expected to lose more than PERCENT of time (default 5%)")
      .type_name("PERCENT")
      .take_last();
  command
      .add_option(
          "--measure", options->measure,
          "Measure up to COUNT cases (each one implementation at one size) while the answer is `not sure`")
      .type_name("COUNT")
      .range(0, 1000)
      .take_last();
  command.add_flag("--no-probe", options->no_probe,
                   "Do not measure small sizes of the kernel for up to a second before the answer");
  command
      .add_option("--from", options->sources.files,
                  "Base the advice also on the measurements in these results files")
      .type_name("FILE");
  add_data(command, &options->sources.data);
  command
      .add_option("--profile", options->sources.profile,
                  "Advise for another machine, whose measured speeds FILE holds (a results file, or output "
                  "of `sextant list profile --json`)")
      .type_name("FILE")
      .take_last();
  command
      .add_option("--model-file", options->sources.model_file,
                  "Predict with the model file that `sextant train --model` wrote")
      .type_name("FILE")
      .take_last()
      .group(rarely_used);
  command
      .add_option("--form", options->form,
                  "Advise on a kernel without code, from its properties in this TOML file")
      .type_name("FILE")
      .take_last();
  command
      .add_option("-o,--output", options->file,
                  "Store the measurements of `--measure` in FILE, and use measurements that FILE already "
                  "holds (default advice.sextant)")
      .type_name("FILE")
      .take_last();
  command.add_flag("--fresh", options->sources.fresh,
                   "Measure again this machine's profile (device limits such as memory bandwidth)");
  command.add_flag("-q,--quiet", options->quiet, "Print no progress and no notes");
  command.add_flag("--json", options->json, "Print the advice, or the scores of `--evaluate`, as JSON");
  add_evaluation(command, &options->evaluate);
}

}  // namespace

void add_advise(Command app, int*) {
  Command command = app.add_subcommand("advise", "Say which programming model to use for a kernel");
  const auto options = std::make_shared<AdviseOptions>();
  add_options(command, options.get());
  command.footer(
      "Examples:\n"
      "  sextant advise -k matmul -n 1Ki:64Mi:x4 --type float   for data that are copied and used once\n"
      "  sextant advise -k triad -n 1Mi --reuse 100            for data copied once and used 100 times\n"
      "  sextant advise -k triad -n 1Mi --measure 3            measures up to three cases first\n"
      "  sextant advise -k triad -n 1Mi --profile data/h200/study.sextant   answers for another machine\n"
      "  sextant advise --form form.toml -n 1Mi                answers for a kernel without code\n"
      "  sextant advise --evaluate data/h200/study.sextant     scores on kernels left out of training\n"
      "  sextant advise --evaluate data/h200/*.sextant --split size-out   scores on sizes left out of "
      "training\n"
      "  sextant advise --evaluate data/set --split all        scores for each value of `--split`\n"
      "  sextant advise --evaluate data/set --residuals        lists where the advised variant was slow");
  command.callback([options] {
    options->evaluate.json = options->json;
    if (!options->risk.empty()) options->evaluate.risk = parse_share(options->risk, "--risk");
    if (options->evaluate.files.empty()) return advise(*options);
    if (options->sources.data == "seen")
      throw UserError("--evaluate does not use `--data seen`. Leave --data out.");
    options->evaluate.model_file = options->sources.model_file;
    if (!options->selection.loads.empty()) options->selection.load_and_parse();
    evaluate_advice(options->evaluate);
  });
}

}  // namespace sextant
