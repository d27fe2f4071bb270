// Tests of distributed problems from the command line to the table: measuring, storing, comparing with one
// part, and error messages.
#include "analysis/summary/scaling.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli_process.hpp"
#include "engine/process/rank_command.hpp"
#include "golden.hpp"
#include "outline.hpp"
#include "present/links.hpp"
#include "present/views.hpp"
#include "record/keys.hpp"
#include "report/report.hpp"
#include "sample_results.hpp"
#include "store/results_file.hpp"

namespace sextant {
namespace {

using Json = nlohmann::json;

// Returns hand-made results of openmp.mpi and openmp.simd for heat3d_r1.
Results made_results() {
  Results results;
  Session session = test::make_session();
  session.id = 1;
  session.environment["openmp.threads"] = "8";
  results.sessions = {session};
  const auto add = [&](const char* variant, const char* device, int parts, std::int64_t n, const char* name,
                       double time, double cores) -> Measurement& {
    Measurement m =
        test::make_measurement(test::make_case("heat3d_r1", variant, n, ElementType::float64, {}), time);
    m.what.device = device;
    m.what.problem.parts = parts;
    m.what.problem_class = name;
    m.what.problem.extents = {10, 10, n / 100};
    if (cores > 0) m.cores = cores;
    results.measurements.push_back({m, 1});
    return results.measurements.back().measurement;
  };
  add("openmp.simd", "cpu", 1, 1000, "", 4e-3, 0);
  add("openmp.slow", "cpu", 1, 1000, "", 9e-3, 0);
  add("openmp.mpi", "1xcpu", 1, 1000, "", 8e-3, 2);
  Measurement& four = add("openmp.mpi", "4xcpu", 4, 1000, "", 2.5e-3, 8);
  four.compute_times = std::vector<double>(20, 2e-3);
  four.exchange_times = std::vector<double>(20, 1e-3);
  four.balance = 0.5;
  four.work.bytes_sent = 1000;
  add("openmp.mpi", "4xcpu", 4, 4000, "1000 each", 10e-3, 8);
  return results;
}

TEST(Scaling, HoldsPartsAgainstOneAndAgainstTheBestOfOneProcess) {
  const Results results = made_results();
  const std::vector<Summary> all = summarise(results);
  const Summary &one = all[2], &four = all[3], &weak = all[4];
  EXPECT_NEAR(one.speedup_self.median, 1, 1e-12);
  EXPECT_NEAR(one.efficiency_self.median, 1, 1e-12);
  EXPECT_NEAR(four.speedup_self.median, 8e-3 / 2.5e-3, 0.05);
  EXPECT_NEAR(four.efficiency_self.median, 8e-3 / 2.5e-3 / 4, 0.02) << "four times the cores of one";
  EXPECT_NEAR(four.speedup_best_single.median, 4e-3 / 2.5e-3, 0.03);
  EXPECT_NEAR(four.efficiency_best_single.median, 4e-3 / 2.5e-3, 0.03) << "the same eight cores";
  EXPECT_NEAR(weak.speedup_self.median, 4 * 8e-3 / 10e-3, 0.05) << "four times the work";
  EXPECT_NEAR(weak.efficiency_self.median, 8e-3 / 10e-3, 0.02);
  EXPECT_EQ(all[0].speedup_self.samples, 0u) << "no parts";
}

// With -t threads=2, a process uses two cores, whatever OpenMP's default is.
TEST(Scaling, CountsTheThreadsThatASingleProcessWasGiven) {
  Results results = made_results();
  for (StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.variant == "openmp.simd") stored.measurement.what.tuning = {{"threads", 2}};
  const std::vector<Summary> all = summarise(results);
  EXPECT_NEAR(all[3].efficiency_best_single.median, 4e-3 / 2.5e-3 / 4, 0.02) << "eight cores, not two";
}

// Returns the text of all scaling tables.
std::string shown(const Results& results) {
  const std::vector<Summary> all = summarise(results);
  std::string text;
  for (const Table& table : scaling_view(all).texts) text += to_text(table, false) + "\n";
  return text;
}

// Four parts are slow here because they share two cores, not because they communicate.
TEST(Scaling, SaysThatPartsShareCores) {
  Results results = made_results();
  const std::string before = shown(results);
  for (StoredMeasurement& stored : results.measurements) {
    Measurement& m = stored.measurement;
    if (m.what.device == "4xcpu") m.cores = 2, m.call_times.assign(20, 20e-3);
  }
  test::expect_golden(before + "== four parts on two cores\n" + shown(results), "scaling/curves:cores");
}

// A table of the single parts follows only if the file has their times.
TEST(Scaling, TellsPartsApartBelowTheirCurve) {
  Results results = made_results();
  for (StoredMeasurement& stored : results.measurements)
    if (stored.measurement.what.problem_class.empty() && stored.measurement.what.device == "4xcpu")
      stored.measurement.each = {{"gpu0", 2e-3, 1e-4, 1.98e9, 512.3}, {"gpu1", 1e-3, {}, {}, {}}};
  test::expect_golden(shown(results), "scaling/curves:each part");
}

TEST(Scaling, SaysWhatExchangingCosts) {
  const Results results = made_results();
  const Summary four = summarise(results)[3];
  EXPECT_NEAR(*four.exposed_time, four.call_time.median - 2e-3, 1e-12);
  EXPECT_NEAR(*four.hidden_share, (2e-3 + 1e-3 - four.call_time.median) / 1e-3, 1e-9);
  EXPECT_NEAR(*four.bus_bandwidth, 1e6, 1e-3);
  EXPECT_FALSE(summarise(results)[2].exposed_time);
}

TEST(Scaling, TakesTheRateOverTheWholeCallWhereExchangingIsNotToldApart) {
  Results results = made_results();
  results.measurements[4].measurement.work.bytes_sent = 1000;
  const Summary whole = summarise(results)[4];
  EXPECT_FALSE(whole.exchange_time);
  ASSERT_TRUE(whole.bus_bandwidth);
  EXPECT_NEAR(*whole.bus_bandwidth, 1000 / whole.call_time.median, 1e-6);
}

// A device group is compared with the ceilings of its first GPU, and with those of its links. They may come
// from two sessions. The work is divided by the number of GPUs.
TEST(Scaling, HoldsATeamAgainstItsGpusAndTheirLinks) {
  Results results;
  Session alone = test::make_session(), together = alone;
  alone.id = 1, together.id = 2;
  alone.ceilings = {{"gpu0", "copy", 0, 1e12}, {"gpu0", "fp64", 0, 1e13}, {"gpu0", "fp64_tensor", 0, 2e13}};
  together.ceilings = {{"gpu0-3", "link_copy_0_1", 0, 3e11},
                       {"gpu0-3", "link_ring", 0, 4e11},
                       {"gpu0-3", "link_flag_0_1_latency", 0, 1e12}};
  results.sessions = {alone, together};
  Measurement m = test::make_measurement(
      test::make_case("heat3d_r1", "cuda.peers", 1'000'000, ElementType::float64, {}), 1e-3);
  m.what.device = "gpu0-3";
  m.what.problem.parts = 4;
  m.work = {.bytes_read = 1'000'000'000, .bytes_written = 1'000'000'000, .flops = 1'000'000};
  results.measurements.push_back({m, 2});
  const auto summary = [&] { return summarise(results).front(); };
  Work& work = results.measurements.front().measurement.work;
  const double time = summary().call_time.median;
  ASSERT_TRUE(summary().ceiling_fraction);
  EXPECT_NEAR(*summary().ceiling_fraction, 2e9 / 4 / 1e12 / time, 1e-9);
  EXPECT_EQ(summary().limit, Limit::memory);
  work.flops = 36'000'000'000;  // exceeds the plain fp64 rate of one GPU
  EXPECT_NEAR(*summary().ceiling_fraction, 36e9 / 4 / 1e13 / time, 1e-9);
  EXPECT_EQ(summary().limit, Limit::arithmetic);
  EXPECT_FALSE(summary().matrix_units);
  work.bytes_sent = 376'000'000;  // by each GPU
  EXPECT_NEAR(*summary().ceiling_fraction, 376e6 / 4e11 / time, 1e-9);
  EXPECT_EQ(summary().limit, Limit::link);

  results.sessions.back().ceilings.clear();
  EXPECT_FALSE(summary().ceiling_fraction);
  ASSERT_FALSE(summary().notes.empty());
  EXPECT_EQ(summary().notes.front(), "no ceiling of the links of gpu0-3 was measured");
  results.sessions.front().ceilings.clear();
  EXPECT_EQ(summary().notes.front(), "no ceiling of gpu0 was measured");
}

TEST(Scaling, LeavesPartsOutOfWhatComparesModels) {
  Results results = made_results();
  for (const Summary& s : summarise(results))
    EXPECT_EQ(is_cpu_version(s), s.parts == 0) << s.measurement->what.variant;
}

TEST(Scaling, GivesTheProblemOfEachPart) {
  const Results results = made_results();
  const Case each = each_of(results.measurements[4].measurement.what);
  EXPECT_EQ(each.problem_class, "");
  EXPECT_EQ(each.problem.n, 1000);
  EXPECT_EQ(each.problem.extents, (Extents{10, 10, 10}));
  const Case strong = results.measurements[3].measurement.what;
  EXPECT_EQ(key_of(each_of(strong)), key_of(strong));
}

TEST(Scaling, GroupsWhatDiffersInTheNumberOfParts) {
  const Results results = made_results();
  const std::vector<Summary> all = summarise(results);
  const std::vector<ScalingCurve> curves = scaling_curves(all);
  ASSERT_EQ(curves.size(), 2u);
  const bool first_is_weak = curves[0].weak;
  const ScalingCurve &strong = curves[first_is_weak ? 1 : 0], &weak = curves[first_is_weak ? 0 : 1];
  ASSERT_EQ(strong.points.size(), 2u);
  ASSERT_EQ(weak.points.size(), 2u) << "what one rank does belongs to both";
  EXPECT_EQ(strong.points[0], &all[2]);
  EXPECT_EQ(strong.points[1], &all[3]);
  EXPECT_EQ(weak.points[0], &all[2]);
  EXPECT_EQ(weak.points[1], &all[4]);
}

// The one-part case of a weak-scaling sweep must not become a strong-scaling curve of one point.
TEST(Scaling, OnePartOfAWeakSweepIsNoCurveOfItsOwn) {
  Results results = made_results();
  results.measurements.erase(results.measurements.begin() + 3);
  const std::vector<Summary> all = summarise(results);
  const std::vector<ScalingCurve> curves = scaling_curves(all);
  ASSERT_EQ(curves.size(), 1u);
  EXPECT_TRUE(curves[0].weak);
  results.measurements.pop_back();
  const std::vector<Summary> alone = summarise(results);
  EXPECT_EQ(scaling_curves(alone).size(), 1u) << "where it is all there is, it is shown";
}

// Efficiency of a device group compares it with one GPU, by the number of GPUs.
TEST(Scaling, HoldsTeamsAgainstOneGpu) {
  Results results = made_results();
  const auto add = [&](const char* variant, const char* device, int parts, double time) {
    Measurement m =
        test::make_measurement(test::make_case("heat3d_r1", variant, 1000, ElementType::float64, {}), time);
    m.what.device = device;
    m.what.problem.parts = parts;
    m.what.problem.extents = {10, 10, 10};
    results.measurements.push_back({m, 1});
  };
  add("cuda.march", "gpu0", 1, 1e-3);
  add("cuda.peers", "gpu0:1", 1, 1.25e-3);
  add("cuda.peers", "gpu0-1", 2, 0.75e-3);
  const std::vector<Summary> all = summarise(results);
  const Summary &one = all[6], &two = all[7];
  EXPECT_EQ(all[5].parts, 0);
  EXPECT_EQ(one.parts, 1);
  EXPECT_EQ(two.parts, 2);
  EXPECT_FALSE(two.on_host);
  EXPECT_NEAR(two.efficiency_self.median, 1.25 / 0.75 / 2, 0.02);
  EXPECT_NEAR(two.efficiency_best_single.median, 1 / 0.75 / 2, 0.02) << "over the GPU's best, not the host's";
  const std::vector<ScalingCurve> curves = scaling_curves(all);
  const auto teams = std::find_if(curves.begin(), curves.end(), [](const ScalingCurve& curve) {
    return curve.points.front()->measurement->what.variant == "cuda.peers";
  });
  ASSERT_NE(teams, curves.end());
  EXPECT_EQ(teams->points.size(), 2u);
}

// Returns the link ceilings of three GPUs. Two of the links are slow.
std::vector<Ceiling> made_links() {
  return {{"gpu0", "triad", 1 << 20, 4e12},
          {"gpu0-2", "link_copy_0_1", 1 << 28, 390e9},
          {"gpu0-2", "link_copy_0_2", 1 << 28, 98e9},
          {"gpu0-2", "link_copy_1_0", 1 << 28, 391e9},
          {"gpu0-2", "link_copy_1_2", 1 << 28, 392e9},
          {"gpu0-2", "link_copy_2_0", 1 << 28, 300e9},
          {"gpu0-2", "link_copy_2_1", 1 << 28, 393e9},
          {"gpu0-2", "link_both_0_1", 1 << 28, 386e9},
          {"gpu0-2", "link_flag_0_1_latency", 4, 1.23e-6},
          {"gpu0-2", "link_ring", 1 << 28, 363e9},
          {"gpu0-2", "link_all_to_all", 1 << 28, 347e9},
          {"gpu0-2", "link_nccl_all_reduce", 1 << 28, 326e9}};
}

TEST(Links, AreATableFromEachGpuToEachOther) {
  const std::vector<LinksView> views = links_views(made_links());
  ASSERT_EQ(views.size(), 1u);
  EXPECT_EQ(views[0].team, "gpu0-2");
  EXPECT_EQ(
      views[0].text,
      "copies 98.0 GB/s to 393 GB/s, both ways at once 386 GB/s, a flag 1.23 µs, all in a ring 363 GB/s, "
      "all to all others 347 GB/s, NCCL's all-reduce 326 GB/s");
  EXPECT_EQ(views[0].slow, "gpu0 to gpu2 (98.0 GB/s), gpu2 to gpu0 (300 GB/s)");
  const Json rows = Json::parse(to_json_rows(views[0].pairs));
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0], (Json{{"from", "gpu0"}, {"to_gpu0", nullptr}, {"to_gpu1", 390e9}, {"to_gpu2", 98e9}}));
  EXPECT_EQ(rows[2], (Json{{"from", "gpu2"}, {"to_gpu0", 300e9}, {"to_gpu1", 393e9}, {"to_gpu2", nullptr}}));
  EXPECT_TRUE(links_views({{"gpu0", "triad", 1 << 20, 4e12}}).empty());
}

