// Tests of problems that are split over MPI ranks: device names, plans, every variant against the reference
// at odd sizes, and faults of one rank. Tests that start processes need MPI.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <thread>

#include "base/error.hpp"
#include "engine/executor.hpp"
#include "engine/form/warnings.hpp"
#include "engine/parts/rank_runner.hpp"
#include "engine/process/rank_command.hpp"
#include "engine/process/worker_process.hpp"
#include "faults/faults.hpp"
#include "faults/rank_faults.hpp"
#include "golden.hpp"
#include "machine/thread_count.hpp"
#include "parts_cases.hpp"
#include "plan/plan.hpp"
#include "record/json.hpp"
#include "record/json_text.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "registry/registry.hpp"
#include "toolbox/sanitizer.hpp"
#include "toolbox/share.hpp"

namespace sextant {
namespace {

TEST(Place, IsWhatItsTextSays) {
  EXPECT_EQ(parts_of("cpu"), 1);
  EXPECT_EQ(ranks_of("cpu"), 0);
  EXPECT_EQ(ranks_of("4xcpu"), 4);
  EXPECT_EQ(parts_of("12xgpu"), 12);
  EXPECT_TRUE(is_on_cpu("4xcpu"));
  EXPECT_FALSE(is_on_cpu("4xgpu"));
  EXPECT_FALSE(is_on_cpu("gpu0"));
  EXPECT_EQ(place_of("gpu17")->device, 17);
  for (const char* text : {"", "x", "xcpu", "0xcpu", "-1xcpu", "+2xcpu", "02xcpu", "2xcpus", "2cpu", "2x",
                           "gpu", "gpu-1", "gpu01", "cpu0", "99999999999xcpu"})
    EXPECT_FALSE(place_of(text)) << text;
  EXPECT_EQ(places_in("cpu,2xcpu"), (std::vector<std::string>{"cpu", "2xcpu"}));
  EXPECT_EQ(places_in(""), (std::vector<std::string>{""}));
}

TEST(Share, IsAsEvenAsWholeUnitsGo) {
  for (const std::int64_t units : {0, 1, 7, 8, 1000003})
    for (const int parts : {1, 2, 3, 8}) {
      std::int64_t next = 0;
      for (int part = 0; part < parts; ++part) {
        const Share share = share_of(units, parts, part);
        EXPECT_EQ(share.first, next);
        EXPECT_TRUE(share.count == units / parts || share.count == units / parts + 1);
        next += share.count;
      }
      EXPECT_EQ(next, units);
    }
}

TEST(PlanOfParts, HasVariantsOfRanksAtTheirPlacesAlone) {
  std::set<std::string> places;
  for (const Case& one : plan(of_triad("cpu,2xcpu,4xcpu"))) {
    const bool of_ranks = one.variant == "openmp.mpi";
    EXPECT_EQ(of_ranks, ranks_of(one.device) > 0) << one.variant << " " << one.device;
    EXPECT_EQ(one.problem.parts, parts_of(one.device));
    EXPECT_EQ(one.problem.n, 9000);
    places.insert(one.device);
  }
  EXPECT_EQ(places, (std::set<std::string>{"cpu", "2xcpu", "4xcpu"}));
  for (const Case& one : plan(of_triad(""))) EXPECT_NE(one.variant, "openmp.mpi");
}

TEST(PlanOfParts, AreListedWithoutAPlace) {
  Selection selection = of_triad("");
  selection.names_only = true;
  const std::vector<SelectedKernel> chosen = resolve(selection).kernels;
  ASSERT_EQ(chosen.size(), 1u);
  const std::vector<const Variant*>& variants = chosen.front().variants;
  EXPECT_TRUE(std::any_of(variants.begin(), variants.end(),
                          [](const Variant* variant) { return variant->name == "openmp.mpi"; }));
}

TEST(PlanOfParts, SaysHowToAskForRanks) {
  Selection selection = of_triad("");
  selection.variants = {"openmp.mpi"};
  std::string all = said(selection) + "\n";
  selection.device = "cpu";
  all += said(selection) + "\n";
  selection.variants = {"serial"};
  selection.device = "2xcpu";
  all += said(selection) + "\n";
  selection.device = "2cpu";
  all += said(selection) + "\n";
  test::expect_golden(all, "rank/ranks:places");
}

// Needs a build with CUDA.
TEST(PlanOfParts, TellsRanksWithAGpuFromTeamsAndFromRanksOfProcessors) {
  const std::vector<Wide> of_gpus = variants_in_parts(true, true);
  if (of_gpus.empty()) GTEST_SKIP() << "no CUDA";
  for (const Wide& wide : of_gpus)
    EXPECT_TRUE(wide.variant->launch[ElementType::float64])
        << wide.entry->kernel.name << " " << wide.variant->name;
  for (const Variant& variant : find_kernel("all_reduce")->variants)
    if (variant.name.starts_with("cuda.mpi")) {
      EXPECT_FALSE(variant.launch[ElementType::float32]) << "sums by MPI are of doubles";
    }
  std::set<std::string> on_ranks, on_a_team;
  for (const Case& one : plan(of_triad("2xgpu"))) on_ranks.insert(one.variant);
  for (const Case& one : plan(of_triad("gpu0-1"))) on_a_team.insert(one.variant);
  EXPECT_EQ(on_ranks, std::set<std::string>{"cuda.mpi"});
  EXPECT_EQ(on_a_team, std::set<std::string>{"cuda.team"});
  Selection selection = of_triad("");
  selection.variants = {"cuda.mpi"};
  RankRunner runner(one_rank(), [](Stage) {});
  const Measurement measured = runner.run(plan(of_triad("1xgpu")).front(), checks());
  EXPECT_EQ(measured.status, Status::skipped);
  test::expect_golden(test::lines({said(selection), measured.reason}), "rank/ranks:with a GPU each");
}

TEST(PlanOfParts, GrowsAlongTheSlowestAxisWhereItScalesWeakly) {
  Selection selection = of_triad("1xcpu,4xcpu");
  selection.weak_scaling = true;
  const std::vector<Case> cases = plan(selection);
  ASSERT_EQ(cases.size(), 2u);
  EXPECT_EQ(cases[0].problem_class, "");
  EXPECT_EQ(cases[0].problem.n, 9000);
  EXPECT_EQ(cases[1].problem_class, "9000 each");
  EXPECT_EQ(cases[1].problem.n, 36000);
  EXPECT_EQ(cases[1].problem.extents.x, 4 * cases[0].problem.extents.x);
  selection.kernels = {"heat3d_r1"};
  selection.sizes.clear();
  selection.shapes = {{8, 7, 5}};
  const Case heat = plan(selection).back();
  EXPECT_EQ(heat.problem_class, "8x7x5 each");
  EXPECT_EQ(heat.problem.extents, (Extents{8, 7, 20}));
}

// In collective operations, the size is per part. More parts therefore do not change it.
TEST(PlanOfParts, LeavesSizesOfEachPartWhereTheyScaleWeakly) {
  for (const char* kernel : {"all_reduce", "all_to_all", "halo3d"}) {
    if (!find_kernel(kernel)) GTEST_SKIP() << "no patterns in this build";
    Selection selection = of_triad("1xcpu,4xcpu");
    selection.kernels = {kernel};
    selection.variants = {"openmp.*"};
    selection.sizes = {8192};
    selection.weak_scaling = true;
    std::vector<std::string> notes;
    const Case four = plan(selection, &notes).back();
    const bool grows = std::string(kernel) == "halo3d";
    EXPECT_EQ(four.problem_class.ends_with(" each"), grows) << kernel << " " << four.problem_class;
    EXPECT_EQ(notes.empty(), grows) << kernel;
  }
}

// By default, a rank uses all its threads, as a case in one process does.
TEST(CaseOfParts, IsStandardWithAllThreadsOfEachRank) {
  RankRunner runner(one_rank(), [](Stage) {});
  Selection selection = of_triad("1xcpu");
  const auto run_with = [&](int threads) {
    selection.tunings["threads"] = {threads};
    const Measurement measured = runner.run(plan(selection).front(), checks());
    EXPECT_EQ(measured.status == Status::ok, threads <= openmp_threads()) << measured.reason;
    return measured;
  };
  EXPECT_EQ(run_with(openmp_threads()).standard_tuning, true);
  if (openmp_threads() > 1) {
    EXPECT_EQ(run_with(1).standard_tuning, false);
  }
  const Measurement too_many = run_with(openmp_threads() + 1);
  EXPECT_EQ(too_many.status, Status::skipped);
  test::expect_golden(test::without_numbers(too_many.reason), "rank/ranks:threads");
}

TEST(CaseOfParts, HasItsPartsAgainFromItsPlace) {
  const Case one = plan(of_triad("4xcpu")).front();
  EXPECT_EQ(case_from(parse_json(to_json(one))).problem.parts, 4);
  EXPECT_EQ(case_from(parse_json(to_json(one))).device, "4xcpu");
}

// Returns the bytes sent by the part that sends the most.
std::int64_t sent(const char* kernel, Extents extents, int parts,
                  std::array<std::int64_t, 4> parameters = {}) {
  Problem problem = {extents.count(), ElementType::float64, extents, parameters};
  problem.parts = parts;
  return find_kernel(kernel)->kernel.work(problem).bytes_sent;
}

TEST(BytesSent, AreCountedAsByHand) {
  EXPECT_EQ(sent("all_reduce", {1000, 1, 1}, 4), 2 * 750 * 8);
  EXPECT_EQ(sent("all_reduce", {10, 1, 1}, 3), 2 * 7 * 8) << "the part with three of ten";
  EXPECT_EQ(sent("all_to_all", {1000, 1, 1}, 4), 750 * 8);
  EXPECT_EQ(sent("all_to_all", {10, 1, 1}, 3), 2 * 3 * 8) << "pieces of three";
  // Each part has 16 of 32 planes and 4 of 8 rows. It sends 16 x 4 lines of 16 complex numbers once, then 4 x
  // 16 lines twice, and two checksums.
  EXPECT_EQ(sent("npb_ft_field", {16, 8, 32}, 2, {2, 1, 0, 0}), (64 + 2 * 64) * 16 * 16 + 2 * 16);
  EXPECT_EQ(sent("lbm_d3q15", {7, 5, 9}, 2, {10, 800, 1, 0}), 5 * 7 * 5 * 8 * 10) << "walls in z";
  EXPECT_EQ(sent("lbm_d3q15", {7, 5, 9}, 2, {10, 800, 1, 3}), 2 * 5 * 7 * 5 * 8 * 10) << "around";
  // Two variables with a halo of two points. Each of the two parts has 4 planes, and the other part on either
  // side. It sends 2 x 2 planes of 8 x 6 points, plus the halo in x and y.
  EXPECT_EQ(sent("halo3d", {8, 6, 8}, 2, {2, 2, 0, 0}), 2 * 4 * (12 * 10) * 8);
  // Four parts, 2 x 2 in y and z. A part sends all points but its own 8 x 4 x 4 and their halo in x.
  EXPECT_EQ(sent("halo3d", {8, 8, 8}, 4, {2, 2, 0, 0}), 2 * (12 * 8 * 8 - 12 * 4 * 4) * 8);
  EXPECT_EQ(sent("halo3d", {8, 8, 8}, 4, {2, 2, 1, 0}), 2 * 4 * (12 * 12) * 8) << "planes of two points";
  for (const char* kernel : {"all_reduce", "all_to_all", "lbm_d3q15", "npb_ft_field", "halo3d"})
    EXPECT_EQ(sent(kernel, {8, 8, 8}, 1, {1, 1, 0, 3}), 0) << kernel;
}

// Returns all variants for MPI ranks in this build.
std::vector<Wide> wide_variants() { return variants_in_parts(false, true); }

// Needs no MPI, because a single rank has the whole problem.
TEST(OneRank, ComputesWhatTheReferenceSays) {
  ASSERT_FALSE(wide_variants().empty());
  RankRunner runner(one_rank(), [](Stage) {});
  for (const Wide& wide : wide_variants()) {
    int right = 0;
    const std::vector<Case> cases = small_cases(wide, "1xcpu");
    for (const Case& what : cases) {
      const Measurement measured = runner.run(what, checks());
      EXPECT_TRUE(measured.status == Status::ok || measured.status == Status::skipped)
          << key_of(what) << ": " << measured.reason;
      right += measured.status == Status::ok;
    }
    EXPECT_GT(right, cases.size() > 8 ? 5 : 0) << wide.entry->kernel.name << " " << wide.variant->name;
  }
}

// If there are more ranks than cores, times are measured, but with a warning.
TEST(OneRank, SaysThatItHasNotACoreOfItsOwn) {
  RankRunner runner(one_rank(), [](Stage) {});
  Settings settings = checks();
  settings.check_only = false;
  settings.min_samples = settings.max_samples = 3;
  settings.case_seconds = 0.01;
  const auto warned = [&](const char* cores) {
    ::setenv("SEXTANT_RANK_CORES", cores, 1);
    const Measurement measured = runner.run(plan(of_triad("1xcpu")).front(), settings);
    ::unsetenv("SEXTANT_RANK_CORES");
    EXPECT_EQ(measured.status, Status::ok) << measured.reason;
    return std::count(measured.warnings.begin(), measured.warnings.end(),
                      text_of(Warning::shared_cores, "1 ranks use 0.5"));
  };
  EXPECT_EQ(warned("1"), 0);
  EXPECT_EQ(warned("0.5"), 1);
}

TEST(OneRank, SaysThatItsEnergyIsNotMeasured) {
  RankRunner runner(one_rank(), [](Stage) {});
  Settings settings = checks();
  settings.check_only = false;
  settings.min_samples = settings.max_samples = 3;
  settings.case_seconds = 0.01;
  const auto warnings = [&] {
    const Measurement measured = runner.run(plan(of_triad("1xcpu")).front(), settings);
    return std::count(measured.warnings.begin(), measured.warnings.end(),
                      text_of(Warning::no_energy, "it is not measured for ranks or parts"));
  };
  EXPECT_EQ(warnings(), 0);
  settings.energy_windows = all_energy_windows;
  EXPECT_EQ(warnings(), 1);
}

TEST(OneRank, RefusesACaseOfMore) {
  RankRunner runner(one_rank(), [](Stage) {});
  const Measurement measured = runner.run(plan(of_triad("4xcpu")).front(), checks());
  EXPECT_EQ(measured.status, Status::skipped);
  test::expect_golden(measured.reason, "rank/ranks:one");
}

#ifdef SEXTANT_TEST_RANKS

WorkerCommand worker_of_tests() {
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);                       // other tests run at the same time
  ::setenv("SEXTANT_RANKS_TEST", std::to_string(::getpid()).c_str(), 1);  // marks the ranks of this test
  WorkerCommand worker{{test_worker()}};
  worker.rank_program = test_rank();
  return worker;
}

std::vector<Measurement> measure(const std::vector<Case>& cases, const Settings& settings,
                                 const WorkerCommand& worker = worker_of_tests()) {
  std::vector<Measurement> measurements;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& one) { measurements.push_back(one); };
  execute(cases, settings, worker, callbacks);
  return measurements;
}

