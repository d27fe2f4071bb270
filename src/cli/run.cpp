// sextant run: plans, checks, times and stores cases, and prints a table with one row per case.
#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <set>

#include "base/plural.hpp"
#include "cli/advise/ground.hpp"
#include "cli/advise/pruning.hpp"
#include "cli/commands.hpp"
#include "cli/options/invocation.hpp"
#include "cli/options/run_options.hpp"
#include "cli/run/kept_cases.hpp"
#include "cli/run/locked_clocks.hpp"
#include "cli/run/round_sweep.hpp"
#include "cli/run/run_session.hpp"
#include "cli/run/visiting.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/settings.hpp"
#include "engine/process/worker_command.hpp"
#include "engine/process/worker_questions.hpp"
#include "present/measurement_rows.hpp"
#include "run/ceilings.hpp"
#include "run/devices.hpp"
#include "run/dry_run.hpp"
#include "run/pace.hpp"
#include "run/rounds.hpp"
#include "run/suite_table.hpp"
#include "run/sweep.hpp"
#include "run/timings.hpp"
#include "run/too_fast.hpp"
#include "run/trial.hpp"
#include "run/visits.hpp"
#include "run/without_gpu.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

// Returns the total size of a case's arrays in bytes.
std::optional<double> bytes_of_arrays(const Case& what) {
  const RegisteredKernel* entry = find_kernel(what.kernel);
  if (!entry) return std::nullopt;
  double bytes = 0;
  for (std::size_t i = 0; i < entry->kernel.arrays.size(); ++i)
    bytes += static_cast<double>(entry->kernel.bytes(what.problem, static_cast<int>(i)));
  return bytes;
}

// Prints a summary after all cases were measured.
void conclude(const Outcome& outcome, const std::string& path, std::size_t planned,
              ProgressReporter& progress) {
  progress.message(summary(outcome) + "; in " + path);
  if (!outcome.bad.empty()) print_bad(outcome);
  if (const std::string text = nothing_came(outcome, "measured"); !text.empty()) progress.message(text);
  if (outcome.ending != Ending::complete)
    progress.message(
        fmt::format("{}: {} of {} cases are left to measure. The same command continues.",
                    outcome.ending == Ending::interrupted ? "interrupted" : "the budget is spent",
                    planned - outcome.total(), planned));
}

// Leaves out cases that are expected to be more than ten times slower than the best case of their problem.
// The prediction uses the results file and the machine's profile.
void prune_cases(const RunOptions& options, ProgressReporter& progress, RunRequest* request) {
  AdviceSources sources;
  if (std::filesystem::exists(options.file) && is_results_file(options.file)) sources.files = {options.file};
  const AdviceGround ground = advice_ground(sources);
  const std::size_t all = request->cases.size();
  PromisingCases promising = promising_cases(predictor_of(ground), request->cases);
  request->cases = std::move(promising.cases);
  for (const std::string& note : promising.notes) progress.message(note);
  progress.message(fmt::format(
      "--skip-hopeless leaves out {} of {} cases, because the advice model expects them to be slow",
      all - request->cases.size(), all));
}

// Prints a table that compares the programs of a suite, after the rows of their cases.
void print_suite(const RunOptions& options, const Selection& selection, const std::vector<Case>& cases,
                 const std::string& machine, const ResultsFile& file) {
  if (options.json || !is_suite_of_programs(selection)) return;
  const Terminal out = inspect_terminal(STDOUT_FILENO);
  const std::string text =
      suite_table(file.load(), cases, machine, out.colour, out.interactive ? out.columns : 120);
  std::fputs(text.c_str(), stdout);
}

// The state of a run after its results file was opened.
struct Run {
  const RunOptions& options;
  const std::vector<Case>& asked;  // All cases that were asked for.
  RunRequest& request;             // The request without the cases that the file already holds.
  const Environment& environment;
  const WorkerCommand& worker;
  const RequestedDevices& requested;
  ProgressReporter& progress;
  Timings& timings;
  ResultsFile& file;
  MeasurementRows& rows;
  GrowingTable& table;  // In JSON, prints an empty array if there are no rows.
  Rounds& rounds;
  LockedClocks* clocks;  // null without --lock-clocks
};