std::string page_of(Results results) {
  std::vector<ReportFile> files;
  files.push_back({"r.sextant", std::move(results)});
  return make_report(std::move(files), {});
}

// The report shows the links of the last session that measured any.
TEST(Links, StandInTheReport) {
  Results results = made_results();
  Session old = results.sessions.front(), last = old;
  results.sessions.front().started = "2026-11-02T00:00:00Z";
  results.sessions.front().ceilings = made_links();
  old.id = 2, old.started = "2026-11-01T00:00:00Z", last.id = 3, last.started = "2026-11-03T00:00:00Z";
  old.ceilings = {{"gpu0-2", "link_copy_0_1", 1 << 28, 111e9}};
  last.ceilings = {{"cpu", "triad", 1 << 20, 4e10}};
  results.sessions.insert(results.sessions.end(), {old, last});
  test::expect_golden(test::outline(page_of(std::move(results)), "roofline"), "scaling/report:links");
}

TEST(Scaling, IsASectionOfTheReportWhereThereAreParts) {
  const std::string page = page_of(made_results());
  test::expect_golden(test::outline(page, "scaling"), "scaling/report:two numbers of parts");
  EXPECT_NE(page.find("\"role\":\"ideal\""), std::string::npos);
  Results whole = made_results();
  whole.measurements.resize(2);
  EXPECT_EQ(test::outline(page_of(std::move(whole)), "scaling"), "");
}

