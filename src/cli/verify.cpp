// sextant verify: runs the checks of `run` without timing, and prints one row per variant.
#include <unistd.h>

#include <cmath>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/options/selection.hpp"
#include "cli/options/values.hpp"
#include "engine/process/worker_questions.hpp"
#include "plan/plan.hpp"
#include "present/table.hpp"
#include "run/compiled_only.hpp"
#include "run/sweep.hpp"
#include "run/without_gpu.hpp"

namespace sextant {
namespace {

// Minimum number of threads. The number is odd and not very small. With an even or very small number, an
// incorrect division of the work may still give correct results.
constexpr int least_threads = 5;

struct VerifyOptions {
  SelectionOptions selection;
  std::string timeout;
  bool in_process = false, quiet = false, json = false;
};

// The result of checking one variant of a kernel.
struct Verdict {
  std::string kernel, variant;
  std::int64_t passed = 0, failed = 0, skipped = 0;
  double worst = -1;  // Largest ratio of an error to its tolerance; negative if nothing was compared.
  std::string first_bad, skip_reason, doubt;
};

void judge(const Measurement& measurement, Verdict* verdict) {
  if (measurement.status == Status::skipped) {
    ++verdict->skipped;
    if (verdict->skip_reason.empty()) verdict->skip_reason = measurement.reason;
    return;
  }
  ++(measurement.status == Status::ok ? verdict->passed : verdict->failed);
  if (!measurement.warnings.empty()) verdict->doubt = measurement.warnings.front();
  if (measurement.status == Status::ok || measurement.status == Status::wrong) {
    const double share = measurement.error == 0      ? 0
                         : measurement.tolerance > 0 ? measurement.error / measurement.tolerance
                                                     : std::numeric_limits<double>::infinity();
    verdict->worst = std::max(verdict->worst, share);
  }
  if (measurement.status != Status::ok && verdict->first_bad.empty())
    verdict->first_bad =
        std::string(name_of(measurement.what.problem.type)) + " " +
        (measurement.what.problem_class.empty() ? "N=" + std::to_string(measurement.what.problem.n)
                                                : measurement.what.problem_class) +
        ": " + measurement.reason;
}

std::vector<Column> columns_for(const std::vector<Case>& cases) {
  std::size_t kernel = 0, variant = 0;
  for (const Case& one : cases) {
    kernel = std::max(kernel, one.kernel.size());
    variant = std::max(variant, one.variant.size());
  }
  return {{"kernel", "", Unit::text, static_cast<int>(kernel)},
          {"variant", "", Unit::text, static_cast<int>(variant)},
          {"passed", "", Unit::count},
          {"failed", "", Unit::count},
          {"skipped", "", Unit::count},
          {.name = "worst", .title = "error/tolerance", .unit = Unit::number, .spare = 1},
          {"result"},
          {"reason", "-"}};
}

std::vector<Cell> row_of(const Verdict& verdict) {
  const std::string& reason = verdict.failed > 0       ? verdict.first_bad
                              : !verdict.doubt.empty() ? verdict.doubt
                                                       : verdict.skip_reason;
  Cell result("pass", Tone::good);
  if (verdict.failed > 0)
    result = Cell("FAIL", Tone::bad).as("FAIL: " + reason);
  else if (verdict.passed == 0)
    result = Cell("skipped", Tone::quiet).as("skipped: " + reason);
  else if (!verdict.doubt.empty())
    result = Cell("pass", Tone::warning).as("pass, but " + reason);
  return {verdict.kernel,  verdict.variant,
          verdict.passed,  Cell(verdict.failed, verdict.failed > 0 ? Tone::bad : Tone::plain),
          verdict.skipped, verdict.worst >= 0 ? Cell(verdict.worst) : Cell(),
          result,          reason.empty() ? Cell() : Cell(reason)};
}

// Collects the verdicts of the current kernel, in the order of their first case. Prints their rows when all
// cases of the kernel are done.
class Verdicts {
 public:
  explicit Verdicts(GrowingTable& table) : table_(table) {}

  void add(const Measurement& measurement) {
    if (!open_.empty() && open_.front().kernel != measurement.what.kernel) flush();
    for (Verdict& verdict : open_)
      if (verdict.variant == measurement.what.variant) return judge(measurement, &verdict);
    Verdict verdict;
    verdict.kernel = measurement.what.kernel;
    verdict.variant = measurement.what.variant;
    judge(measurement, &verdict);
    open_.push_back(verdict);
  }

  void flush() {
    for (const Verdict& verdict : open_) table_.add(row_of(verdict));
    open_.clear();
  }

