// Tests of `sextant submit` without a job scheduler: its plan, its job scripts, the job states and its error
// messages. The tests in slurm/ run with a scheduler.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "cli_process.hpp"
#include "cluster/slurm.hpp"
#include "cluster/standing.hpp"
#include "cluster/sweep_plan.hpp"
#include "older_versions.hpp"
#include "plan/shard.hpp"
#include "record/keys.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using cluster::SweepPlan;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

SweepPlan sample_plan() {
  SweepPlan plan;
  plan.version = "1.2.3";
  plan.revision = "abc";
  plan.program = "/opt/it's here/sextant";
  plan.folder = "/home/me";
  plan.output = "/home/me/50% of\"all.sextant";
  plan.arguments = {"--kernels=npb_.*", "--quiet"};
  plan.options = {"-p", "gpu", "--gres=gpu:1", "--comment", "two words"};
  plan.shards = 8;
  plan.cases = 100;
  plan.seconds = 5400;
  plan.prologue = "module load cuda\n";
  plan.jobs = {{7, 8, "1-8", "2026-01-01T00:00:00Z"}};
  return plan;
}

TEST(Submit, IndicesAreWrittenAsRanges) {
  EXPECT_EQ(cluster::index_text({}), "");
  EXPECT_EQ(cluster::index_text({3}), "3");
  EXPECT_EQ(cluster::index_text({1, 2, 3, 5, 7, 8}), "1-3,5,7-8");
}

TEST(Submit, TimesAreWrittenAsSlurmReadsThem) {
  EXPECT_EQ(cluster::time_text(1800), "0:30:00");
  EXPECT_EQ(cluster::time_text(90061.2), "25:01:02");
  EXPECT_EQ(cluster::time_text(0.5), "0:00:01");
}

TEST(Submit, ThePartScriptHasItsOptionsAndBecomesTheRun) {
  const std::string script = cluster::run_script(sample_plan());
  EXPECT_TRUE(script.starts_with("#!/bin/bash -l\n#SBATCH ")) << script;
  for (const char* line :
       {"#SBATCH --array=1-8\n", "#SBATCH --exclusive\n", "#SBATCH --requeue\n", "#SBATCH --time=1:30:00\n",
        "#SBATCH --signal=B:TERM@120\n", "#SBATCH -p gpu\n", "#SBATCH --gres=gpu:1\n",
        "#SBATCH --comment \"two words\"\n", "#SBATCH --chdir=\"/home/me\"\n",
        "#SBATCH --output=\"/home/me/50%% of\\\"all.sextant.jobs/shard-%a.log\"\n"})
    EXPECT_TRUE(contains(script, line)) << line << " in " << script;
  EXPECT_TRUE(contains(script,
                       "exec '/opt/it'\\''s here/sextant' run '--kernels=npb_.*' --quiet --shard "
                       "\"$SLURM_ARRAY_TASK_ID/8\" -o '/home/me/50% of\"all.sextant.jobs/shard-'"
                       "\"$SLURM_ARRAY_TASK_ID\".sextant\n"))
      << script;
  SweepPlan short_one = sample_plan();
  short_one.seconds = 60;  // the last quarter of the time is reserved for a clean end
  EXPECT_TRUE(contains(cluster::run_script(short_one), "TERM@15\n"));
}

TEST(Submit, TheMergeRunsWhereThePartsMayAndAsksForNoGpu) {
  const std::string script = cluster::merge_script(sample_plan());
  EXPECT_TRUE(contains(script, "#SBATCH -p gpu\n")) << script;
  EXPECT_FALSE(contains(script, "gres")) << script;
  EXPECT_FALSE(contains(script, "--array")) << script;
  EXPECT_TRUE(contains(script, " submit --merge ")) << script;
}

TEST(Submit, TheMergeKeepsAccountAndConstraint) {
  SweepPlan plan = sample_plan();
  plan.options = {"--account=p12", "--constraint=a100|h100", "-C", "big", "--gres=gpu:1"};
  const std::string script = cluster::merge_script(plan);
  for (const char* line : {"#SBATCH --account=p12\n", "#SBATCH --constraint=a100|h100\n", "#SBATCH -C big\n"})
    EXPECT_TRUE(contains(script, line)) << line << " in " << script;
}