TEST(Scaling, IsModelledInTheReportWhereThreeNumbersOfPartsWereMeasured) {
  Results results = made_results();
  StoredMeasurement two = results.measurements[3];
  two.measurement.what.device = "2xcpu";
  two.measurement.what.problem.parts = 2;
  two.measurement.call_times = test::samples_around(4.5e-3);
  two.measurement.compute_times = test::samples_around(4e-3);
  results.measurements.push_back(two);
  for (StoredMeasurement& one : results.measurements)
    one.measurement.work.items = one.measurement.what.problem.n;
  results.sessions[0].kernels["heat3d_r1"].exchange = {Exchange::Pattern::planes};
  const std::string page = page_of(std::move(results));
  test::expect_golden(test::outline(page, "scaling"), "scaling/report:three numbers of parts");
  for (const char* part : {"\"role\":\"model\"", "\"model_from\":2"})
    EXPECT_NE(page.find(part), std::string::npos) << part;
}

TEST(Parts, AreRefusedWithTheReasonWhereNoneCanBeStarted) {
  const Ran ran = run_sextant({"run", "-k", "triad", "-n", "1000", "-d", "2xcpu", "--launcher",
                               "/no/such/program", "-o", "/dev/null/none"});
  EXPECT_NE(ran.exit_code, 0);
  const Folder folder;
  const Ran missing = run_sextant({"run", "-q", "-k", "triad", "-n", "1000", "-d", "2xcpu", "--launcher",
                                   "/no/such/program", "-o", folder.path("r.sextant")});
  EXPECT_EQ(missing.exit_code, 5);
  if (why_no_ranks().empty()) test::expect_golden(missing.err, "scaling/refusals:launcher");
}

