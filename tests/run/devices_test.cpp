// Tests of `run --devices` as a user calls it, on fake GPUs, and of its components.
#include "run/devices.hpp"

#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "cli_process.hpp"
#include "engine/executor.hpp"
#include "engine/form/case_executor.hpp"
#include "engine/process/worker_executor.hpp"
#include "engine/process/worker_questions.hpp"
#include "machine/gpu_processors.hpp"
#include "plan/plan.hpp"
#include "record/keys.hpp"
#include "record/lasting.hpp"
#include "refusal.hpp"
#include "run/dry_run.hpp"
#include "run/held.hpp"
#include "run/sweep.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"

// Disables LeakSanitizer. hwloc loads and unloads a library to find buses, which leaks 3 KB without a symbol
// name that a suppression could match.
extern "C" int __lsan_is_turned_off();
extern "C" int __lsan_is_turned_off() { return 1; }

namespace sextant {
namespace {

using Arguments = std::vector<std::string>;
using Json = nlohmann::json;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Environment machine_with(const std::vector<std::string>& names) {
  Environment environment = {{"machine", "here"}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    environment[gpu + ".name"] = names[i];
    environment[gpu + ".memory"] = "1000000000";
    environment[gpu + ".power_limit"] = "700";
  }
  return environment;
}

std::string refusal(const std::string& text, const Environment& environment,
                    ExitCode code = ExitCode::usage) {
  try {
    devices_asked(text, environment);
  } catch (const UserError& error) {
    EXPECT_EQ(error.code, code) << text;
    return error.what();
  }
  return "";
}

TEST(Devices, AreListedByNameAndRange) {
  const Environment machine = machine_with({"H", "H", "H", "H"});
  const auto names = [&](const std::string& text) { return devices_asked(text, machine).names; };
  EXPECT_EQ(names("all"), (Arguments{"gpu0", "gpu1", "gpu2", "gpu3"}));
  EXPECT_EQ(names("gpu1-2"), (Arguments{"gpu1", "gpu2"}));
  EXPECT_EQ(names("gpu1-gpu2"), (Arguments{"gpu1", "gpu2"}));
  EXPECT_EQ(names("gpu3,gpu0-1,gpu0"), (Arguments{"gpu3", "gpu0", "gpu1"}));
  for (const char* text :
       {"", "cpu", "gpu", "gpu0-", "gpu2-1", "gpu0,", "0-3", "gpu0 gpu1", "gpu-1", "gpu99999"})
    EXPECT_TRUE(contains(refusal(text, machine), "gpu0-3 or gpu0,gpu2")) << text;
  EXPECT_TRUE(contains(refusal("gpu0-4", machine, ExitCode::missing),
                       "names gpu4, but this machine has only gpu0, gpu1, gpu2, gpu3"));
  EXPECT_TRUE(
      contains(refusal("all", {{"gpus.missing", "no driver"}}, ExitCode::missing), "no GPU (no driver)"));
}

TEST(Devices, AreOfOneKind) {
  Environment machine = machine_with({"H", "A", "H", "H"});
  const RequestedDevices all = devices_asked("all", machine);
  EXPECT_EQ(all.names, (Arguments{"gpu0", "gpu2", "gpu3"}));
  ASSERT_EQ(all.notes.size(), 1u);
  EXPECT_TRUE(contains(
      all.notes[0], "gpu1 is left out, because all GPUs of --devices must be of one model: gpu1 is A with"))
      << all.notes[0];
  EXPECT_TRUE(contains(refusal("gpu0-1", machine), "gpu1 is A with")) << refusal("gpu0-1", machine);
  machine["gpu2.power_limit"] = "350";
  machine["gpu3.memory"] = "2000000000";
  EXPECT_TRUE(contains(refusal("gpu0,gpu2", machine), "at 350 W"));
  EXPECT_TRUE(contains(refusal("gpu0,gpu3", machine), "gpu3 is H with"));
}

TEST(Devices, ShareTheCoresNextToThem) {
  const auto cores = [](int first, int count) {
    std::vector<Core> list;
    for (int i = first; i < first + count; ++i) list.push_back({i, i + 100});
    return list;
  };
  const auto shares = shared_out({cores(0, 8), cores(8, 8), cores(0, 8), cores(0, 8)});
  EXPECT_EQ(shares[0], cores(0, 2));
  EXPECT_EQ(shares[1], cores(8, 8));
  EXPECT_EQ(shares[2], cores(2, 3));
  EXPECT_EQ(shares[3], cores(5, 3));
  EXPECT_EQ(processors_of(shares[0]), (std::vector<int>{0, 100, 1, 101}));
  const auto scarce = shared_out({cores(0, 1), cores(0, 1)});
  EXPECT_EQ(scarce[0], cores(0, 1));
  EXPECT_EQ(scarce[1], cores(0, 1));
  EXPECT_FALSE(cores_near("").empty());  // all processors that this process may use
  EXPECT_EQ(cores_near("0000:ff:1f.7"), cores_near(""));
}

TEST(Devices, OfOneKindCountAsOneForWhatIsHeld) {
  Environment then = machine_with({"H", "H", "A"}), now = machine_with({"H", "H", "H", "H"});
  Results results;
  Session session;
  session.id = 1;
  session.environment = then;
  results.sessions = {session};
  for (const int gpu : {1, 2}) {
    Measurement measurement =
        test::make_measurement(test::make_case("triad", "cuda.vector", 1000 + gpu), 1e-6);
    measurement.what.device = "gpu" + std::to_string(gpu);
    results.measurements.push_back({measurement, 1});
  }
  const std::vector<Case> asked = {
      test::make_case("triad", "cuda.vector", 1001),   // stored with gpu1, model H
      test::make_case("triad", "cuda.vector", 1002)};  // stored with gpu2, model A
  EXPECT_EQ(hold_against(results, now, asked, {}, {}).open.size(), 2u);
  const Held held = hold_against(results, now, asked, {}, {.alike = true});
  ASSERT_EQ(held.open.size(), 1u);
  EXPECT_EQ(held.open[0].problem.n, 1002);
  now["gpu0.power_limit"] = "500";
  EXPECT_EQ(hold_against(results, now, asked, {}, {.alike = true}).open.size(), 2u);
}

// Returns the CUDA_VISIBLE_DEVICES of the workers if this process has the value `visible` (null: unset).
std::string seen_by_workers(const std::vector<std::string>& gpus, const char* visible) {
  if (visible) setenv("CUDA_VISIBLE_DEVICES", visible, 1);
  std::string seen;
  for (const WorkerSlot& slot : slots_of(gpus, machine_with({"H", "H", "H"})))
    seen += "[" + slot.worker.visible_gpu + "]";
  unsetenv("CUDA_VISIBLE_DEVICES");
  return seen;
}

TEST(Devices, AWorkerSeesItsGpuAlone) {
  EXPECT_EQ(seen_by_workers({"gpu0", "gpu2"}, nullptr), "[][0][2]");  // the worker of the CPU sees all GPUs
  EXPECT_EQ(seen_by_workers({"gpu0", "gpu2"}, "5,3,GPU-1b2c"), "[][5][GPU-1b2c]");
}

TEST(Devices, ADryRunSaysWhatTheySave) {
  Selection selection;
  selection.kernels = {"triad"};
  selection.variants = {"serial", "openacc"};
  selection.sizes = {300, 3001, 30001};
  std::vector<Case> cases = plan(selection, nullptr);
  for (Case& one : cases)
    if (one.variant != "serial.baseline") one.device = "gpu0";
  const Environment machine = machine_with({"H", "H", "H"});
  EXPECT_FALSE(contains(dry_run_table(cases, {}, machine).note, "Dealt"));
  const std::string note = dry_run_table(cases, {}, machine, {.gpus = 3}).note;
  EXPECT_TRUE(contains(note, "\nDistributed over 3 GPUs: about ")) << note;
  EXPECT_TRUE(contains(note, " instead of ")) << note;
}

// Returns the seconds that a dry run predicts for four GPUs.
int distributed_seconds(const std::vector<Case>& cases, const Settings& settings) {
  const std::string note =
      dry_run_table(cases, settings, machine_with({"H", "H", "H", "H"}), {.gpus = 4}).note;
  const std::size_t place = note.find("Distributed over 4 GPUs: about ");
  return place == std::string::npos ? -1 : std::atoi(note.c_str() + place + 31);
}

// In a search, only two tunings are timed from end to end, which needs the whole machine.
TEST(Devices, ADryRunKnowsThatOfManyTuningsFewHaveAPass) {
  std::vector<Case> search, few;
  for (int i = 0; i < 100; ++i) {
    few.push_back(test::make_case("triad", "cuda.none", 1000 + i % 10, ElementType::float32,
                                  {{"block", i / 10}}));  // changes after ten problems: no search
    few.back().device = "gpu0";
  }
  search = few;
  std::stable_sort(search.begin(), search.end(),
                   [](const Case& a, const Case& b) { return a.problem.n < b.problem.n; });
  Settings without;
  without.transfers = false;
  const int all = distributed_seconds(few, {}), two = distributed_seconds(search, {}),
            none = distributed_seconds(search, without);
  EXPECT_GT(none, 0);
  EXPECT_GT(all, two + 1);
  EXPECT_GE(two, none);
}

TEST(DevicesRun, RefusesWhatDoesNotGoTogether) {
  const Ran both = run_sextant({"run", "-d", "gpu0", "--devices", "all"});
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_TRUE(contains(both.err, "Leave one of these options out")) << both.err;
  const Ran inside = run_sextant({"run", "--in-process", "--devices", "all"});
  EXPECT_EQ(inside.exit_code, 2);
  EXPECT_TRUE(contains(inside.err, "Leave --in-process out")) << inside.err;
  const Folder folder;
  const Ran unlike =
      run_sextant({"run", "--devices", "gpu0-2", "-o", folder.path("r.sextant"), "-k", "triad"},
                  {"SEXTANT_STAND_IN_GPUS=alpha,alpha,beta"});
  EXPECT_EQ(unlike.exit_code, 2);
  EXPECT_TRUE(contains(unlike.err, "gpu2 is stand-in beta")) << unlike.err;
}

TEST(DevicesRun, HasThoseAloneThatASchedulerLetsBeSeen) {
  const auto listed = [](const std::string& visible) {
    return run_sextant({"list", "devices"},
                       {"SEXTANT_STAND_IN_GPUS=alpha,beta,gamma", "CUDA_VISIBLE_DEVICES=" + visible});
  };
  const Ran two = listed("2,0");
  EXPECT_TRUE(contains(two.out, "stand-in gamma")) << two.out;
  EXPECT_TRUE(contains(two.out, "stand-in alpha")) << two.out;
  EXPECT_LT(two.out.find("stand-in gamma"), two.out.find("stand-in alpha")) << two.out;
  EXPECT_FALSE(contains(two.out, "stand-in beta")) << two.out;
  const Ran first = listed("1,7,0");  // entries after an invalid number are ignored
  EXPECT_TRUE(contains(first.out, "stand-in beta")) << first.out;
  EXPECT_FALSE(contains(first.out, "stand-in alpha")) << first.out;
  for (const char* none : {"", "0,1,0", "0,0"})  // an empty list, or one that names a GPU twice
    EXPECT_FALSE(contains(listed(none).out, "stand-in")) << none << listed(none).out;
}

#ifdef SEXTANT_TEST_OPENACC

const std::vector<std::string> four = {"SEXTANT_STAND_IN_GPUS=alpha,alpha,alpha,alpha"};

Arguments sweep_into(const std::string& file, const Arguments& more = {}) {
  Arguments arguments = {"run",
                         "-o",
                         file,
                         "--no-ceilings",
                         "--no-sentinels",
                         "--visits",
                         "1",
                         "--samples",
                         "2:3",
                         "-k",
                         "triad,copy",
                         "-v",
                         "serial.baseline,openacc.parallel_loop,openacc.packed",
                         "-n",
                         "300,3001,5000",
                         "--type",
                         "float"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

Results load(const std::string& file) { return ResultsFile(file, ResultsFile::Mode::read).load(); }

// Returns the status of every case by its key, without the number of the GPU.
std::multimap<std::string, std::string> outcomes(const Results& results) {
  std::multimap<std::string, std::string> all;
  for (const StoredMeasurement& one : results.measurements) {
    Case what = one.measurement.what;
    if (what.device != "cpu") what.device = "gpu";
    all.emplace(key_of(what), std::string(name_of(one.measurement.status)) + one.measurement.reason);
  }
  return all;
}

TEST(DevicesRun, HasTheCasesOfARunOnOneEachOnce) {
  const Folder folder;
  const std::string one = folder.path("one.sextant"), distributed = folder.path("distributed.sextant");
  ASSERT_EQ(run_sextant(sweep_into(one), four).exit_code, 0);
  const Ran ran = run_sextant(sweep_into(distributed, {"--devices", "all"}), four);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(outcomes(load(distributed)), outcomes(load(one)));
  std::set<std::string> devices;
  const Results results = load(distributed);
  for (const StoredMeasurement& stored : results.measurements) devices.insert(stored.measurement.what.device);
  EXPECT_GT(devices.size(), 2u);  // the CPU and at least two GPUs
  EXPECT_EQ(results.sessions.back().environment.at("run.devices"), "gpu0,gpu1,gpu2,gpu3");

  // `compare` must find the same cases in both files.
  const Ran compared = run_sextant({"compare", one, distributed, "--json"});
  const Json cases = Json::parse(compared.out)["comparisons"][0]["cases"];
  EXPECT_EQ(cases.size(), results.measurements.size()) << compared.out;
  EXPECT_TRUE(Json::parse(compared.out)["comparisons"][0]["missing"].empty()) << compared.out;

  const Ran again = run_sextant(sweep_into(distributed, {"--devices", "gpu1"}), four);
  EXPECT_TRUE(contains(again.err, "already holds 18 of the 18 cases")) << again.err;
}

// In a search with copies, only the default and the fastest tuning are timed from end to end. If the command
// runs again, nothing is left to do.
TEST(DevicesRun, OfManyTuningsTheDefaultAndTheFastestArePassedFromEndToEnd) {
  for (const bool distributed : {false, true}) {
    const Folder folder;
    const std::string file = folder.path("r.sextant");
    Arguments arguments = {
        "run", "-o",     file,   "--no-ceilings",         "--visits", "1",   "--no-sentinels",
        "-k",  "triad",  "-v",   "openacc.parallel_loop", "-t",       "all", "-n",
        "300", "--type", "float"};
    const Arguments where = distributed ? Arguments{"--devices", "all"} : Arguments{"-d", "gpu0"};
    arguments.insert(arguments.end(), where.begin(), where.end());
    const Ran ran = run_sextant(arguments, four);
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const Results results = load(file);
    ASSERT_GE(results.measurements.size(), 4u);
    const Measurement* fastest = nullptr;
    std::size_t passes = 0;
    for (const StoredMeasurement& stored : results.measurements) {
      const Measurement& m = stored.measurement;
      EXPECT_FALSE(m.transfers.empty());
      EXPECT_FALSE(m.alloc_times.empty());
      const bool is_faster =
          !fastest || lasting_interval(m.call_times).median < lasting_interval(fastest->call_times).median;
      if (is_faster) fastest = &m;
      EXPECT_FALSE(m.standard_tuning.value() && m.end_to_end_times.empty());
      passes += !m.end_to_end_times.empty();
    }
    EXPECT_FALSE(fastest->end_to_end_times.empty());
    EXPECT_EQ(passes, fastest->standard_tuning.value() ? 1u : 2u);
    const Ran exported = run_sextant({"export", file});
    EXPECT_TRUE(contains(exported.out, "no end-to-end time: a search times it only")) << exported.out;
    const Ran again = run_sextant(arguments, four);
    EXPECT_TRUE(contains(again.err, "holds " + std::to_string(results.measurements.size()) + " of the "))
        << again.err;
    EXPECT_EQ(load(file).measurements.size(), results.measurements.size());
  }
}

TEST(DevicesRun, TriesAtStartAndEndWhetherTheGpusDisturbEachOther) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Arguments arguments = {
      "run", "-o",    file, "--no-ceilings",  "--visits", "1",        "--samples", "2:3",
      "-k",  "triad", "-v", "openacc.packed", "-n",       "300,3001", "--type",    "float"};
  const auto distributed = [&](const std::string& devices) {
    Arguments more = arguments;
    more.insert(more.end(), {"--devices", devices, "--fresh"});
    return run_sextant(more, four);
  };
  const Ran ran = distributed("gpu0-1");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_TRUE(contains(ran.err, "gpu1: launch ")) << ran.err;
  EXPECT_TRUE(contains(ran.err, "at the end: gpu0: launch ")) << ran.err;
  const Environment kept = load(file).sessions.back().environment;
  EXPECT_TRUE(kept.contains("sentinel.overlap"));
  for (const char* when : {"start", "end"})
    for (const char* gpu : {"gpu0", "gpu1"})
      for (const char* sentinel : {"launch", "memory", "power"})
        EXPECT_TRUE(kept.contains(std::string("sentinel.") + when + "." + gpu + "." + sentinel + ".call"))
            << ran.err;
  const Ran alone = distributed("gpu2");
  EXPECT_FALSE(contains(alone.err, "disturb")) << alone.err;  // no other GPU runs, so nothing is disturbed
}

// Runs cases on several CPU worker slots. With four slots, three suffice for these short cases.
void sweep_on(std::size_t slots) {
  Selection selection;
  selection.kernels = {"triad", "matmul"};
  selection.variants = {"serial.baseline", "serial.native"};
  selection.sizes = {1000, 2000};
  selection.types = {ElementType::float32};
  const std::vector<Case> cases = plan(selection, nullptr);
  OnCores on_cores;
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(on_cores.cases),
               [](const Case& what) { return what.kernel == "matmul"; });
  ASSERT_EQ(on_cores.cases.size(), 4u);
  const WorkerCommand worker{{SEXTANT_PROGRAM, "worker"}, no_worker_yet()};
  on_cores.slots.assign(slots, {"cpu", worker, true});
  if (slots == 4) on_cores.slots[0].worker.arguments = {"/no/such/program"};  // no case needs this slot
  for (WorkerSlot& slot : on_cores.slots) slot.worker.idle = no_worker_yet();
  ProgressReporter progress(true, {});
  std::vector<Case> measured;
  StageTimes times;
  Distribution distribution;
  distribution.on_cores = on_cores;
  std::size_t before_afterwards = 0;
  int meanwhile = 0, afterwards = 0;
  distribution.on_cores.meanwhile = [&] { ++meanwhile; };
  distribution.on_cores.afterwards = [&] {
    before_afterwards = measured.size();
    afterwards += meanwhile;
  };
  distribution.judged = [](Measurement one) {
    if (one.what.kernel == "triad") one.status = Status::impossible;
    return one;
  };
  const Outcome outcome = sweep(
      cases, {}, 0, worker, {}, progress, [&](const Measurement& one) { measured.push_back(one.what); },
      &times, distribution);
  EXPECT_EQ(outcome.ending, Ending::complete);
  EXPECT_EQ(outcome.count(Status::ok), 4u);
  EXPECT_EQ(outcome.count(Status::impossible), cases.size() - 4);
  EXPECT_EQ(exit_code_of(outcome), ExitCode::check_failed);
  ASSERT_EQ(measured.size(), cases.size());
  std::set<std::string> keys;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    keys.insert(key_of(measured[i]));
    EXPECT_EQ(measured[i].kernel, i < 4 ? "matmul" : "triad");
  }
  EXPECT_EQ(keys.size(), cases.size());
  EXPECT_EQ(meanwhile, 1);
  EXPECT_EQ(afterwards, 1);
  EXPECT_EQ(before_afterwards, 4u);
  EXPECT_GT(times["serial code on several cores"][0], 0);
  EXPECT_GT(times["sampling"][0], 0);
}

TEST(Sweep, MeasuresWhatIsForSeveralCoresFirstAndEveryCaseOnce) {
  sweep_on(2);
  sweep_on(4);
}

