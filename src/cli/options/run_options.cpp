#include "cli/options/run_options.hpp"

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

void add_sampling(Command command, RunOptions* options) {
  command
      .add_option(
          "--samples", options->samples,
          "Samples a case takes at least and at most (default 10:1000); of a slow case fewer, as many as "
          "fit into 1.2 s and two or more, but a single one above 5 s: --all-samples")
      .type_name("MIN[:MAX]")
      .group(measuring);
  command
      .add_flag("--all-samples", options->all_samples,
                "Take the fewest that --samples asks for of slow cases, too, however long they take (within "
                "--timeout): a mean of 40 runs is `--samples 40:40 --all-samples`")
      .group(measuring);
  command
      .add_option(
          "--max-noise", options->max_noise,
          "Stop sampling when the median's interval is ± this, a percentage: 0.5 or 0.5% (default 1%)")
      .type_name("PERCENT")
      .group(measuring);
  command.add_option("--timeout", options->timeout, "Time a case may take before it is killed (default 60s)")
      .type_name("TIME")
      .group(measuring);
  options->selection.add_cache(command);
}

// Adds the options for measuring more than call times, such as ceilings and transfers.
void add_extent(Command command, RunOptions* options) {
  command
      .add_flag(
          "--counters", options->counters,
          "Read hardware counters of each case on a GPU (`show --by counters`); cases that the file holds "
          "without them are measured again")
      .group(measuring);
  command.add_flag("--no-ceilings", options->no_ceilings, "Do not measure what the devices can do at best")
      .group(measuring);
  command
      .add_flag(
          "--no-transfers", options->no_transfers,
          "Do not measure copies, allocation and end-to-end time (a pass of allocation, copies in, the call, "
          "copies out and release; what a variant prepares before is timed apart; of many tunings only of the "
          "default and the fastest)")
      .group(measuring);
  command
      .add_option("--visits", options->visits,
                  "Stays that a case has at most, each in a process of its own, where that may tell which "
                  "variant is faster; 1, or fewer than 6 --samples: its first one alone")
      .type_name("K")
      .range(1, 100)
      .capture_default_str()
      .group(measuring);
  add_equal(command, &options->equal);
  command.add_flag("--no-repeats", options->no_repeats, "Gone: --visits 1").group("");
  command.add_flag("--noisy", options->noisy, "Gone: --decide").group("");
}

void add_devices(Command command, RunOptions* options) {
  command
      .add_option(
          "--devices", options->devices,
          "Deal the cases to several GPUs of one kind at a time, each case to one of them: all, gpu0-3 or "
          "gpu0,gpu2; done sooner, where `-d` chooses one for all")
      .type_name("LIST")
      .group(measuring);
  command
      .add_flag("--no-sentinels", options->no_sentinels,
                "With --devices: do not try whether the GPUs disturb each other, and let them overlap")
      .group(measuring);
}

// Sets the plan for a whole suite, which has thousands of cases. It uses only the study's programming models,
// a quarter of the sampling time, and twice the allowed noise.
void plan_whole_suite(const RunOptions& options, RunRequest* request) {
  request->whole_suite = true;
  request->settings.case_seconds /= 4;
  if (options.max_noise.empty()) request->settings.max_noise *= 2;
  std::vector<Case> cases = without_models_asked_for(request->cases);
  if (cases.size() < request->cases.size())
    request->notes.emplace_back(
        "a suite's run leaves out stdpar and target, as the study does: -v stdpar,target measures them");
  request->cases = std::move(cases);
}

}  // namespace

void add_measuring(Command command, RunOptions* options) {
  options->selection.add_all(command);
  options->selection.add_suite(command);
  options->selection.add_parts(command);
  options->selection.add_load(command);
  command.take_last_by_default();  // A script may append options to a fixed command, so the last one counts.
  add_sampling(command, options);
  add_extent(command, options);
  add_devices(command, options);
  command.add_flag(
      "--retry", options->retry,
      "Measure again what did not end well, wrong and failed cases, too. (What timed out, ran out of "
      "memory or lacked a device that is there now is always tried again.)");
  command.add_flag("--timings", options->timings,
                   "At the end say, on standard error, where the run's time went, stage by stage");
  command.add_flag("-q,--quiet", options->quiet, "No progress and no notes");
}

RunRequest read_run(const RunOptions& options) {
  if (options.no_repeats)
    throw UserError("--no-repeats is gone, as visits are what repeats were: `--visits 1` leaves them out.");
  if (options.noisy)
    throw UserError(
        "--noisy is gone: `--decide` measures in more processes what is still open, and `--fresh` all cases again.");
  apply_equal(options.equal);
  RunRequest request;
  SelectionOptions typed = options.selection;
  const std::string tuned = take_tuned(&typed);
  request.selection = typed.load_and_parse();
  request.selection.timed = true;
  Settings& settings = request.settings;
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
  if (!options.budget.empty()) request.budget = parse_duration(options.budget, "--budget");
  if (!options.devices.empty() && !options.selection.device.empty())
    throw UserError(
        "-d measures every case on one device, --devices each on any of several: leave one of them out.");
  if (!options.devices.empty() && options.in_process)
    throw UserError("--devices takes a worker process a GPU: leave --in-process out.");
  const bool are_few = settings.max_samples < static_cast<int>(min_interval_samples);
  request.visits = options.in_process || are_few ? 1 : options.visits;
  // The first measurement is short, because visits (measurements in further processes) tell more than a
  // longer one.
  if (request.visits > 1) settings.stay_seconds = 0.025;
  settings.all_samples = options.all_samples;
  settings.in_process = options.in_process;
  settings.transfers = !options.no_transfers;
  settings.counters = options.counters;
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
        "stdpar and target are measured, too, since -k names kernels; the study and suites leave them out: -v "
        "chooses models");
  return request;
}

}  // namespace sextant