TEST(Predict, RefusesWhatItCannotRead) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  EXPECT_EQ(run_sextant(
                {"run", "-q", "-k", "triad", "-v", "serial.native", "-n", "999", "--no-ceilings", "-o", file})
                .exit_code,
            0);
  const Ran none = run_sextant({"predict", file});
  EXPECT_EQ(none.exit_code, 3);
  std::string said = none.err;
  for (const std::string wrong :
       {"--devices=many", "--devices=0..8", "--devices=1..", "--devices=4..x", "--devices=-3",
        "--devices=2000000", "--devices=8..2", "--network=none.toml"}) {
    const Ran ran = run_sextant({"predict", file, wrong});
    EXPECT_EQ(ran.exit_code, 2) << wrong;
    said += ran.err;
  }
  test::expect_golden(test::replaced(said, folder.path(""), ""), "scaling/refusals:predict");
}

// Sets environment variables and restores them at the end. An empty value unsets a variable.
class Variables {
 public:
  explicit Variables(const std::map<std::string, std::string>& values) {
    for (const auto& [name, value] : values) {
      const char* before = std::getenv(name.c_str());
      before_[name] = before ? before : "";
      set(name, value);
    }
  }
  Variables(const Variables&) = delete;
  Variables& operator=(const Variables&) = delete;
  ~Variables() {
    for (const auto& [name, value] : before_) set(name, value);
  }