class RanksOf : public testing::TestWithParam<int> {};

TEST_P(RanksOf, ComputeWhatTheReferenceSays) {
  const std::string device = std::to_string(GetParam()) + "xcpu";
  std::vector<Case> cases;  // all variants at once, so that ranks start only once
  for (const Wide& wide : wide_variants()) {
    const std::vector<Case> own = small_cases(wide, device);
    cases.insert(cases.end(), own.begin(), own.end());
  }
  const std::vector<Measurement> all = measure(cases, checks());
  ASSERT_EQ(all.size(), cases.size());
  std::map<std::string, int> tried, right;
  for (const Measurement& one : all) {
    EXPECT_TRUE(one.status == Status::ok || one.status == Status::skipped)
        << key_of(one.what) << ": " << one.reason;
    if (one.status == Status::skipped) {
      EXPECT_NE(one.reason.find("choose fewer ranks"), std::string::npos) << one.reason;
    }
    const std::string name = one.what.kernel + " " + one.what.variant;
    ++tried[name];
    right[name] += one.status == Status::ok;
  }
  for (const auto& [name, count] : tried)
    EXPECT_GT(right[name], count > 8 ? 5 : 0) << name << " on " << device;
}
// With sanitizers, each number of ranks takes a minute on two cores.
INSTANTIATE_TEST_SUITE_P(Some, RanksOf, testing::Range(address_sanitizer ? 4 : 2, 5));

