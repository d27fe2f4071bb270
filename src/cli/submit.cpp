// sextant submit: runs a sweep in shards, as a Slurm job array, and joins the results in a final job.
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

#include "base/error.hpp"
#include "cli/commands.hpp"
#include "cli/files/output.hpp"
#include "cli/options/invocation.hpp"
#include "cli/options/run_options.hpp"
#include "cli/options/values.hpp"
#include "cli/submit/sending_script.hpp"
#include "cli/submit/submitted.hpp"
#include "cluster/slurm.hpp"
#include "engine/case/sampling.hpp"
#include "engine/form/unmeasured.hpp"
#include "plan/shard.hpp"
#include "registry/build_info.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using cluster::SweepPlan;

struct SubmitOptions {
  RunOptions run;
  std::string time, prologue, status, again, merge;
  std::string account, partition, constraint;  // Options that are passed to sbatch.
  std::vector<std::string> sbatch;             // Arguments after --, which are also passed to sbatch.
  int shards = 0;
  bool print = false, json = false;
};

// Options of submit itself, which are not passed to the jobs.
const std::vector<std::string> own_options = {
    "--shards", "--time",   "--prologue", "--account", "--output", "--partition", "--constraint",
    "--print",  "--status", "--again",    "--merge",   "--json",   "--help"};

std::string read_prologue(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  if (std::filesystem::is_directory(path) || !file || !(text << file.rdbuf()))
    throw UserError("`" + path +
                    "` of --prologue cannot be read or is empty. Name a file with the shell lines to run "
                    "before `sextant` on each node, such as `module load cuda`.");
  return text.str().back() == '\n' ? text.str() : text.str() + "\n";
}

SweepPlan plan_of(const SubmitOptions& options, const Command& command, std::size_t cases) {
  namespace fs = std::filesystem;
  SweepPlan plan;
  plan.version = SEXTANT_VERSION;
  plan.revision = build_info().git_revision;
  plan.program = fs::read_symlink("/proc/self/exe");
  plan.folder = fs::current_path();
  plan.output = fs::absolute(options.run.file).lexically_normal();
  plan.arguments = command.given(own_options);
  for (const auto& [name, value] :
       {std::pair("--account=", options.account), std::pair("--partition=", options.partition),
        std::pair("--constraint=", options.constraint)})
    if (!value.empty()) plan.options.push_back(name + value);
  plan.options.insert(plan.options.end(), options.sbatch.begin(), options.sbatch.end());
  if (!options.prologue.empty()) plan.prologue = read_prologue(options.prologue);
  plan.shards = static_cast<std::size_t>(options.shards);
  plan.cases = cases;
  if (options.time.find_first_not_of("0123456789") == std::string::npos && !options.time.empty())
    throw UserError("`" + options.time + "` of --time has no unit. Write " + options.time +
                    "m for minutes or " + options.time + "s for seconds.");
  if (!options.time.empty()) plan.seconds = parse_duration(options.time, "--time");
  return plan;
}

void require_new(const SweepPlan& plan) {
  if (!std::filesystem::exists(plan.parts())) return;
  const std::string& file = plan.output;
  throw UserError(plan.parts() +
                  " exists already, because a sweep for this results file was submitted before. `sextant "
                  "submit --status " +
                  file +
                  "` shows its state, and --again submits its missing cases. For a new sweep, name another "
                  "file with -o or remove that folder.");
}

// Throws UserError if the results could not be merged into the file later.
void require_joinable(const std::string& path) {
  std::error_code error;
  if (const std::uintmax_t size = std::filesystem::file_size(path, error); error || size == 0) return;
  const ResultsFile file(path, ResultsFile::Mode::read);
}

// Writes the scripts and the plan. All are removed if one of them cannot be written or if Slurm would refuse
// it.
void prepare_folder(const SweepPlan& plan) {
  std::filesystem::create_directory(plan.parts());
  try {
    write_output(cluster::run_script(plan), plan.run_script());
    write_output(cluster::merge_script(plan), plan.merge_script());
    write_output(cluster::to_json(plan), plan.plan_file());
    cluster::test_script(plan.run_script());
    cluster::test_script(plan.merge_script());
  } catch (const UserError&) {
    std::error_code ignored;
    std::filesystem::remove_all(plan.parts(), ignored);
    throw;
  }
}