 private:
  static void set(const std::string& name, const std::string& value) {
    value.empty() ? ::unsetenv(name.c_str()) : ::setenv(name.c_str(), value.c_str(), 1);
  }
  std::map<std::string, std::string> before_;
};

// Without options, srun would give each rank only one processor.
TEST(Parts, HaveAnEvenShareOfTheJobsProcessorsBySrun) {
  const Folder folder;
  const std::string srun = folder.path("srun");
  std::ofstream(srun) << "#!/bin/sh\n";
  std::filesystem::permissions(srun, std::filesystem::perms::owner_all);
  const auto told = [&](const std::map<std::string, std::string>& job) {
    std::map<std::string, std::string> all = {{"PATH", folder.path("")},
                                              {"SLURM_JOB_ID", "7"},
                                              {"SRUN_CPUS_PER_TASK", ""},
                                              {"SLURM_JOB_NUM_NODES", "1"},
                                              {"SLURM_JOB_CPUS_PER_NODE", "64"}};
    for (const auto& [name, value] : job) all[name] = value;
    const Variables variables(all);
    std::string options;
    for (const std::string& word : command_of_ranks({}, 4, 64).arguments)
      if (word.starts_with("--cpus-per-task")) options += word;
    return options;
  };
  EXPECT_EQ(told({}), "--cpus-per-task=16");
  EXPECT_EQ(told({{"SLURM_JOB_CPUS_PER_NODE", "2"}}), "--cpus-per-task=1");
  EXPECT_EQ(told({{"SRUN_CPUS_PER_TASK", "3"}}), "") << "srun reads that itself";
  EXPECT_EQ(told({{"SLURM_JOB_NUM_NODES", "2"}, {"SLURM_JOB_CPUS_PER_NODE", "64,32"}}), "");
}