TEST(Ranks, MeasureTimesAndExchange) {
  Selection selection;
  selection.kernels = {"heat3d_r1"};
  selection.variants = {"openmp.mpi"};
  selection.types = {ElementType::float32};
  selection.shapes = {{64, 64, 64}};
  selection.device = "2xcpu";
  Settings settings;
  settings.min_samples = 5;  // even a loaded machine reaches this: 20 samples take less than ten seconds
  settings.max_samples = 20;
  settings.case_seconds = 10;
  settings.seed = 3;
  const std::vector<Measurement> all = measure(plan(selection), settings);
  ASSERT_EQ(all.size(), 1u);
  const Measurement& m = all.front();
  ASSERT_EQ(m.status, Status::ok) << m.reason;
  EXPECT_GE(m.call_times.size(), 5u);
  EXPECT_GE(m.compute_times.size(), 5u);
  EXPECT_GE(m.exchange_times.size(), 5u);
  EXPECT_EQ(m.work.bytes_sent, 64 * 64 * 4);
  ASSERT_TRUE(m.balance);
  EXPECT_GT(*m.balance, 0);
  EXPECT_LE(*m.balance, 1 + 1e-9);
  ASSERT_EQ(m.each.size(), 2u);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    EXPECT_EQ(m.each[rank].device, "rank " + std::to_string(rank));
    ASSERT_TRUE(m.each[rank].compute && m.each[rank].exchange);
    EXPECT_GT(*m.each[rank].compute, 0);
    EXPECT_LE(*m.each[rank].compute, *std::max_element(m.compute_times.begin(), m.compute_times.end()));
    EXPECT_LE(*m.each[rank].exchange, *std::max_element(m.exchange_times.begin(), m.exchange_times.end()));
    EXPECT_FALSE(m.each[rank].clock || m.each[rank].power) << "a process on cores";
  }
  ASSERT_TRUE(m.cores);
  EXPECT_GT(*m.cores, 0);
  EXPECT_FALSE(m.prepare_times.empty());
}