// Submits the shards `indices`, and the job that merges them afterwards. Stores the job numbers in the plan.
void send(SweepPlan* plan, const std::vector<std::size_t>& indices) {
  cluster::SubmittedJobs jobs;
  jobs.indices = cluster::index_text(indices);
  jobs.time = timestamp_now();
  const cluster::SentJob array = cluster::send_script(plan->run_script(), {"--array=" + jobs.indices});
  jobs.array = array.number;
  jobs.cluster = array.cluster.empty() ? cluster::cluster_in(plan->options) : array.cluster;
  std::string trouble;
  try {
    std::vector<std::string> after = {"--dependency=afterany:" + std::to_string(jobs.array)};
    if (!jobs.cluster.empty()) after.push_back("--clusters=" + jobs.cluster);
    jobs.merge = cluster::send_script(plan->merge_script(), after).number;
  } catch (const UserError& error) {
    trouble = error.what();
  }
  plan->jobs.push_back(jobs);
  const std::string said =
      fmt::format("job {}: {} {} of {}, {} cases in all", jobs.array, indices.size() == 1 ? "part" : "parts",
                  jobs.indices, plan->shards, plan->cases);
  try {
    write_output(cluster::to_json(*plan), plan->plan_file());
  } catch (const UserError& error) {
    throw UserError(said + " was submitted, but " + plan->plan_file() +
                    " could not be written: " + as_sentence(error.what()) +
                    " After the parts end, join them with `sextant submit --merge " + plan->output + "`.");
  }
  std::printf("%s\n", said.c_str());
  if (trouble.empty())
    std::printf("job %lld: joins the parts in %s\n", static_cast<long long>(jobs.merge),
                plan->output.c_str());
  else
    std::fprintf(stderr,
                 "the job that joins the parts could not be submitted: %s\nJoin them after they end: sextant "
                 "submit --merge %s\n",
                 trouble.c_str(), plan->output.c_str());
  std::printf("`sextant submit --status %s` shows the state of the parts.\n", plan->output.c_str());
}

std::vector<std::size_t> all_of(std::size_t shards) {
  std::vector<std::size_t> indices;
  for (std::size_t i = 1; i <= shards; ++i) indices.push_back(i);
  return indices;
}

void say_notes(const RunRequest& request, bool quiet) {
  if (quiet) return;
  for (const std::string& text : request.understood) std::fprintf(stderr, "%s\n", text.c_str());
  for (const std::string& note : request.notes) std::fprintf(stderr, "note: %s\n", note.c_str());
}

void submit(const SubmitOptions& options, const Command& command) {
  if (options.shards == 0)
    throw UserError(
        "`sextant submit` needs the number of parts, for example one per node, as in --shards 8. --status, "
        "--again and --merge apply to a sweep that is already submitted.");
  for (const std::string& one : options.sbatch)
    if (is_results_file(one))
      throw UserError("`" + one +
                      "` is a results file, but `sextant submit` passes arguments without an option to "
                      "`sbatch`. Name the output file with -o. Name a file of tunings with -t tuned=" +
                      one + ".");
  const RunRequest request = read_run(options.run);
  say_notes(request, options.run.quiet);
  if (static_cast<std::size_t>(options.shards) > request.cases.size())
    throw UserError(fmt::format("there are {} parts for only {} cases. Choose fewer parts with --shards.",
                                options.shards, request.cases.size()));
  const std::string note = note_on_parts(request.cases, static_cast<std::size_t>(options.shards));
  if (!note.empty() && !options.run.quiet) std::fprintf(stderr, "note: %s\n", note.c_str());
  SweepPlan plan = plan_of(options, command, request.cases.size());
  if (options.print) {
    std::printf("%s", sending_script(plan).c_str());
    return;
  }
  require_writable_place(options.run.file);
  require_joinable(options.run.file);
  require_new(plan);
  cluster::require_slurm();
  prepare_folder(plan);
  send(&plan, all_of(plan.shards));
}

ExitCode again(const std::string& file) {
  SweepPlan plan = cluster::load_plan(file);
  cluster::require_slurm();
  const Submitted submitted = look_at(plan);
  if (!submitted.silent.empty())
    throw UserError("nothing was submitted again, because Slurm does not say which parts are in its queue: " +
                    as_sentence(submitted.silent) + " Try again when `squeue --me` answers.");
  std::vector<std::size_t> open, queued;
  for (std::size_t i = 0; i < submitted.parts.size(); ++i)
    if (submitted.parts[i].queued)
      queued.push_back(i + 1);
    else if (submitted.parts[i].standing.missing > 0)
      open.push_back(i + 1);
  if (!queued.empty())
    std::fprintf(stderr, "parts %s are waiting or running and are not submitted again\n",
                 cluster::index_text(queued).c_str());
  if (open.empty()) {
    std::printf(queued.empty() ? "no case is missing; `sextant submit --merge %s` joins the parts\n"
                               : "no other case of %s is missing\n",
                plan.output.c_str());
    return ExitCode::ok;
  }
  send(&plan, open);
  return ExitCode::ok;
}