// Measures undecided problems in further processes, for the option --decide.
void decide_open(const Run& run, Outcome* outcome) {
  decide({run.request, run.environment, run.progress, run.file, run.timings}, run.asked, outcome);
}

// Ends a run whose cases are all in the results file already. It measures ceilings that are missing.
ExitCode finish_without_measuring(const Run& run, Outcome held) {
  const RunOptions& options = run.options;
  if (!run.rounds.note().empty()) run.progress.message(run.rounds.note());
  if (held.count(Status::ok) == 0) conclude(held, options.file, held.total(), run.progress);
  if (held.count(Status::ok) > 0 && !options.no_ceilings)
    measure_missing_ceilings(run.request, run.asked, run.environment, run.requested, run.worker, run.progress,
                             &run.file, &run.timings);
  if (options.decide) decide_open(run, &held);
  print_suite(options, run.request.selection, run.asked, value_of(run.environment, "machine"), run.file);
  return exit_code_of(held);
}

// Ends all workers at the same time, because each of them takes a while to release its GPU.
void end_workers(const std::vector<WorkerSlot>& slots) {
  std::vector<std::future<void>> endings;
  for (const WorkerSlot& slot : slots)
    endings.push_back(std::async(std::launch::async, [&slot] { end_idle_worker(slot.worker); }));
}

// Returns the devices of the cases that will not be skipped. Only these devices need ceilings (measured
// limits).
std::set<std::string> devices_used(const Run& run) {
  std::vector<Case> cases = run.request.cases;
  std::erase_if(cases,
                [&](const Case& one) { return !can_be_done(one, run.request.settings, run.environment); });
  return devices_of(cases, run.environment, run.requested);
}

// Measures the ceilings, then the size phases that begin with `round`, and finally repeats cases in further
// processes. A size phase has problems of similar size.
ExitCode measure(const Run& run, std::vector<Case> round, const Outcome& held) {
  const RunOptions& options = run.options;
  RunRequest& request = run.request;
  const double session_began = now();
  const std::int64_t id = run.file.begin_session(session_of(request, run.environment, run.requested));
  RunCeilings ceilings(run.worker, run.progress, run.file, id, run.timings);
  TooFast too_fast(options.no_ceilings ? std::vector<Ceiling>()
                                       : ceilings.measure(devices_used(run), run.requested.names.empty()));
  Visits visits;
  const double began = now();
  RunSeconds took{began - session_began, 0, 0};
  WithoutGpu without_gpu(request.selection, run.environment, options.json);
  const auto keep = [&](const Measurement& measurement) {
    run.file.add(id, measurement);
    if (!without_gpu.takes(measurement))
      run.table.add(run.rows.row(measurement, too_fast.doubt(measurement)));
    visits.add(measurement);
    run.rounds.add(measurement);
    if (run.clocks) run.clocks->add(measurement);
  };
  // The old worker ends in the background while the new workers start, because both take some time.
  std::future<void> ending;
  if (!run.requested.names.empty())
    ending = std::async(std::launch::async, [&] { end_idle_worker(run.worker); });
  std::optional<Distribution> distribution =
      distribution_of(run.requested, request, run.environment, run.progress, id, &run.file, &run.timings);
  if (ending.valid()) ending.wait();
  if (!distribution) {
    run.progress.message("interrupted before a case was measured. The same command continues.");
    return ExitCode::interrupted;
  }
  if (distribution->on_cores.cases.empty()) too_fast.know(ceilings.measure_and_keep_left());
  distribution->on_cores.gpu_beside = request.visits > 1;
  distribution->on_cores.meanwhile = [&] { ceilings.measure_left(); };
  distribution->on_cores.afterwards = [&] { too_fast.know(ceilings.keep_left()); };
  distribution->judged = [&](const Measurement& taken) { return too_fast.judged(taken); };
  distribution->together = [&](const std::function<void()>& add) { run.file.add_together(add); };
  std::size_t planned = 0;
  Outcome outcome = sweep_rounds(std::move(round), request, run.worker, run.environment, run.progress, keep,
                                 *distribution, &run.rounds, &run.timings, &planned);
  if (distribution->sentinels && outcome.ending == Ending::complete)
    try_sentinels_again(*distribution, request, run.progress, id, &run.file, &run.timings);
  end_workers(distribution->slots);
  took.cases = now() - began;
  if (outcome.ending == Ending::complete)
    visit_after_first({request, run.environment, run.progress, run.file, run.timings, distribution->on_cores},
                      id, took.cases, &visits, &outcome);
  took.visits = now() - began - took.cases;
  if (options.decide) decide_open(run, &outcome);
  run.file.require_kept(id);
  run.file.add_environment(id, recorded(took));
  if (options.timings) std::fputs(run.timings.text().c_str(), stderr);
  conclude(outcome, options.file, planned, run.progress);
  print_suite(options, request.selection, run.asked, value_of(run.environment, "machine"), run.file);
  for (const std::string& text : {without_gpu.text(), too_fast.text(), text_of(visits.widths(), load_text()),
                                  run.clocks ? run.clocks->text() : std::string()})
    if (!text.empty()) run.progress.message(text);
  return exit_code_of(joined(held, outcome));
}