Case fault(const std::string& variant, const std::string& device = "3xcpu") {
  static const bool added = [] {
    add_rank_faults();
    return true;
  }();
  (void)added;
  Case what;
  what.kernel = "parts";
  what.variant = "openmp." + variant;
  what.problem = {2001, ElementType::float32, find_kernel("parts")->kernel.extents(2001), {}};
  what.device = device;
  what.problem.parts = parts_of(device);
  return what;
}

Settings quick() {
  Settings settings;
  settings.min_samples = 3;
  settings.case_seconds = 0.01;
  settings.timeout = 20;
  settings.seed = 7;
  return settings;
}

TEST(Ranks, AreToldApart) {
  const std::vector<Measurement> all = measure({fault("last_is_slow")}, quick());
  ASSERT_EQ(all.size(), 1u);
  ASSERT_EQ(all[0].status, Status::ok) << all[0].reason;
  const std::vector<Part>& each = all[0].each;
  ASSERT_EQ(each.size(), 3u);
  EXPECT_GE(*each[2].compute, 3e-3);
  for (const std::size_t rank : {0u, 1u}) EXPECT_LT(*each[rank].compute, 2e-3) << rank;
  for (const Part& part : each) EXPECT_LT(*part.exchange, 2e-3) << part.device;
}

// Measures a faulty case between two right ones, and returns its measurement.
Measurement between_right_ones(const std::string& variant, const Settings& settings = quick()) {
  const std::vector<Measurement> all = measure({fault("right"), fault(variant), fault("right")}, settings);
  EXPECT_EQ(all.size(), 3u);
  if (all.size() != 3) return {};
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_EQ(all[2].status, Status::ok) << all[2].reason;
  EXPECT_TRUE(all[1].call_times.empty()) << "timed though not right";
  return all[1];
}