 private:
  GrowingTable& table_;
  std::vector<Verdict> open_;
};

// Adds a note if the reference is one of the checked variants. Such a reference cannot reveal errors that it
// shares with the other variants.
void say_what_checks(const std::vector<ResolvedCase>& cases, ProgressReporter& progress) {
  const RegisteredKernel* last = nullptr;
  for (const ResolvedCase& one : cases) {
    if (std::exchange(last, one.entry) == one.entry || one.entry->checked_by.empty()) continue;
    progress.message("note: " + one.what.kernel + " is checked against its own " + one.entry->checked_by +
                     ": a mistake of both passes");
  }
}

ExitCode verify(const VerifyOptions& options) {
  if (options.selection.asked.unchecked)
    throw UserError(
        "`sextant verify` needs a reference to check results, but --unchecked turns checks off. Give "
        "--reference FILE:FUNCTION, or time the kernel with `sextant run`.");
  Selection selection = options.selection.load_and_parse();
  const bool default_problems = !selection.asks_for_problems();
  selection.small_problems = default_problems;
  ProgressReporter progress(options.quiet, inspect_terminal(STDERR_FILENO));
  std::vector<std::string> notes;
  Resolved resolved = resolve(selection, &notes);
  // The default sizes include some that are too small for some kernels, so their notes are not shown.
  if (!default_problems)
    for (const std::string& note : notes) progress.message("note: " + note);
  say_what_checks(resolved.cases, progress);
  const std::vector<Case> cases = cases_of(std::move(resolved.cases));

  WorkerCommand worker = worker_command();
  worker.least_threads = least_threads;
  const Environment environment = ask_environment(worker);
  require_device(selection, environment);
  Settings settings;
  settings.check_only = true;
  settings.in_process = options.in_process;
  if (!options.timeout.empty()) settings.timeout = parse_duration(options.timeout, "--timeout");
  settings.offload_on_host = !environment.contains("gpu0.name");
  const Terminal out = inspect_terminal(STDOUT_FILENO);
  GrowingTable table(columns_for(cases), options.json, out.colour, stdout,
                     out.interactive ? out.columns : 120, out.interactive);
  Verdicts verdicts(table);
  WithoutGpu without_gpu(selection, environment, options.json);
  const CompiledOnly compiled(cases, environment);
  Distribution distribution;
  distribution.judged = [&](const Measurement& taken) { return compiled.judged(taken); };
  const Outcome outcome = sweep(
      cases, settings, 0, worker, environment, progress,
      [&](const Measurement& one) {
        if (!without_gpu.takes(one)) verdicts.add(one);
      },
      nullptr, distribution);
  verdicts.flush();
  progress.message(summary(outcome));
  if (without_gpu.variants() > compiled.variants()) progress.message(without_gpu.text());
  if (compiled.variants() > 0) progress.message(compiled.text());
  if (!outcome.bad.empty()) print_bad(outcome);
  if (const std::string text = nothing_came(outcome, "checked"); !text.empty()) progress.message(text);
  return exit_code_of(outcome);
}

}  // namespace

void add_verify(Command app, int* exit_code) {
  Command command = app.add_subcommand("verify", "Check the results of all variants without timing");
  const auto options = std::make_shared<VerifyOptions>();
  options->selection.add_all(command);
  options->selection.add_suite(command);
  options->selection.add_parts(command);
  options->selection.add_load(command);
  command.take_last_by_default();  // A script may append options to a fixed command.
  command.add_option("--timeout", options->timeout, "Kill a check that takes longer than TIME (default 60s)")
      .type_name("TIME");
  command
      .add_flag("--in-process", options->in_process,
                "Check inside the main process, without worker processes, for use with a debugger")
      .group(rarely_used);
  command.add_flag("-q,--quiet", options->quiet, "Print no progress and no notes");
  command.add_flag("--json", options->json, "Print the table of checks as JSON");
  command.footer(
      "The default sizes include tiny, odd, prime, uneven and round numbers. One of these sizes is checked "
      "with every tuning, and further values of kernel parameters are checked, too. Without a GPU, OpenACC "
      "variants run on the host, and CUDA variants of loaded files are only compiled. OpenMP variants use at "
      "least five threads, unless OMP_NUM_THREADS sets the number.\n"
      "Examples:\n"
      "  sextant verify                          checks every variant of every kernel\n"
      "  sextant verify -k 'stencil.*' -n 1:64:+1\n"
      "  sextant verify -k matmul -v cuda -t all");
  command.callback([options, exit_code] { *exit_code = static_cast<int>(verify(*options)); });
}

}  // namespace sextant