TEST(Submit, APrologueComesFirstInBothJobs) {
  SweepPlan plan = sample_plan();
  plan.prologue = "module load cuda\nexport X=1\n";
  for (const std::string& script : {cluster::run_script(plan), cluster::merge_script(plan)}) {
    EXPECT_TRUE(script.starts_with("#!/bin/bash -l\n#SBATCH ")) << script;
    EXPECT_LT(script.find("module load cuda\nexport X=1\n"), script.find("exec ")) << script;
    EXPECT_LT(script.rfind("#SBATCH"), script.find("module load")) << script;
  }
  plan.prologue = "#!/bin/zsh\nmodule load cuda\n";  // starts with another shell
  EXPECT_TRUE(cluster::run_script(plan).starts_with("#!/bin/zsh\n#SBATCH ")) << cluster::run_script(plan);
}

TEST(Submit, ThePlanIsReadAsItWasWritten) {
  const Folder folder;
  SweepPlan plan = sample_plan();
  plan.output = folder.path("all.sextant");
  std::filesystem::create_directory(plan.parts());
  std::ofstream(plan.plan_file()) << cluster::to_json(plan);
  EXPECT_EQ(cluster::to_json(cluster::load_plan(plan.output)), cluster::to_json(plan));
  std::ofstream(plan.plan_file()) << "{\"version\": 1";
  EXPECT_THROW(cluster::load_plan(plan.output), UserError);
  EXPECT_THROW(cluster::load_plan(folder.path("other.sextant")), UserError);
}

std::vector<Case> some_cases() {
  std::vector<Case> cases;
  for (const char* kernel : {"a", "b", "c", "d", "e"})
    for (const char* variant : {"serial.baseline", "openmp.simd"}) {
      Case one;
      one.kernel = kernel;
      one.variant = variant;
      one.device = "cpu";
      cases.push_back(one);
    }
  return cases;
}

TEST(Submit, PartsHaveEachCaseOnceAndKeepProblemsWhole) {
  const std::vector<Case> cases = some_cases();
  std::multiset<std::string> seen;
  for (std::size_t i = 1; i <= 2; ++i) {
    const std::vector<Case> part = shard_of(cases, {i, 2});
    for (std::size_t k = 0; k < part.size(); ++k) {
      seen.insert(key_of(part[k]));
      EXPECT_EQ(part[k].kernel, part[k ^ 1].kernel);  // part[k ^ 1] is the other variant of the same problem
    }
  }
  std::multiset<std::string> all;
  for (const Case& one : cases) all.insert(key_of(one));
  EXPECT_EQ(seen, all);
}

TEST(Submit, PartsThatCutProblemsAreNoted) {
  const std::vector<Case> cases = some_cases();
  const std::size_t problems = cases.size() / 2;  // each has two variants
  EXPECT_EQ(note_on_parts(cases, 1), "");
  EXPECT_EQ(note_on_parts(cases, problems / 2), "");
  const std::string note = note_on_parts(cases, problems / 2 + 1);
  EXPECT_TRUE(contains(note, "some problems are split over several parts")) << note;
  EXPECT_TRUE(contains(note, "use at most " + std::to_string(problems / 2) + " parts to keep")) << note;
  EXPECT_EQ(note_on_parts({cases[0], cases[1]}, 1), "");
  EXPECT_TRUE(contains(note_on_parts({cases[0], cases[1]}, 2), "1 problem in 2 parts"));
}

TEST(Submit, AStandingCountsByStatus) {
  const std::vector<Case> cases = some_cases();
  Results results;
  for (std::size_t i = 0; i < 4; ++i) {
    StoredMeasurement stored;
    stored.measurement.what = cases[i];
    stored.measurement.status = i == 0 ? Status::wrong : (i == 1 ? Status::skipped : Status::ok);
    results.measurements.push_back(stored);
  }
  Case other = cases[9];
  other.kernel = "of another sweep";
  results.measurements.push_back({});
  results.measurements.back().measurement.what = other;
  const cluster::Standing standing = cluster::standing_of(cases, results);
  EXPECT_EQ(standing.cases, 10u);
  EXPECT_EQ(standing.bad, 1u);
  EXPECT_EQ(standing.skipped, 1u);
  EXPECT_EQ(standing.measured, 2u);
  EXPECT_EQ(standing.missing, 6u);
  EXPECT_FALSE(standing.complete());
}