TEST(FaultOfARank, WrongResultsAreSeen) {
  for (const char* variant :
       {"last_element_off", "misses_a_part", "writes_past_its_part", "gathers_nothing", "scatters_nothing"}) {
    const Measurement m = between_right_ones(variant);
    EXPECT_EQ(m.status, Status::wrong) << variant << ": " << m.reason;
    EXPECT_TRUE(m.reason.starts_with("c[")) << variant << ": " << m.reason;
  }
}

// These variants skip work in timed calls. Timing can miss a cheat on a busy machine, so they get several
// tries.
TEST(FaultOfARank, CheatsAreWrong) {
  const auto costly = [](const std::string& variant) {
    Case what = fault(variant, "2xcpu");
    what.kernel = "costly";
    what.problem.n = 200'000;  // long calls, so that work after the barrier at the end is noticed
    what.problem.extents = find_kernel("costly")->kernel.extents(what.problem.n);
    return what;
  };
  const std::map<std::string, int> most_tries = {{"already_there", 1},   {"computes_twice", 1},
                                                 {"keeps_its_first", 1}, {"writes_rubbish", 1},
                                                 {"recognises", 10},     {"joins_later", 10}};
  for (const auto& [cheat, most] : most_tries) {
    Measurement m;
    for (int i = 0; i < most && m.status != Status::wrong; ++i) m = measure({costly(cheat)}, quick()).front();
    EXPECT_EQ(m.status, Status::wrong) << cheat << ": " << m.reason;
    EXPECT_TRUE(m.call_times.empty() && m.seen_times.empty()) << cheat;
  }
  const Measurement honest = measure({costly("honest")}, quick()).front();
  EXPECT_EQ(honest.status, Status::ok) << honest.reason;
}

