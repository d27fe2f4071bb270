#include "cli/options/run_options.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "cli/options/data.hpp"
#include "cli/options/tuned.hpp"
#include "cli/options/values.hpp"
#include "plan/plan.hpp"
#include "plan/shard.hpp"
#include "record/statistics.hpp"
#include "run/rounds.hpp"

namespace sextant {

namespace {

constexpr const char* measuring = "Measuring";
constexpr double longest_energy = 30;  // seconds of a case's energy, which --timeout does not include

void add_sampling(Command command, RunOptions* options) {
  command
      .add_option("--samples", options->samples,
                  "Time each case (one implementation at one size) at least MIN and at most MAX times "
                  "(default 10:100, or 10:1000 with `--visits 1`)")
      .type_name("MIN[:MAX]")
      .group(measuring);
  command
      .add_flag("--all-samples", options->all_samples,
                "Time even slow cases at least MIN times (MIN of `--samples`; otherwise slow cases are timed "
                "less often)")
      .group(rarely_used);
  command
      .add_option("--max-noise", options->max_noise,
                  "Stop timing a case (one implementation at one size) when its median time is certain to ± "
                  "PERCENT (95 % confidence interval) (default 1%)")
      .type_name("PERCENT")
      .group(measuring);
  command
      .add_option("--timeout", options->timeout,
                  "Kill the measurement of a case (one implementation at one size) after TIME (default 60s)")
      .type_name("TIME")
      .group(measuring);
  options->selection.add_cache(command);
  options->selection.add_fill(command);
}

// Adds the options that measure more than call times, such as ceilings and transfers.
void add_extent(Command command, RunOptions* options) {
  command
      .add_flag("--counters", options->counters,
                "Read the GPU's hardware counters for each measurement, for `sextant show --by counters`")
      .group(measuring);
  command
      .add_flag("--energy", options->energy,
                "Also measure the energy of calls, in windows of 0.5 s or more, for `--by energy`")
      .group(measuring);
  command
      .add_option("--energy-window", options->energy_window,
                  "With `--energy`, measure in windows of TIME or longer (default 0.5s)")
      .type_name("TIME")
      .group(rarely_used);
  command
      .add_option("--gap", options->gap,
                  "Also time calls after a pause of TIME, such as 10ms, for `--by state`")
      .type_name("TIME")
      .group(measuring);
  command
      .add_option(
          "--steady", options->steady,
          "Before timing a case on a GPU, call it until clock and temperature stay, for at most TIME, "
          "such as 60s")
      .type_name("TIME")
      .group(measuring);
  command
      .add_option("--lock-clocks", options->clock,
                  "Lock the clocks of the GPUs during the run (needs root), and give them back at its end")
      .type_name("MHZ|base")
      .group(measuring);
  command
      .add_flag("--no-ceilings", options->no_ceilings,
                "Do not measure device limits such as memory bandwidth (ceilings)")
      .group(rarely_used);
  command
      .add_flag("--no-transfers", options->no_transfers,
                "Do not time GPU data copies, memory allocations and whole passes (allocation, copies and "
                "call together)")
      .group(measuring);
  command
      .add_option("--visits", options->visits,
                  "Measure variants (implementations) of nearly equal speed in up to K processes")
      .type_name("K")
      .range(1, 100)
      .capture_default_str()
      .group(measuring);
  add_equal(command, &options->equal);
  command.add_flag("--no-repeats", options->no_repeats, "Removed; use `--visits 1` instead").group("");
  command.add_flag("--noisy", options->noisy, "Removed; use `--decide` instead").group("");
}

void add_devices(Command command, RunOptions* options) {
  command
      .add_option("--devices", options->devices,
                  "Divide the measurements among GPUs of the same kind, such as `gpu0-3` or `all`")
      .type_name("LIST")
      .group(measuring);
  command
      .add_flag("--no-sentinels", options->no_sentinels,
                "Measure on all GPUs of `--devices` at once, without first testing for mutual disturbance")
      .group(rarely_used);
}

// Adjusts the plan for a whole suite, which has thousands of cases. It uses only the study's programming
// models, a quarter of the sampling time, and twice the allowed noise.
void plan_whole_suite(const RunOptions& options, RunRequest* request) {
  request->whole_suite = true;
  request->settings.case_seconds /= 4;
  if (options.max_noise.empty()) request->settings.max_noise *= 2;
  std::vector<Case> cases = without_models_asked_for(request->cases);
  if (cases.size() < request->cases.size())
    request->notes.emplace_back(
        "this suite leaves out stdpar and target, as the study does. Measure them with -v stdpar,target");
  request->cases = std::move(cases);
}

double parse_gap(const std::string& text) {
  constexpr double most = 5;
  const double gap = parse_duration(text, "--gap");
  if (gap > most)
    throw UserError("--gap " + text +
                    " is too long. Each case has 3 to 11 pauses of at most 5s, such as --gap 10ms.");
  return gap;
}

double parse_energy_window(const RunOptions& options) {
  constexpr double most = 3;
  if (!options.energy)
    throw UserError("--energy-window has no effect without --energy. Add --energy, or leave it out.");
  const double seconds = parse_duration(options.energy_window, "--energy-window");
  if (seconds < shortest_energy_window || seconds > most)
    throw UserError(
        "--energy-window " + options.energy_window +
        " is not between 0.5s and 3s. Shorter windows are not exact, because sensors see only a part "
        "of the time.");
  return seconds;
}

// Shorter times than this do not suffice to see that the state stays.
double parse_steady(const std::string& text) {
  constexpr double least = 15, most = 600;
  const double seconds = parse_duration(text, "--steady");
  if (seconds < least || seconds > most)
    throw UserError(
        "--steady " + text +
        " is not between 15s and 10m. Temperatures settle within a minute or two, so try --steady "
        "60s.");
  return seconds;
}

}  // namespace

void add_measuring(Command command, RunOptions* options) {
  options->selection.add_all_and_tuned(command);
  options->selection.add_suite(command);
  options->selection.add_parts(command);
  options->selection.add_load(command);
  command.take_last_by_default();  // A script may append options to a fixed command, so the last one counts.
  add_sampling(command, options);
  add_extent(command, options);
  add_devices(command, options);
  command.add_flag("--retry", options->retry,
                   "Measure again what failed or gave a wrong result, according to the results file");
  command.add_flag("--timings", options->timings, "Print at the end how long each stage of the run took")
      .group(rarely_used);
  command.add_flag("-q,--quiet", options->quiet, "Print no progress and no notes");
}

RunRequest read_run(const RunOptions& options) {
  if (options.no_repeats)
    throw UserError("--no-repeats was removed. `--visits 1` measures each case in one process.");
  if (options.noisy)
    throw UserError(
        "--noisy was removed. `--decide` measures undecided comparisons in more processes. `--fresh` "
        "measures all cases again.");
  apply_equal(options.equal);
  RunRequest request;
  SelectionOptions typed = options.selection;
  const std::string tuned = take_tuned(&typed);
  request.selection = typed.load_and_parse();
  request.selection.timed = true;
  Settings& settings = request.settings;
  // With visits (later re-measurements in other processes), the first measurement can be shorter. Visits
  // provide more information than additional samples in one process.
  constexpr int most_before_visits = 100;
  if (options.visits > 1 && !options.in_process && options.steady.empty())
    settings.max_samples = std::min(settings.max_samples, most_before_visits);
  if (!options.samples.empty()) {
    const SampleRange range = parse_samples(options.samples, settings.max_samples);
    settings.min_samples = range.minimum;
    settings.max_samples = range.maximum;
  }
  if (!options.max_noise.empty()) {
    settings.max_noise = parse_share(options.max_noise, "--max-noise");
    request.understood.push_back(understood_share("--max-noise", settings.max_noise));
  }
  if (!options.timeout.empty()) settings.timeout = parse_duration(options.timeout, "--timeout");
  if (!options.gap.empty()) settings.gap = parse_gap(options.gap);
  if (!options.steady.empty()) {
    settings.steady_seconds = parse_steady(options.steady);
    settings.timeout += settings.steady_seconds;
  }
  if (!options.budget.empty()) request.budget = parse_duration(options.budget, "--budget");
  if (!options.devices.empty() && !options.selection.device.empty())
    throw UserError(
        "-d measures every case on each device, but --devices distributes the cases over several GPUs. Leave "
        "one of these options out.");
  if (!options.devices.empty() && options.in_process)
    throw UserError(
        "--devices needs a worker process for each GPU, but --in-process allows none. Leave --in-process "
        "out.");
  const bool are_few = settings.max_samples < static_cast<int>(min_interval_samples);
  // Visits in other processes are too short to reach a steady state.
  const bool has_visits = !options.in_process && !are_few && settings.steady_seconds <= 0;
  request.visits = has_visits ? options.visits : 1;
  if (request.visits > 1) settings.stay_seconds = stay_before_visits;
  settings.all_samples = options.all_samples;
  settings.in_process = options.in_process;
  settings.transfers = !options.no_transfers;
  settings.counters = options.counters;
  if (options.energy) {
    settings.energy_windows = all_energy_windows;
    settings.timeout += longest_energy;
  }
  if (!options.energy_window.empty()) settings.energy_window = parse_energy_window(options);
  request.sentinels = !options.no_sentinels;
  const Shard shard = options.shard.empty() ? Shard{} : parse_shard(options.shard);
  std::vector<Case> cases = plan(request.selection, &request.notes);
  if (!tuned.empty()) use_tuned(tuned, &cases, &request.notes);
  if (const std::string note = note_on_parts(cases, shard.count); !note.empty())
    request.notes.push_back(note);
  request.cases = shard_of(std::move(cases), shard);
  if (is_whole_suite(request.selection) && options.shard.empty()) plan_whole_suite(options, &request);
  if (!request.whole_suite && request.selection.variants.empty() &&
      without_models_asked_for(request.cases).size() < request.cases.size())
    request.notes.emplace_back(
        "stdpar and target are measured, too, because -k names kernels. Choose models with -v");
  return request;
}

}  // namespace sextant