TEST(Submit, WhatWasDistributedToSeveralGpusCountsWhereverItWasMeasured) {
  std::vector<Case> cases = some_cases();
  for (Case& one : cases) one.device = "gpu0";
  Results results;
  results.sessions.resize(2);
  results.sessions[0].id = 1;
  results.sessions[1].id = 2;
  results.sessions[1].environment = {{"run.devices", "gpu0,gpu1,gpu2"}};
  for (std::size_t i = 0; i < 4; ++i) {
    StoredMeasurement stored;
    stored.measurement.what = cases[i];
    stored.measurement.what.device = "gpu1";
    stored.measurement.status = Status::ok;
    stored.session = i < 3 ? 2 : 1;  // the last case requests gpu1 explicitly
    results.measurements.push_back(stored);
  }
  const cluster::Standing standing = cluster::standing_of(cases, results);
  EXPECT_EQ(standing.measured, 3u);
  EXPECT_EQ(standing.missing, 7u);
}

TEST(Submit, UnlikeMachinesAreKinds) {
  Results results;
  for (const char* gpu : {"NVIDIA A", "NVIDIA B", "NVIDIA A"}) {
    results.sessions.emplace_back();
    results.sessions.back().environment = {{"cpu", "X"}, {"gpu0.name", gpu}};
  }
  EXPECT_EQ(cluster::kinds_of_machine(results), (std::vector<std::string>{"X, NVIDIA A", "X, NVIDIA B"}));
}

// An environment in which no Slurm command is found.
const std::vector<std::string> no_slurm = {"PATH=/nowhere"};

Ran submit(std::vector<std::string> more) {
  std::vector<std::string> arguments = {"submit", "-k", "triad", "-v", "serial", "-n", "300,3001"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_sextant(arguments, no_slurm);
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(Submit, PrintsItsScriptsAnywhereAndHandsArgumentsOn) {
  const Folder folder;
  const std::string file = folder.path("all.sextant");
  const Ran ran = submit(
      {"--shards", "2", "--print", "--no-ceilings", "--max-noise", "2", "-o", file, "--", "-p", "gpu"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out,
                       " run --kernels=triad --variants=serial --sizes=300,3001 --max-noise=2 --no-ceilings "
                       "--shard \"$SLURM_ARRAY_TASK_ID/2\" -o " +
                           file + ".jobs/shard-"))
      << ran.out;
  EXPECT_TRUE(contains(ran.out, "#SBATCH -p gpu\n")) << ran.out;
  EXPECT_FALSE(std::filesystem::exists(file + ".jobs"));
}

TEST(Submit, RefusesWhatCannotBecomeASweep) {
  const Folder folder;
  const std::string file = folder.path("all.sextant");
  const auto refused = [&](const std::vector<std::string>& more, int code, const std::string& part) {
    const Ran ran = submit(more);
    EXPECT_EQ(ran.exit_code, code) << ran.err;
    EXPECT_TRUE(contains(ran.err, part)) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(file + ".jobs"));
  };
  refused({"-o", file}, 2, "`sextant submit` needs the number of parts");
  refused({"-o", file, "--shards", "2"}, 5, "Slurm's `sbatch` was not found");
  refused({"-o", file, "--shards", "9"}, 2, "there are 9 parts for only 8 cases");
  refused({"-o", folder.path("none/all.sextant"), "--shards", "2"}, 2, "there is no folder");
  refused({"--status", file, "--again", file}, 2, "cannot be combined");
  refused({"--status", file, "--shards", "2"}, 2, "Leave --shards out");
  refused({"--status", file}, 2, "no sweep was submitted");
  refused({"--shards", "2", "--time", "soon", "-o", file, "--print"}, 2, "--time");
  refused({"--shards", "2", "--prologue", folder.path("none.sh"), "-o", file, "--print"}, 2,
          "none.sh` of --prologue cannot be read");
  refused({"--shards", "2", "--time", "30", "-o", file, "--print"}, 2, "Write 30m for minutes");
  refused({"--shards", "2", "-k", "triat", "-o", file, "--print"}, 2, "triat");
}

// Writes a shell script that replaces the Slurm command `name`.
void stand_in(const Folder& folder, const std::string& name, const std::string& lines) {
  std::ofstream(folder.path(name)) << "#!/bin/sh\n" + lines;
  std::filesystem::permissions(folder.path(name), std::filesystem::perms::owner_all);
}

// Replaces Slurm's commands. The replaced sbatch records its arguments and runs the script at once.
void stand_in_for_slurm(const Folder& folder) {
  stand_in(folder, "sbatch",
           "echo \"$@\" >>" + folder.path("calls") +
               "\nfor script; do :; done\n"
               "folder=$(sed -n 's/^#SBATCH --output=\"\\(.*\\)\\/.*/\\1/p' \"$script\")\n"
               "[ -d \"$folder\" ] || exit 1\n"
               "case $script in *run*)\n"
               "  for part in 1 2; do SLURM_ARRAY_TASK_ID=$part sh \"$script\" >>" +
               folder.path("log") +
               " 2>&1 || exit 1; done; echo '7;cluster';;\n"
               "*) sh \"$script\" >>" +
               folder.path("log") + " 2>&1 || exit 1; echo '8;cluster';;\nesac\n");
  stand_in(folder, "squeue", "");
}

TEST(Submit, WhatPrintPrintsCanBeRunAndIsTheSameSweep) {
  const Folder folder;
  const std::string file = folder.path("all it's.sextant"), script = folder.path("send.sh");
  stand_in_for_slurm(folder);
  std::ofstream(folder.path("modules.sh")) << "module() { echo \"loaded $2\"; }\nmodule load cuda\n";
  const std::vector<std::string> slurm = {"PATH=" + folder.path("") + ":/bin:/usr/bin"};
  Ran ran = submit({"--shards", "2", "--print", "--type", "float", "--no-ceilings", "--samples", "2:2",
                    "--prologue", folder.path("modules.sh"), "--account", "p12", "--constraint", "gpu&big",
                    "-o", file});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "#SBATCH --account=p12\n#SBATCH --constraint=gpu&big\nmodule()")) << ran.out;
  EXPECT_FALSE(std::filesystem::exists(file + ".jobs"));
  std::ofstream(script) << ran.out;
  ASSERT_EQ(
      std::system(("PATH=" + folder.path("") + ":$PATH sh " + script + " >" + folder.path("said")).c_str()),
      0)
      << text_of(folder.path("log"));
  EXPECT_EQ(text_of(folder.path("calls")),
            "--parsable run.sbatch\n--parsable --dependency=afterany:7 merge.sbatch\n");
  EXPECT_TRUE(contains(text_of(folder.path("log")), "loaded cuda\n")) << text_of(folder.path("log"));
  EXPECT_TRUE(
      contains(text_of(folder.path("said")), "job 7: the parts; job 8: joins the parts in " + file + "\n"))
      << text_of(folder.path("said"));
  EXPECT_EQ(cluster::load_plan(file).jobs.front().array, 7);
  EXPECT_EQ(cluster::load_plan(file).jobs.front().merge, 8);
  ran = run_sextant({"submit", "--status", file}, slurm);
  EXPECT_TRUE(contains(ran.out, "2 of 2 parts are done; of 4 cases 4 are measured, 0 missing."))
      << ran.out << ran.err;
  EXPECT_EQ(ResultsFile(file, ResultsFile::Mode::read).load().measurements.size(), 4u);
  EXPECT_NE(std::system(("sh " + script + " 2>/dev/null >&2").c_str()), 0);  // a second run fails
}