TEST(Parts, AreAskedForByAPlace) {
  const Ran ran = run_sextant({"run", "-k", "triad", "-v", "openmp.mpi", "-n", "1000"});
  EXPECT_EQ(ran.exit_code, 2);
  const Ran scale = run_sextant({"run", "-k", "triad", "--scale", "medium"});
  EXPECT_EQ(scale.exit_code, 2);
  test::expect_golden(ran.err + scale.err, "scaling/refusals:run");
}

// `list ceilings` prints a table of links after the other rows, and a note if the machine was busy.
TEST(Ceilings, OfLinksAreListed) {
  const Folder folder;
  Session session = test::make_session();
  session.environment["cpu.cores"] = "2";
  const auto listed = [&](const std::string& load, const std::vector<std::string>& more = {}) {
    session.environment["load"] = load;
    const std::string path = folder.path("r" + std::to_string(more.size()) + load);
    {
      ResultsFile file(path, ResultsFile::Mode::write);
      file.add_ceilings(file.begin_session(session), made_links());
    }
    std::vector<std::string> arguments = {"list", "ceilings", path};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_sextant(arguments).out;
  };
  const std::string loaded = listed("7.9");
  test::expect_golden(loaded, "scaling/ceilings");
  EXPECT_LT(listed("0.4").size(), loaded.size()) << "of a machine that was not loaded nothing is said";
  EXPECT_EQ(Json::parse(listed("7.9", {"--json"})).size(), made_links().size());
}

#ifdef SEXTANT_TEST_RANKS

const std::vector<std::string> politely = {"OMPI_MCA_mpi_yield_when_idle=1", "OMP_WAIT_POLICY=passive"};

// Measures a small box with a few samples and stores the results.
Ran run_heat(const Folder& folder, std::vector<std::string> more) {
  std::vector<std::string> arguments = {
      "run",       "-k",  "heat3d_r2",     "-v",       "openmp", "--type", "float",
      "--samples", "3:5", "--no-ceilings", "--visits", "1",      "-o",     folder.path("r.sextant")};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return run_sextant(arguments, politely);
}

Json rows_of(const Ran& ran) {
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return Json::parse(ran.out, nullptr, false);
}

TEST(Parts, OfWhichTheDoctorSaysWhatTheyMaySend) {
  const auto said = [](const std::vector<std::string>& environment) -> Json {
    for (const Json& finding : Json::parse(run_sextant({"doctor", "--json"}, environment).out))
      if (finding.at("topic") == "ranks") return finding;
    return Json::object();
  };
  const Json here = said(politely);
  EXPECT_EQ(here.at("severity"), "ok") << here;
  const Json none = said({"SEXTANT_LAUNCHER=/bin/false"});
  EXPECT_EQ(none.at("severity"), "note") << none;
}