ExitCode act(const SubmitOptions& options, const Command& command) {
  const int asked = !options.status.empty() + !options.again.empty() + !options.merge.empty();
  if (asked > 1) throw UserError("--status, --again and --merge cannot be combined. Give only one of them.");
  if (asked == 1 && options.shards > 0)
    throw UserError(
        "--status, --again and --merge use the parts of a sweep that is already submitted. Leave --shards "
        "out.");
  if (!options.status.empty()) return print_standing(cluster::load_plan(options.status), options.json);
  if (!options.again.empty()) return again(options.again);
  if (!options.merge.empty()) return merge_parts(cluster::load_plan(options.merge));
  submit(options, command);
  return ExitCode::ok;
}

}  // namespace

void add_submit(Command app, int* exit_code) {
  Command command = app.add_subcommand("submit", "Run a large measurement as several Slurm jobs");
  const auto options = std::make_shared<SubmitOptions>();
  add_measuring(command, &options->run);
  command
      .add_option("-o,--output", options->run.file,
                  "Join the results of all parts of the run in FILE (the folder FILE.jobs holds the parts)")
      .type_name("FILE")
      .capture_default_str();
  command
      .add_option("--shards", options->shards,
                  "Divide the run into N parts (jobs), each on a whole compute node")
      .type_name("N")
      .range(1, 100'000);
  command
      .add_option("--time", options->time,
                  "Limit each part (job) to TIME, such as `30m`; `--again` continues unfinished parts")
      .type_name("TIME");
  command
      .add_option("--prologue", options->prologue,
                  "Run the shell lines of FILE (such as `module load cuda`) first in each job")
      .type_name("FILE");
  for (const auto& [name, value] :
       {std::pair("--account", &options->account), std::pair("--partition", &options->partition),
        std::pair("--constraint", &options->constraint)})
    command
        .add_option(name, *value,
                    "Pass this option to Slurm's `sbatch`; write other options of `sbatch` after `--`")
        .type_name("TEXT");
  command.add_flag("--print", options->print,
                   "Print a shell script that submits the jobs, without submitting them");
  command
      .add_option("--status", options->status,
                  "Print the state of each part of the run submitted with `-o FILE`")
      .type_name("FILE");
  command
      .add_option("--again", options->again,
                  "Submit again unfinished parts of the run submitted with `-o FILE`, except queued parts")
      .type_name("FILE");
  command
      .add_option("--merge", options->merge,
                  "Join the finished parts of the run submitted with `-o FILE` (exit code 6 if measurements "
                  "are missing)")
      .type_name("FILE");
  command.add_flag("--json", options->json, "Print the table of `--status` as JSON");
  command
      .add_option("sbatch", options->sbatch,
                  "Pass these options (written after `--`) to Slurm's command `sbatch`")
      .type_name("OPTIONS");
  command.footer(
      "Examples:\n"
      "  sextant submit -k 'npb_.*' -n A,B,C --shards 8 --time 30m -o all.sextant -- -p gpu --gres=gpu:1\n"
      "  sextant submit --status all.sextant     prints which parts are done, missing or waiting\n"
      "  sextant submit --again all.sextant      submits parts with missing cases again\n"
      "  sextant submit --suite patterns --shards 4 --account p12 --prologue modules.sh -o p.sextant\n"
      "  sextant submit --suite patterns --shards 4 -o p.sextant --print >send.sh; sh send.sh\n"
      "                                          lets you edit the script first\n"
      "Each part writes a results file in the folder FILE.jobs, and continues that file when the part is "
      "submitted again. A part that is requeued, killed or stopped by the time limit loses only the current "
      "case. For schedulers other than Slurm, change the script of `--print`: replace SLURM_ARRAY_TASK_ID by "
      "PBS_ARRAY_INDEX, LSB_JOBINDEX, SGE_TASK_ID or FLUX_JOB_CC.");
  command.callback([options, exit_code, command] { *exit_code = static_cast<int>(act(*options, command)); });
}

}  // namespace sextant