ExitCode run_once(const RunOptions& options) {
  if (!options.clock.empty()) parse_clock(options.clock);
  RunRequest request = read_run(options);
  ProgressReporter progress(options.quiet, inspect_terminal(STDERR_FILENO));
  for (const std::string& text : request.understood) progress.message(text);
  for (const std::string& note : request.notes) progress.message("note: " + note);
  if (!options.dry_run) require_writable_place(options.file);
  Timings timings;
  const WorkerCommand worker = worker_command();
  Environment environment = ask_environment(worker);
  timings.add("looking at the machine");
  const RequestedDevices requested = requested_devices(options, environment, progress);
  if (options.skip_hopeless) prune_cases(options, progress, &request);
  if (options.dry_run) {
    const DryRun run{request.budget, requested.names.size(), !options.no_ceilings, options.visits,
                     pace_of_files(options.file, environment)};
    print(dry_run_table(expected_cases(request, progress), request.settings, environment, run), options.json);
    return ExitCode::ok;
  }
  require_device(request.selection, environment);
  const std::vector<Case> asked = request.cases;

  ResultsFile file(options.file, ResultsFile::Mode::write);
  if (!file.note().empty()) progress.message("note: " + file.note());
  MeasurementRows rows(request.cases, bytes_of_arrays);
  Rounds rounds;
  const Outcome held = take_from_file(file, options, environment, progress, &request, &rows, &rounds);
  std::vector<Case> round = rounds.next();
  const Terminal out = inspect_terminal(STDOUT_FILENO);
  GrowingTable table(rows.columns(), options.json, out.colour, stdout, out.interactive ? out.columns : 120,
                     out.interactive);
  const bool nothing_to_keep = round.empty() && !rounds.has_not_begun();
  std::optional<LockedClocks> clocks;
  if (!options.clock.empty() && !nothing_to_keep)
    clocks.emplace(guardian_command(), parse_clock(options.clock), request.cases, requested.names,
                   &environment, progress);
  const Run run{options,
                asked,
                request,
                environment,
                worker,
                requested,
                progress,
                timings,
                file,
                rows,
                table,
                rounds,
                clocks ? &*clocks : nullptr};
  return nothing_to_keep ? finish_without_measuring(run, held) : measure(run, std::move(round), held);
}

// Returns the name of the results file of one of several runs: "r.sextant" becomes "r-2.sextant".
std::string numbered(const std::string& path, int index) {
  const std::filesystem::path file(path);
  return (file.parent_path() /
          (file.stem().string() + "-" + std::to_string(index) + file.extension().string()))
      .string();
}