// Copies of a variant of the build that stop their work after the first calls.
TEST(FaultOfARank, CopiesThatCheatAreWrong) {
  fault("right");  // adds the copies
  for (const Original& original : planted_in_ranks()) {
    if (original.variant != "openmp.mpi") continue;
    std::vector<Case> cases;
    for (const Cheat cheat : original.cheats)
      cases.push_back(planted_case(original, cheat, case_of(original.kernel, original.variant, "2xcpu")));
    std::vector<Measurement> all = measure(cases, quick());
    ASSERT_EQ(all.size(), cases.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Cheat cheat = original.cheats[i];
      for (int again = 1; again < 5 && cheat == Cheat::honest && all[i].status == Status::wrong; ++again)
        all[i] = measure({cases[i]}, quick()).front();
      EXPECT_EQ(unexpected_end(cheat, all[i]), "") << key_of(cases[i]);
    }
  }
}

TEST(FaultOfARank, AChoiceWithoutCodeFailsByName) {
  const Measurement m = between_right_ones("lacks_a_choice");
  EXPECT_EQ(m.status, Status::failed) << m.reason;
  EXPECT_EQ(m.reason, "no code was compiled for the choice 2048, only for 128, 256");
}

TEST(FaultOfARank, ACrashCostsOneCase) {
  for (const char* variant : {"crashes", "leaves"}) {
    const Measurement m = between_right_ones(variant);
    EXPECT_EQ(m.status, Status::failed) << variant << ": " << m.reason;
    EXPECT_NE(m.reason.find("while checking"), std::string::npos) << m.reason;
  }
}

// Returns the number of running ranks that this test started.
int ranks_alive() {
  const std::string mark = "SEXTANT_RANKS_TEST=" + std::to_string(::getpid());
  int alive = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    const std::filesystem::path program = std::filesystem::read_symlink(entry.path() / "exe", error);
    if (error || program != test_rank()) continue;
    std::ifstream file(entry.path() / "environ");
    const std::string environment((std::istreambuf_iterator<char>(file)), {});
    alive += environment.find(mark + '\0') != std::string::npos;
  }
  return alive;
}

TEST(FaultOfARank, AHangCostsOneCaseAndLeavesNoProcess) {
  Settings settings = quick();
  settings.timeout = 8;
  const Measurement m = between_right_ones("hangs", settings);
  EXPECT_EQ(m.status, Status::timed_out) << m.reason;
  test::expect_golden(m.reason, "rank/ranks:hangs");
  EXPECT_EQ(ranks_alive(), 0);
}