  #ifdef SEXTANT_TEST_OPENACC
// A GPU's cases are measured while serial code runs on other cores, but not before `afterwards` has handled
// the ceilings.
TEST(Sweep, MeasuresAGpusCasesBesideSerialCode) {
  ASSERT_EQ(setenv("SEXTANT_STAND_IN_GPUS", "alpha", 1), 0);
  Selection selection;
  selection.kernels = {"triad", "matmul"};
  selection.variants = {"serial.baseline", "openacc.parallel_loop"};
  selection.sizes = {1000, 2000};
  selection.types = {ElementType::float32};
  const std::vector<Case> cases = plan(selection, nullptr);
  const WorkerCommand worker{{SEXTANT_PROGRAM, "worker"}, no_worker_yet()};
  Distribution distribution;
  OnCores& on_cores = distribution.on_cores;
  const auto is_for_core = [](const Case& what) { return what.kernel == "matmul" && what.device == "cpu"; };
  std::copy_if(cases.begin(), cases.end(), std::back_inserter(on_cores.cases), is_for_core);
  on_cores.slots.assign(2, {"cpu", worker, true});
  for (WorkerSlot& slot : on_cores.slots) slot.worker.idle = no_worker_yet();
  on_cores.free_processors = {0};
  on_cores.gpu_beside = true;
  std::atomic<bool> knows = false;
  on_cores.meanwhile = [] { std::this_thread::sleep_for(std::chrono::milliseconds(300)); };
  on_cores.afterwards = [&] { knows = true; };
  std::vector<Case> measured;
  StageTimes times;
  ProgressReporter progress(true, {});
  const auto keep = [&](const Measurement& one) {
    EXPECT_TRUE(knows || one.what.device == "cpu") << describe(one.what);
    EXPECT_FALSE(one.isolation) << describe(one.what);
    measured.push_back(one.what);
  };
  const Outcome outcome = sweep(cases, {}, 0, worker, {}, progress, keep, &times, distribution);
  EXPECT_EQ(outcome.count(Status::ok), cases.size());
  ASSERT_EQ(measured.size(), cases.size());
  std::set<std::string> keys;
  for (std::size_t i = 0; i < measured.size(); ++i) {
    keys.insert(key_of(measured[i]));
    const bool is_last = i >= measured.size() - 2;  // the serial cases of triad
    EXPECT_EQ(measured[i].kernel == "triad" && measured[i].device == "cpu", is_last) << describe(measured[i]);
  }
  EXPECT_EQ(keys.size(), cases.size());
  EXPECT_GT(times["sampling"][0], 0);
  EXPECT_GT(times["sampling"][1], 0);
}

// Measures a case without its end-to-end time, and later only this time.
TEST(DevicesRun, APassFromEndToEndIsTimedByItself) {
  ASSERT_EQ(setenv("SEXTANT_STAND_IN_GPUS", "alpha", 1), 0);
  Selection selection;
  selection.kernels = {"triad"};
  selection.variants = {"openacc.parallel_loop"};
  selection.sizes = {1000};
  selection.types = {ElementType::float32};
  selection.device = "gpu0";
  const Case what = plan(selection, nullptr).at(0);
  std::set<Stage> stages;
  Callbacks callbacks;
  callbacks.spent = [&](const Case&, Stage stage, double) { stages.insert(stage); };
  const auto executor =
      make_worker_executor({{SEXTANT_PROGRAM, "worker"}, no_worker_yet()}, with_seed({}), callbacks);
  executor->time(Timed::without_pass);
  const std::optional<Measurement> first = executor->run(what);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->status, Status::ok) << first->reason;
  EXPECT_FALSE(first->call_times.empty() || first->transfers.empty());
  EXPECT_TRUE(lacks_pass(*first));
  EXPECT_TRUE(stages.contains(Stage::sampling) && !stages.contains(Stage::timing_end_to_end));
  stages.clear();
  executor->time(Timed::pass);
  const std::optional<Measurement> pass = executor->run(what);
  ASSERT_TRUE(pass);
  EXPECT_EQ(pass->status, Status::ok) << pass->reason;
  EXPECT_TRUE(pass->call_times.empty());
  EXPECT_FALSE(pass->end_to_end_times.empty());
  for (const Stage stage : {Stage::checking, Stage::warming_up, Stage::sampling, Stage::checking_again})
    EXPECT_FALSE(stages.contains(stage)) << name_of(stage);
  unsetenv("SEXTANT_STAND_IN_GPUS");
}