// Runs once, or several times for --repeat. Each run writes a file of its own, because `compare` takes the
// files of one side as repetitions.
ExitCode run(const RunOptions& options) {
  if (options.repeat == 1 || options.dry_run) return run_once(options);
  if (options.json)
    throw UserError(
        "--repeat prints one table for each run and cannot print JSON. Leave --json or --repeat out.");
  ExitCode worst = ExitCode::ok;
  std::string side;
  for (int i = 1; i <= options.repeat; ++i) {
    RunOptions one = options;
    one.file = numbered(options.file, i);
    side += (side.empty() ? "" : ",") + one.file;
    const ExitCode code = run_once(one);
    if (code == ExitCode::interrupted || code == ExitCode::budget) return code;
    if (worst == ExitCode::ok) worst = code;
  }
  if (!options.quiet) std::fprintf(stderr, "one side for `sextant compare`: %s\n", side.c_str());
  return worst;
}

void add_options(Command command, RunOptions* options) {
  add_measuring(command, options);
  command
      .add_option("-o,--output", options->file,
                  "Store results in FILE, and skip measurements that FILE already holds")
      .type_name("FILE")
      .capture_default_str();
  command
      .add_option("--budget", options->budget,
                  "Stop the run after TIME, such as `10m`; the same command continues the run")
      .type_name("TIME")
      .group("Measuring");
  command
      .add_flag(
          "--skip-hopeless", options->skip_hopeless,
          "Skip variants (implementations) predicted to take over ten times as long as the fastest variant")
      .group("Measuring");
  command
      .add_flag("--in-process", options->in_process,
                "Measure inside the main process, without worker processes, for use with a debugger")
      .group(rarely_used);
  command.add_flag("--dry-run", options->dry_run,
                   "Print the number of measurements and their expected duration, but measure nothing");
  command.add_flag("--fresh", options->fresh,
                   "Repeat the measurements that the results file (`-o`) already holds");
  command.add_flag("--decide", options->decide,
                   "Measure close competitors again until the fastest variant (implementation) of each "
                   "problem is certain");
  command
      .add_option("--shard", options->shard,
                  "Measure only part i of n, to divide a run among jobs (`sextant merge` joins the results "
                  "files of the parts)")
      .type_name("i/n");
  command
      .add_option("--repeat", options->repeat,
                  "Repeat the whole run K times, for `sextant compare` (with `-o r.sextant`, into "
                  "`r-1.sextant`, `r-2.sextant`, …)")
      .type_name("K")
      .range(1, 1000);
  command.add_flag("--json", options->json, "Print the table of results as JSON");
}

}  // namespace

void add_run(Command app, int* exit_code) {
  Command command = app.add_subcommand("run", "Check and time kernels, and store the results");
  const auto options = std::make_shared<RunOptions>();
  add_options(command, options.get());
  command.footer(
      "Examples:\n"
      "  sextant run                                     measures 16 micro-kernels at 4 sizes in 5 models\n"
      "  sextant run -k triad -v serial,cuda -n 1Ki:64Mi:x4\n"
      "  sextant run -k matmul -v cuda.register_tile -t all -o tiles.sextant\n"
      "  sextant run -k stencil3d_7pt -v cuda --counters   reads hardware counters of the GPU, too\n"
      "  sextant run -k matmul --energy                  measures the energy of a call, too\n"
      "  sextant run --budget 10m                        stops after ten minutes; again: continues\n"
      "  sextant run -v cuda --devices gpu0-3            distributes the cases over four GPUs\n"
      "  sextant run --decide                            measures more where no variant is the clear winner\n"
      "Exit codes:\n"
      "  3   a case was wrong, failed or timed out, or nothing was measured\n"
      "  5   nothing was measured, because the device is missing\n"
      "  6   the time of `--budget` was spent");
  command.callback([options, exit_code] { *exit_code = static_cast<int>(run(*options)); });
}

}  // namespace sextant