TEST(FaultOfARank, WhatOneCannotPrepareIsNotRun) {
  const Measurement m = between_right_ones("one_is_not_prepared");
  EXPECT_EQ(m.status, Status::skipped) << m.reason;
  test::expect_golden(m.reason, "rank/ranks:one is not prepared");
}

TEST(Ranks, TakeTheirOwnCores) {
  if (processors_to_use() < 2) GTEST_SKIP() << "there is one processor";
  ::unsetenv("OMP_PROC_BIND");
  ::unsetenv("OMP_PLACES");
  const std::vector<Measurement> all = measure({fault("has_own_cores", "2xcpu")}, quick());
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
}

// Open MPI 4 creates a folder that all launches of a user share. Two simultaneous launches rarely collide
// there. The test forces a collision by a file at that path in a private temporary folder.
TEST(Ranks, OfTwoSweepsStartAtOnce) {
  std::string temporary = (std::filesystem::temp_directory_path() / "ranks_test-XXXXXX").string();
  ASSERT_TRUE(::mkdtemp(temporary.data()));
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before ? before : "";
  ::setenv("TMPDIR", temporary.c_str(), 1);
  char host[256] = {};
  ::gethostname(host, sizeof host - 1);
  const std::string shared = std::string("ompi.") + std::string(host).substr(0, std::string(host).find('.')) +
                             "." + std::to_string(::getuid());
  std::ofstream(std::filesystem::path(temporary) / shared) << "a file";
  const Case what = fault("right", "2xcpu");
  const WorkerCommand worker = worker_of_tests();
  constexpr int rounds = 4;
  std::array<std::vector<Measurement>, 2> of;
  for (int round = 0; round < rounds; ++round) {
    std::array<std::thread, 2> sweeps;
    for (std::size_t i = 0; i < sweeps.size(); ++i)
      sweeps[i] = std::thread([&, i] {
        const std::vector<Measurement> one = measure({what}, quick(), worker);
        of[i].insert(of[i].end(), one.begin(), one.end());
      });
    for (std::thread& sweep : sweeps) sweep.join();
  }
  for (const std::vector<Measurement>& measured : of) {
    ASSERT_EQ(measured.size(), static_cast<std::size_t>(rounds));
    for (const Measurement& one : measured) EXPECT_EQ(one.status, Status::ok) << one.reason;
  }
  for (const auto& left : std::filesystem::directory_iterator(temporary))
    EXPECT_EQ(left.path().filename(), shared) << "left behind";
  before ? ::setenv("TMPDIR", saved.c_str(), 1) : ::unsetenv("TMPDIR");
  std::filesystem::remove_all(temporary);
}

TEST(Ranks, AndAWorkerByItselfTakeTurns) {
  add_fault_kernels();
  Case alone = fault("right");
  alone.kernel = "fault";
  alone.variant = "serial.right";
  alone.problem = {2000, ElementType::float32, find_kernel("fault")->kernel.extents(2000), {}};
  alone.device = "cpu";
  for (const Measurement& one :
       measure({alone, fault("right"), alone, fault("right", "2xcpu"), alone}, quick()))
    EXPECT_EQ(one.status, Status::ok) << key_of(one.what) << ": " << one.reason;
}

TEST(Ranks, ALauncherThatStartsNoneCostsItsCases) {
  WorkerCommand worker = worker_of_tests();
  worker.launcher = "/bin/false";
  const std::vector<Measurement> all = measure({fault("right")}, quick(), worker);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::failed);
  test::expect_golden(all[0].reason, "rank/ranks:launcher");
}

TEST(Ranks, AreStartedByTheLauncherThatIsNamed) {
  WorkerCommand worker = worker_of_tests();
  worker.launcher = "mpirun --oversubscribe --allow-run-as-root -np {}";
  const std::vector<Measurement> all = measure({fault("right")}, quick(), worker);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
}

#else

TEST(Ranks, NeedMpiAndSayWhyItIsMissing) { EXPECT_NE(why_no_ranks(), ""); }

#endif

}  // namespace
}  // namespace sextant