// If a worker has loaded a variant's library in advance, the case does not load it again.
TEST(DevicesRun, CodeIsLoadedBeforeItIsNeeded) {
  ASSERT_EQ(setenv("SEXTANT_STAND_IN_GPUS", "alpha", 1), 0);
  Selection selection;
  selection.kernels = {"triad", "copy"};
  selection.variants = {"openacc.parallel_loop", "serial.baseline"};
  selection.sizes = {1000};
  selection.types = {ElementType::float32};
  selection.device = "";
  std::vector<Case> cases = plan(selection, nullptr);
  for (Case& what : cases)
    if (what.variant == "openacc.parallel_loop") what.device = "gpu0";
  const std::vector<Case> code = one_for_each_library(cases);
  ASSERT_EQ(code.size(), 2u);
  for (const bool ahead : {false, true}) {
    const WorkerCommand worker{{SEXTANT_PROGRAM, "worker"}, no_worker_yet()};
    if (ahead) ask_to_load_code(worker, code, {});
    std::set<Stage> stages;
    int right = 0;
    Callbacks callbacks;
    callbacks.spent = [&](const Case&, Stage stage, double) { stages.insert(stage); };
    callbacks.measured = [&](const Measurement& one) { right += one.status == Status::ok; };
    execute(cases, {}, worker, callbacks);
    EXPECT_EQ(right, 4);
    EXPECT_EQ(stages.contains(Stage::loading_code), !ahead);
  }
  unsetenv("SEXTANT_STAND_IN_GPUS");
}
  #endif