TEST(Parts, AreMeasuredStoredAndShown) {
  const Folder folder;
  const Ran ran = run_heat(folder, {"-n", "20x17x13", "-d", "cpu,1xcpu,2xcpu"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err << ran.out;
  const Ran again = run_heat(folder, {"-n", "20x17x13", "-d", "cpu,1xcpu,2xcpu"});
  EXPECT_EQ(again.exit_code, 0);
  test::expect_golden(test::replaced(again.err, folder.path(""), ""), "scaling/refusals:measured already");

  const Json rows = rows_of(run_sextant({"show", folder.path("r.sextant"), "--by", "scaling", "--json"}));
  ASSERT_EQ(rows.size(), 2u) << rows;
  EXPECT_EQ(rows[0].at("device"), "1xcpu");
  EXPECT_EQ(rows[1].at("device"), "2xcpu");
  EXPECT_EQ(rows[1].at("parts"), 2);
  EXPECT_EQ(rows[1].at("nodes"), 1);
  EXPECT_EQ(rows[1].at("scale"), "strong");
  EXPECT_EQ(rows[1].at("bytes_sent"), 2 * 20 * 17 * 4);
  for (const char* known :
       {"speedup_self", "efficiency_self", "speedup_best_single", "efficiency_best_single", "compute_time",
        "exchange_time", "exposed_time", "hidden_share", "bus_bandwidth", "balance", "cores"})
    EXPECT_TRUE(rows[1].at(known).is_number()) << known << rows[1];
}

TEST(Parts, GrowWithTheirNumberWhereTheyScaleWeakly) {
  const Folder folder;
  const Ran ran =
      run_heat(folder, {"-v", "openmp.mpi", "-n", "8x7x9", "-d", "1xcpu,3xcpu", "--scale", "weak"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json rows = rows_of(run_sextant({"show", folder.path("r.sextant"), "--by", "scaling", "--json"}));
  bool found = false;
  for (const Json& row : rows)
    if (row.at("problem_class") == "8x7x9 each") {
      found = true;
      EXPECT_EQ(row.at("device"), "3xcpu");
      EXPECT_EQ(row.at("scale"), "weak");
      EXPECT_TRUE(row.at("efficiency_self").is_number()) << row;
    }
  EXPECT_TRUE(found) << rows;
}

TEST(Parts, GoOnByAModelThatIsNoMeasurement) {
  const Folder folder;
  const std::string file = folder.path("r.sextant");
  const Ran ran = run_heat(folder, {"-v", "openmp.mpi", "-n", "16x15x12", "-d", "1xcpu,2xcpu,3xcpu", "-t",
                                    "threads=1", "--scale", "weak"});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Json models = rows_of(run_sextant({"predict", file, "--devices", "1..64,100", "--json"}));
  bool found = false;
  for (const Json& model : models) {
    EXPECT_EQ(model.at("kind"), "model");
    if (!model.contains("rows")) continue;
    found = true;
    EXPECT_EQ(model.at("left_out").at("parts"), 3);
    EXPECT_EQ(model.at("fitted_up_to"), 2);
    EXPECT_TRUE(model.at("left_out").at("error").is_number());
    ASSERT_EQ(model.at("rows").size(), 8u) << model;
    EXPECT_EQ(model.at("rows")[7].at("parts"), 100);
    for (const Json& row : model.at("rows")) {
      EXPECT_EQ(row.at("kind"), "model");
      EXPECT_GT(row.at("time"), 0);
    }
  }
  EXPECT_TRUE(found) << models;
  EXPECT_TRUE(run_sextant({"predict", file}).out.starts_with("Model, no measurement"));
  const Ran exported = run_sextant({"export", file, "--format", "ndjson"});
  EXPECT_EQ(std::count(exported.out.begin(), exported.out.end(), '\n'), 3) << "what was measured alone";
}

TEST(Parts, MoreThanThereArePlanesForAreRefusedWithTheRemedy) {
  const Folder folder;
  const Ran ran = run_heat(folder, {"-v", "openmp.mpi", "-n", "8x7x5", "-d", "2xcpu,4xcpu"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const Ran exported = run_sextant({"export", folder.path("r.sextant"), "--format", "ndjson"});
  std::istringstream lines(exported.out);
  std::string reasons;
  for (std::string line; std::getline(lines, line);)
    if (const Json row = Json::parse(line); row.at("status") == "skipped")
      reasons += row.at("device").get<std::string>() + ": " + row.at("reason").get<std::string>() + "\n";
  test::expect_golden(reasons, "scaling/refusals:planes");
}

TEST(Parts, AreVerified) {
  const Ran ran = run_sextant(
      {"verify", "-k", "triad,npb_ep", "-v", "openmp.mpi", "-n", "1001", "-d", "2xcpu,3xcpu", "--json"},
      politely);
  EXPECT_EQ(ran.exit_code, 0) << ran.err << ran.out;
}

#endif

}  // namespace
}  // namespace sextant