TEST(Submit, CountsTheCasesOfAPartThatRuns) {
  const Folder folder;
  const std::string file = folder.path("all.sextant"), part = file + ".jobs/shard-1.sextant";
  const std::vector<std::string> slurm = {"PATH=" + folder.path("") + ":/bin:/usr/bin"};
  stand_in(folder, "sbatch", "echo 7\n");
  stand_in(folder, "squeue", "echo '1|RUNNING|node'\n");
  Ran ran = run_sextant(
      {"submit", "-k", "triad", "-v", "serial", "-n", "300,3001", "--shards", "2", "-o", file}, slurm);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  ran = run_sextant({"run", "-k", "triad", "-v", "serial", "-n", "300,3001", "--shard", "1/2", "-o", part,
                     "--samples", "2:2", "--no-ceilings"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const ResultsFile writer(part, ResultsFile::Mode::write);
  ran = run_sextant({"submit", "--status", file}, slurm);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "   1  running      4         4")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "of 8 cases 4 are measured, 4 missing")) << ran.out;
  stand_in(folder, "squeue", "");
  ran = run_sextant({"submit", "--status", file}, slurm);
  EXPECT_TRUE(contains(ran.out, "   1  in use ")) << ran.out;
}

void change(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
  EXPECT_EQ(sqlite3_exec(database, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(database);
  sqlite3_close(database);
}

// Submits a job array of two shards that never start.
void submit_two_parts(const Folder& folder, const std::string& file) {
  stand_in(folder, "sbatch", "echo 7\n");
  stand_in(folder, "squeue", "");
  const Ran ran = run_sextant({"submit", "-k", "triad", "-v", "serial.baseline", "-n", "300,3001", "--type",
                               "float", "--shards", "2", "-o", file},
                              {"PATH=" + folder.path("") + ":/bin:/usr/bin"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
}

Ran run_part(const std::string& file, int part) {
  return run_sextant({"run", "-k", "triad", "-v", "serial.baseline", "-n", "300,3001", "--type", "float",
                      "--shard", std::to_string(part) + "/2", "-o",
                      file + ".jobs/shard-" + std::to_string(part) + ".sextant", "--samples", "2:2",
                      "--visits", "1", "--no-ceilings"});
}

// Copies a results file without the data that format version 1 could not store.
void copy_without_newer_data(const std::string& from, const std::string& to) {
  const Results results = ResultsFile(from, ResultsFile::Mode::read).load();
  ResultsFile file(to, ResultsFile::Mode::write);
  const std::int64_t session = file.begin_session(results.sessions.at(0));
  for (const StoredMeasurement& one : results.measurements) {
    Measurement old;
    old.what = one.measurement.what;
    old.status = one.measurement.status;
    old.seed = one.measurement.seed;
    old.call_times = one.measurement.call_times;
    old.timestamp = one.measurement.timestamp;
    file.add(session, old);
  }
}

TEST(Submit, ReadsPartsAndJoinsIntoFilesOfOlderVersions) {
  const Folder folder;
  const std::string file = folder.path("all.sextant");
  const std::vector<std::string> slurm = {"PATH=" + folder.path("") + ":/bin:/usr/bin"};
  submit_two_parts(folder, file);
  for (const int part : {1, 2}) ASSERT_EQ(run_part(file, part).exit_code, 0);
  const std::string first = file + ".jobs/shard-1.sextant", second = file + ".jobs/shard-2.sextant";
  copy_without_newer_data(first, folder.path("1"));
  copy_without_newer_data(second, folder.path("2"));
  for (const char* older : to_older_version) {
    const auto replace = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(folder.path("1"), first, replace);
    std::filesystem::copy_file(folder.path("2"), second, replace);
    std::filesystem::copy_file(folder.path("1"), file, replace);
    change(second, older);
    change(file, older);
    const Ran status = run_sextant({"submit", "--status", file}, slurm);
    EXPECT_TRUE(contains(status.out, "2 of 2 parts are done; of 2 cases 2 are measured, 0 missing."))
        << older << status.out << status.err;
    const Ran joined = run_sextant({"submit", "--merge", file}, slurm);
    EXPECT_EQ(joined.exit_code, 0) << older << joined.err;
    EXPECT_EQ(ResultsFile(file, ResultsFile::Mode::read).load().measurements.size(), 2u) << older;
  }
}

// The error message names the format version of an unreadable file: a shard, the results or the tunings.
TEST(Submit, NamesFilesThatItCannotRead) {
  const Folder folder;
  const std::string file = folder.path("all.sextant"), part = file + ".jobs/shard-1.sextant";
  const std::vector<std::string> slurm = {"PATH=" + folder.path("") + ":/bin:/usr/bin"};
  submit_two_parts(folder, file);
  ASSERT_EQ(run_part(file, 1).exit_code, 0);
  std::filesystem::copy_file(part, folder.path("newer"));
  for (const std::string& one : {part, folder.path("newer")}) change(one, "PRAGMA user_version = 99");
  Ran ran = run_sextant({"submit", "--status", file, "--json"}, slurm);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.out, "\"unreadable\"")) << ran.out;
  EXPECT_TRUE(contains(ran.out, "was written by a newer version of Sextant")) << ran.out;
  std::ofstream(part) << "no results";
  ran = run_sextant({"submit", "--status", file, "--json"}, slurm);
  EXPECT_TRUE(contains(ran.out, "shard-1.sextant is not a results file")) << ran.out;
  EXPECT_TRUE(contains(run_sextant({"submit", "--merge", file}, slurm).err, "is not a results file"));
  std::ofstream(folder.path("text")) << "no results";
  for (const auto& [name, words] : {std::pair("newer", "was written by a newer version of Sextant"),
                                    std::pair("text", "is not a results file")}) {
    ran = run_sextant({"submit", "-k", "triad", "-v", "serial", "--shards", "2", "-o", folder.path(name)},
                      slurm);
    EXPECT_EQ(ran.exit_code, 2) << ran.out;
    EXPECT_TRUE(contains(ran.err, words)) << ran.err;
    EXPECT_FALSE(std::filesystem::exists(folder.path(name) + ".jobs"));
  }
  const std::string old = std::string(SEXTANT_SOURCE_DIR) + "/tests/store/recorded/version_1.sextant";
  ran = run_sextant({"submit", old, "-k", "triad", "-v", "serial", "--shards", "2", "-o", file + "2"}, slurm);
  EXPECT_EQ(ran.exit_code, 2) << ran.out;
  EXPECT_TRUE(contains(ran.err, "version_1.sextant` is a results file")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "-t tuned=")) << ran.err;
}

TEST(Submit, FindsTheJobBesideOtherWords) {
  const auto found = [](const std::string& log) {
    const std::optional<cluster::SentJob> job = cluster::job_in(log);
    return job ? std::to_string(job->number) + "@" + job->cluster : "none";
  };
  EXPECT_EQ(found("12\n"), "12@");
  EXPECT_EQ(found("sbatch: lua: 3 rules\n12;beta\nsbatch: note: your project has 10 hours left\n"),
            "12@beta");
  EXPECT_EQ(found("\n 12 \r\n\n"), "12@");
  EXPECT_EQ(found("note\nSubmitted batch job 12 on cluster beta\n"), "12@beta");
  EXPECT_EQ(found("Submitted batch job 12\n10 hours left\n"), "12@");
  EXPECT_EQ(found("10 hours left\n"), "none");
  EXPECT_EQ(found(""), "none");
}

TEST(Submit, FindsTheClusterInOptions) {
  EXPECT_EQ(cluster::cluster_in({"-p", "gpu", "-M", "beta"}), "beta");
  EXPECT_EQ(cluster::cluster_in({"-Mbeta"}), "beta");
  EXPECT_EQ(cluster::cluster_in({"--clusters=beta"}), "beta");
  EXPECT_EQ(cluster::cluster_in({"--clusters", "a,b"}), "");
  EXPECT_EQ(cluster::cluster_in({"-p", "gpu"}), "");
}

// sbatch also prints a plugin's text. Later queries must go to the cluster that accepted the job.
TEST(Submit, KeepsTheClusterOfSeveral) {
  const Folder folder;
  const std::string file = folder.path("all.sextant");
  const std::vector<std::string> slurm = {"PATH=" + folder.path("") + ":/bin:/usr/bin"};
  const auto send = [&](const std::string& answer, const std::string& name) {
    stand_in(folder, "sbatch",
             "echo \"$@\" >>" + folder.path("calls") + "\necho 'lua: rules'\n" + answer +
                 "\necho 'sbatch: note: 10 hours left' >&2\n");
    return run_sextant({"submit", "-k", "triad", "-v", "serial", "-n", "300,3001", "--shards", "2", "-o",
                        folder.path(name), "--", "-M", "beta"},
                       slurm);
  };
  stand_in(folder, "squeue",
           "[ \"$1 $2\" = '-M beta' ] || exit 1\necho 'CLUSTER: beta'\necho '1|RUNNING|node'\n");
  for (const auto& [answer, name] :
       {std::pair("echo '4242;beta'", "all.sextant"), std::pair("echo 4242", "b.sextant")}) {
    Ran ran = send(answer, name);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "job 4242:")) << ran.out;
    ran = run_sextant({"submit", "--status", folder.path(name)}, slurm);
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    EXPECT_TRUE(contains(ran.out, "   1  running ")) << ran.out;
  }
  std::ifstream calls(folder.path("calls"));
  std::stringstream all;
  all << calls.rdbuf();
  EXPECT_TRUE(contains(all.str(), "--dependency=afterany:4242 --clusters=beta")) << all.str();
}

TEST(Submit, SaysWhatASlurmSaysThatDoesNotWork) {
  const Folder folder;
  stand_in(folder, "sbatch", "echo 'sbatch: fatal: no configuration source' >&2\nexit 1\n");
  const Ran ran = run_sextant(
      {"submit", "-k", "triad", "-v", "serial", "--shards", "2", "-o", folder.path("all.sextant")},
      {"PATH=" + folder.path("") + ":/bin:/usr/bin"});
  EXPECT_EQ(ran.exit_code, 5) << ran.err;
  EXPECT_TRUE(contains(ran.err, "does not work")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "no configuration source")) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(folder.path("all.sextant.jobs")));
}

}  // namespace
}  // namespace sextant