// Sizes for so many cases that a signal interrupts the run, and the number of these cases.
const char* const many_sizes = "1000:3000:+1";
constexpr std::size_t many_cases = 6 * (2001 + 3);

TEST(DevicesRun, IsContinuedWhereItWasKilled) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  ASSERT_EQ(setenv("SEXTANT_STAND_IN_GPUS", "alpha,alpha,alpha,alpha", 1), 0);
  const Ran killed =
      interrupt_sextant(sweep_into(file, {"--devices", "all", "-n", many_sizes}), "openacc.packed", SIGKILL);
  EXPECT_EQ(killed.exit_code, 128 + SIGKILL);
  const Results stored = load(file);
  EXPECT_GE(stored.measurements.size(), 1u);
  EXPECT_LT(stored.measurements.size(), many_cases);
  // Counts the stored cases of the standard size 300 and of the last eleven sizes, with which GPUs start.
  const auto held = static_cast<std::size_t>(
      std::count_if(stored.measurements.begin(), stored.measurements.end(), [](const StoredMeasurement& one) {
        const std::int64_t n = one.measurement.what.problem.n;
        return n == 300 || n >= 2990;
      }));
  EXPECT_GE(held, 1u);
  const Ran rest = run_sextant(sweep_into(file, {"--devices", "all", "-n", "2990:3000:+1"}), four);
  unsetenv("SEXTANT_STAND_IN_GPUS");
  EXPECT_EQ(rest.exit_code, 0) << rest.err;
  EXPECT_TRUE(contains(rest.err, "holds " + std::to_string(held) + " of the 84")) << rest.err;
  const std::multimap<std::string, std::string> all = outcomes(load(file));
  EXPECT_EQ(all.size(), stored.measurements.size() + 84 - held);
  for (const auto& [key, outcome] : all) EXPECT_EQ(all.count(key), 1u) << key;
}

TEST(DevicesRun, EndsWhenInterruptedAndSaysWhatIsLeft) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  ASSERT_EQ(setenv("SEXTANT_STAND_IN_GPUS", "alpha,alpha", 1), 0);
  const Ran ran =
      interrupt_sextant(sweep_into(file, {"--devices", "all", "-n", many_sizes}), "openacc.packed", SIGTERM);
  unsetenv("SEXTANT_STAND_IN_GPUS");
  EXPECT_EQ(ran.exit_code, 143) << ran.err;
  EXPECT_TRUE(contains(ran.err, "The same command continues")) << ran.err;
  EXPECT_LT(load(file).measurements.size(), many_cases);
}

#endif

}  // namespace
}  // namespace sextant
