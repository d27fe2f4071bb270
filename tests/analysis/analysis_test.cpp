// Tests of the values that are computed from samples: rates, ceiling fractions and speed-ups.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analysis/study/amdahl.hpp"
#include "analysis/study/groups.hpp"
#include "analysis/study/study.hpp"
#include "analysis/summary/filter.hpp"
#include "analysis/summary/roofline.hpp"
#include "analysis/summary/summary.hpp"
#include "sample_results.hpp"

namespace sextant {
namespace {

using test::make_case;
using test::make_measurement;
using test::make_session;
using test::samples_around;

std::vector<Ceiling> known_ceilings() {
  return {{"cpu", "read", 1000, 8e9},    {"cpu", "read", 1000000, 2e9},    {"cpu", "copy", 1000, 4e9},
          {"cpu", "copy", 1000000, 1e9}, {"gpu0", "triad", 1 << 20, 4e12}, {"cpu", "fp32", 0, 1e11},
          {"cpu", "fp64", 0, 5e10},      {"cpu", "launch_openmp", 0, 1e-6}};
}

// Returns a session in which `triad` has two variants that prepare for the inputs' structure.
Session session_with_tiles() {
  Session session = make_session();
  session.id = 1;
  session.kernels["triad"].preparations = {{"cuda.tiles", DependsOn::structure},
                                           {"openmp.tiles", DependsOn::structure}};
  return session;
}

TEST(Preparation, OfInputsPaysFromALaunchOn) {
  Results results;
  results.sessions = {session_with_tiles()};
  const auto add = [&](const char* variant, double call, std::vector<double> prepare, double whole) {
    Measurement m = make_measurement(make_case("triad", variant, 7936), call);
    m.prepare_times = std::move(prepare);
    if (whole > 0) m.end_to_end_times = samples_around(whole);
    results.measurements.push_back({std::move(m), 1});
  };
  add("serial.baseline", 1e-3, {}, 0);
  add("openmp.tiles", 0.5e-3, {1e-3}, 1.5e-3);
  add("cuda.tiles", 10e-6, {0.5, 0.1, 0.1}, 0.1001);
  add("cuda.plain", 20e-6, {0.5}, 4e-5);
  add("cuda.slower", 30e-6, {}, 5e-5);
  const std::vector<Summary> all = summarise(results);
  const Summary &openmp = all[1], &tiles = all[2], &plain = all[3];
  EXPECT_EQ(tiles.prepare_depends_on, DependsOn::structure);
  EXPECT_DOUBLE_EQ(tiles.preparation(), 0.1);  // excludes the first preparation of the process
  ASSERT_TRUE(tiles.pays_from.rival);
  EXPECT_EQ(tiles.pays_from.rival->what.variant, "cuda.plain");
  EXPECT_NEAR(static_cast<double>(tiles.pays_from.launches), 0.1 / 10e-6, 1);
  EXPECT_FALSE(plain.pays_from.rival);
  EXPECT_EQ(openmp.pays_from.rival->what.variant, "serial.baseline");  // the rival runs on the same device
  EXPECT_EQ(openmp.pays_from.launches, 2);
  // With transfers, the OpenMP time includes its preparation. Therefore serial code is the best CPU version.
  EXPECT_NEAR(openmp.time_with_transfers().median, 1.5e-3, 1e-9);
  EXPECT_NEAR(plain.speedup_cpu.median, 0.5e-3 / 20e-6, 1e-6);
  EXPECT_NEAR(plain.speedup_cpu_with_transfers.median, 1e-3 / 4e-5, 1e-6);
  // With transfers, the plain variant is the fastest CUDA variant. Without them, tiles are.
  const std::vector<StudyRow> rows = study_rows(all);
  EXPECT_EQ(rows.at(0).best.at("cuda")->measurement->what.variant, "cuda.tiles");
  EXPECT_EQ(rows.at(0).best_with_transfers.at("cuda")->measurement->what.variant, "cuda.plain");
}

TEST(Preparation, NeverPaysIfALaunchIsSlower) {
  Results results;
  results.sessions = {session_with_tiles()};
  for (const auto& [variant, call] : {std::pair("cuda.tiles", 3e-5), std::pair("cuda.plain", 2e-5)}) {
    Measurement m = make_measurement(make_case("triad", variant, 7936), call);
    m.prepare_times = {0.1};
    results.measurements.push_back({std::move(m), 1});
  }
  const Summary tiles = summarise(results).front();
  ASSERT_TRUE(tiles.pays_from.rival);
  EXPECT_EQ(tiles.pays_from.launches, 0);
}

TEST(Roofline, InterpolatesFootprintsByTheirLogarithm) {
  const Roofline cpu(known_ceilings(), "cpu");
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1000, 0), 8e9);
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1000000, 0), 2e9);
  EXPECT_NEAR(*cpu.bandwidth(31623, 0), 5e9,
              1e5);  // half way on the logarithmic scale: the square root of 1000 * 1000000
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1, 0), 8e9);
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1000000000, 0), 2e9);
}

TEST(Roofline, InterpolatesTheTimeOfABytesMix) {
  const Roofline cpu(known_ceilings(), "cpu");
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1000, 0.5), 4e9);
  EXPECT_DOUBLE_EQ(1 / *cpu.bandwidth(1000, 0.25), (1 / 8e9 + 1 / 4e9) / 2);
  EXPECT_DOUBLE_EQ(*cpu.bandwidth(1000, 1), 4e9);  // no write curve exists, so the nearest one (copy) is used
}

TEST(Roofline, KnowsOnlyItsOwnDevice) {
  EXPECT_DOUBLE_EQ(*Roofline(known_ceilings(), "gpu0").bandwidth(5, 0.9), 4e12);
  EXPECT_TRUE(Roofline(known_ceilings(), "gpu1").empty());
  EXPECT_FALSE(Roofline(known_ceilings(), "gpu1").bandwidth(5, 0.9).has_value());
  EXPECT_FALSE(Roofline({}, "cpu").bound({.bytes_read = 1, .flops = 1}, {}, CacheMode::warm).has_value());
}

TEST(Roofline, IntegerOperationsAreHeldAgainstTheirOwnCeiling) {
  std::vector<Ceiling> ceilings = known_ceilings();
  Problem problem;
  problem.n = 250;
  const Work work = {.bytes_read = 1000, .integer_operations = 1000000};
  EXPECT_FALSE(Roofline(ceilings, "cpu").bound(work, problem, CacheMode::warm)->by_arithmetic);
  ceilings.push_back({"cpu", "int32", 0, 4e11});
  const Bound bound = *Roofline(ceilings, "cpu").bound(work, problem, CacheMode::warm);
  EXPECT_DOUBLE_EQ(bound.seconds, 2.5e-6);
  EXPECT_TRUE(bound.by_arithmetic);
}

TEST(Roofline, BoundIsTheSlowerOfMemoryAndArithmetic) {
  const Roofline cpu(known_ceilings(), "cpu");
  Problem problem;
  problem.n = 250;  // 1000 bytes of float
  const Bound memory = *cpu.bound({.bytes_read = 1000, .flops = 1}, problem, CacheMode::warm);
  EXPECT_DOUBLE_EQ(memory.seconds, 1000 / 8e9);
  EXPECT_FALSE(memory.by_arithmetic);
  const Bound cold = *cpu.bound({.bytes_read = 1000, .flops = 1}, problem, CacheMode::cold);
  EXPECT_DOUBLE_EQ(cold.seconds, 1000 / 2e9);
  const Bound arithmetic = *cpu.bound({.bytes_read = 1000, .flops = 1000000}, problem, CacheMode::warm);
  EXPECT_DOUBLE_EQ(arithmetic.seconds, 1e-5);
  EXPECT_TRUE(arithmetic.by_arithmetic);
  problem.type = ElementType::float64;
  EXPECT_DOUBLE_EQ(cpu.bound({.bytes_read = 1000, .flops = 1000000}, problem, CacheMode::warm)->seconds,
                   2e-5);
}

// Builds a results object; each call of `add` adds one measurement.
struct Builder {
  Results results;

  explicit Builder(const std::vector<std::string>& machines = {"alpha"}) {
    for (const std::string& machine : machines) session(machine, "2024-05-01T10:00:00Z");
  }
  std::int64_t session(const std::string& machine, const std::string& started) {
    Session session = make_session(machine, started);
    session.id = static_cast<std::int64_t>(results.sessions.size()) + 1;
    session.kernels["triad"].group = "stream";
    session.kernels["triad"].excluded_from_ranking = {"openmp.reordered"};
    results.sessions.push_back(session);
    return session.id;
  }
  Measurement& add(const std::string& variant, double call_time, std::int64_t in_session = 1,
                   const std::string& kernel = "triad", std::int64_t n = 30000) {
    results.measurements.push_back({make_measurement(make_case(kernel, variant, n), call_time), in_session});
    return results.measurements.back().measurement;
  }
  // The summary of the last measurement.
  Summary last() const { return summarise(results).back(); }
  std::vector<Summary> all() const { return summarise(results); }
};

TEST(Summary, RatesCountTheDevicesTimeIfItIsKnown) {
  Builder b;
  Measurement& m = b.add("cuda.elementwise", 1e-4);
  EXPECT_DOUBLE_EQ(*b.last().bandwidth, 3 * 40000 / 1e-4);
  EXPECT_DOUBLE_EQ(*b.last().flop_rate, 2 * 10000 / 1e-4);
  m.device_times = samples_around(5e-5);
  EXPECT_DOUBLE_EQ(*b.last().bandwidth, 3 * 40000 / 5e-5);
  EXPECT_EQ(b.last().group, "stream");
  EXPECT_EQ(b.last().model, "cuda");
  EXPECT_EQ(b.last().machine, "alpha");
}

TEST(Summary, CountsInHowFarRunsComeOutApart) {
  Builder b;
  b.add("serial.baseline", 1e-3);
  b.add("cuda.elementwise", 1e-3);
  const Interval before = b.all()[0].call_time, gpu = b.all()[1].call_time;
  b.results.sessions.front().environment["run_to_run.cpu"] = "0.1 of 12";
  const std::vector<Summary> all = b.all();
  EXPECT_EQ(all[0].call_time.median, before.median);
  EXPECT_NEAR(all[0].call_time.high / before.median, std::exp(0.2179), 0.01);
  EXPECT_NEAR(all[0].call_time.low / before.median, std::exp(-0.2179), 0.01);
  EXPECT_EQ(all[1].call_time.high, gpu.high);
}

// A rate above what the device can reach is reported.
TEST(Summary, SaysWhatIsFasterThanTheCeilings) {
  const auto says = [](double of_ceiling) {
    Builder b;
    b.results.sessions.front().ceilings = {{"cpu", "read", 1000, 1e9}, {"cpu", "copy", 1000, 1e9}};
    b.add("serial.baseline", 3 * 40000 / (of_ceiling * 1e9));
    const std::vector<std::string> notes = b.last().notes;
    return std::any_of(notes.begin(), notes.end(), [](const std::string& note) {
      return note.find("faster than the ceilings of cpu allow") != std::string::npos;
    });
  };
  EXPECT_FALSE(says(0.9));
  EXPECT_FALSE(says(1.05));
  EXPECT_TRUE(says(1.3));
  EXPECT_TRUE(says(1000));
  const auto is_beyond = [](double of_ceiling, std::int64_t least_footprint) {
    Builder b;
    Measurement& m = b.add("serial.baseline", 3 * 40000 / (of_ceiling * 1e9));
    return held_against({{"cpu", "read", least_footprint, 1e9}, {"cpu", "copy", least_footprint, 1e9}}, m)
        .beyond_ceiling;
  };
  EXPECT_FALSE(is_beyond(1.04, 1000));
  EXPECT_TRUE(is_beyond(1.3, 1000));
  EXPECT_FALSE(is_beyond(1.3, 1 << 20));  // the case is smaller than all measured ceilings
}

TEST(Summary, ASessionSaysWhatItsKernelsAre) {
  Builder b;
  KernelDescription foreign;
  foreign.group = "trees";
  foreign.parameters = {"depth", "fan"};
  foreign.excluded_from_ranking = {"openmp.shuffled"};
  b.results.sessions[0].kernels["walk"] = foreign;
  b.session("alpha", "2024-05-02T10:00:00Z");  // this session has no kernel descriptions
  b.add("openmp.shuffled", 1e-4, 1, "walk").what.problem.parameters = {5, 2, 9};
  b.add("openmp.shuffled", 1e-4, 2, "walk", 60000).what.problem.parameters = {5, 2, 9};
  const std::vector<Summary> all = b.all();
  EXPECT_EQ(all[0].group, "trees");
  EXPECT_TRUE(all[0].excluded_from_ranking);
  EXPECT_EQ(parameters_of(all[0]),
            (std::vector<std::pair<std::string, std::int64_t>>{{"depth", 5}, {"fan", 2}}));
  EXPECT_EQ(all[1].description, nullptr);
  EXPECT_EQ(all[1].group, "");
  EXPECT_FALSE(all[1].excluded_from_ranking);
  EXPECT_TRUE(parameters_of(all[1]).empty());
}

TEST(Summary, NothingIsMadeOfWhatWasNotMeasured) {
  Builder b;
  Measurement& m = b.add("cuda.elementwise", 1e-4);
  m.work = {};
  const Summary s = b.last();
  EXPECT_FALSE(s.bandwidth || s.flop_rate || s.ceiling_fraction || s.h2d_time || s.d2h_pinned_time ||
               s.h2d_bytes);
  EXPECT_FALSE(s.registers || s.shared_memory || s.occupancy);
  EXPECT_EQ(s.device_time.samples + s.alloc_time.samples + s.end_to_end_time.samples, 0u);
  EXPECT_EQ(s.speedup_serial.samples + s.speedup_cpu.samples + s.speedup_serial_with_transfers.samples, 0u);
  EXPECT_EQ(s.notes.size(), 4u);  // one note each: ceiling, transfers, serial, CPU
}

TEST(Summary, TransfersAreSumsOverArraysOfOneMethod) {
  Builder b;
  const std::vector<Transfer> transfers = {
      {"a", true, "pageable", 100, {1, 2, 3}}, {"b", true, "pageable", 50, {10}},
      {"c", false, "pageable", 7, {5}},        {"a", true, "pinned", 100, {0.5}},
      {"c", false, "pinned", 7, {0.25}},       {"a", true, "directive", 100, {40}}};
  b.add("cuda.elementwise", 1e-4).transfers = transfers;
  const Summary cuda = b.last();
  EXPECT_DOUBLE_EQ(*cuda.h2d_time, 12);
  EXPECT_DOUBLE_EQ(*cuda.d2h_time, 5);
  EXPECT_DOUBLE_EQ(*cuda.h2d_pinned_time, 0.5);
  EXPECT_DOUBLE_EQ(*cuda.d2h_pinned_time, 0.25);
  EXPECT_EQ(*cuda.h2d_bytes, 150);
  EXPECT_EQ(*cuda.d2h_bytes, 7);
  b.add("openacc.parallel_loop", 1e-4).transfers = transfers;
  EXPECT_DOUBLE_EQ(*b.last().h2d_time, 40);
  EXPECT_FALSE(b.last().d2h_time.has_value());
}

TEST(Summary, LaunchFiguresAreTheLongestKernels) {
  Builder b;
  b.add("cuda.elementwise", 1e-4).launches = {{"small", {}, {}, 10, 0, 1, 1e-6},
                                              {"big", {}, {}, 40, 512, 0.5, 9e-6}};
  EXPECT_EQ(*b.last().registers, 40);
  EXPECT_EQ(*b.last().shared_memory, 512);
  EXPECT_DOUBLE_EQ(*b.last().occupancy, 0.5);
}

TEST(Summary, CeilingFractionHoldsTheDevicesTimeAgainstItsOwnCeiling) {
  Builder b;
  b.results.sessions[0].ceilings = {{"gpu0", "triad", 1 << 16, 4e9}, {"cpu", "triad", 1 << 16, 1e9}};
  b.add("cuda.elementwise", 1e-4).device_times = samples_around(6e-5);
  EXPECT_NEAR(*b.last().ceiling_fraction, 120000 / 4e9 / 6e-5, 1e-12);
  b.add("openmp.simd", 3e-4);
  EXPECT_NEAR(*b.last().ceiling_fraction, 120000 / 1e9 / 3e-4, 1e-12);
}

// Double-precision work on tensor cores has a separate ceiling. A fraction above 1 needs a reason.
TEST(Summary, MatrixUnitsAreHeldAgainstTheirOwnCeiling) {
  Builder b;
  b.results.sessions[0].ceilings = {{"gpu0", "fp64", 0, 1e12}, {"gpu0", "fp64_tensor", 0, 2e12}};
  Measurement& m = b.add("cuda.tensor", 1e-4);
  m.what.problem.type = ElementType::float64;
  m.work = {.flops = 120000000};
  EXPECT_NEAR(*b.last().ceiling_fraction, 0.6, 1e-9);  // 1.2e12 FLOP/s exceeds the plain fp64 ceiling
  m.work.flops = 90000000;
  EXPECT_NEAR(*b.last().ceiling_fraction, 0.9, 1e-9);
  m.launches = {{"gemm_tensor16x8x16", {}, {}, 0, 0, 0, 1e-4}};
  EXPECT_NEAR(*b.last().ceiling_fraction, 0.45, 1e-9);
  m.work.flops = 206000000;
  EXPECT_EQ(b.last().above_ceiling, "at its ceiling: two measurements of a ceiling differ by as much");
  m.work.flops = 100000000;
  EXPECT_EQ(b.last().above_ceiling, "");
  m.what.problem.type = ElementType::float32;
  EXPECT_FALSE(b.last().matrix_units);
}

// A float product that is built from several 16-bit products has the ceiling of 16-bit products. Without that
// ceiling, no rate counts as impossible.
TEST(Summary, FloatsOnMatrixUnitsAreHeldAgainstThoseOf16Bits) {
  Builder b;
  b.results.sessions[0].ceilings = {{"gpu0", "fp32", 0, 1e12}};
  Measurement& m = b.add("cuda.split_tensor", 1e-4);
  m.what.problem.type = ElementType::float32;
  m.work = {.flops = 300000000};  // three times the fp32 ceiling
  m.launches = {{"split_tensor", {}, {}, 0, 0, 0, 1e-4}};
  EXPECT_EQ(b.last().why_impossible, "");
  b.results.sessions[0].ceilings.push_back({"gpu0", "bf16_tensor", 0, 10e12});
  EXPECT_NEAR(*b.last().ceiling_fraction, 0.3, 1e-9);
  EXPECT_TRUE(b.last().matrix_units);
  m.work.flops = 2100000000;
  EXPECT_EQ(b.last().why_impossible, "100 µs, where the arithmetic of gpu0 allows at least 210 µs");
}

TEST(Summary, WhatIsTwiceAsFastAsItsCeilingsAllowIsImpossible) {
  Builder b;
  b.results.sessions[0].ceilings = {{"gpu0", "triad", 1 << 10, 4e9}, {"cpu", "triad", 1 << 10, 4e9}};
  b.add("serial.baseline", 1e-4);
  const auto with_time = [&](double seconds) {
    b.add("cuda.elementwise", seconds).device_times = samples_around(seconds);
    return b.last();
  };
  EXPECT_EQ(with_time(3e-5 / 1.9).why_impossible, "");  // at the ceiling, 120000 bytes take 30 us
  EXPECT_GT(with_time(3e-5 / 1.9).speedup_serial.samples, 0u);
  const Summary impossible = with_time(3e-5 / 2.2);
  EXPECT_EQ(impossible.why_impossible, "13.6 µs, where the memory of gpu0 allows at least 30 µs");
  EXPECT_FALSE(impossible.ok());
  EXPECT_EQ(impossible.speedup_serial.samples, 0u);
  b.results.sessions[0].kernels["triad"].preparations["cuda.elementwise"] = DependsOn::structure;
  EXPECT_EQ(with_time(3e-5 / 3.5).why_impossible, "");  // what it prepared may be shorter than the arrays
  EXPECT_NE(with_time(3e-5 / 4.5).why_impossible, "");
  b.results.sessions[0].kernels["triad"].preparations["cuda.elementwise"] = DependsOn::values;
  EXPECT_NE(with_time(3e-5 / 2.2).why_impossible, "");
}

// A CPU ceiling that was measured too low must not make a case look impossible.
TEST(Summary, OneCeilingThatRanSlowMakesNothingOnTheCpuImpossible) {
  Builder b;
  std::vector<Ceiling>& ceilings = b.results.sessions[0].ceilings;
  ceilings = {{"cpu", "triad", 1 << 10, 4e8}, {"cpu", "triad", 1 << 20, 4e9}};
  const auto with_time = [&](double seconds) {
    b.add("openmp.simd", seconds);
    return b.last();
  };
  EXPECT_EQ(with_time(3e-5).why_impossible, "");  // 120000 bytes at 4 GB/s, the rate of the larger footprint
  EXPECT_NE(with_time(3e-5 / 2.2).why_impossible, "");
  ceilings = {{"cpu", "triad", 1 << 10, 4e8}, {"cpu", "triad_core", 1 << 10, 4e9}};
  EXPECT_EQ(with_time(3e-5).why_impossible, "");
  EXPECT_NE(with_time(3e-5 / 2.2).why_impossible, "");
  ceilings = {{"cpu", "triad", 1 << 10, 4e8},
              {"cpu", "triad", 1 << 9, 4e9}};  // ceilings of smaller footprints do not count
  EXPECT_NE(with_time(3e-5).why_impossible, "");
}

TEST(Summary, WhatTakesAFewLaunchesIsBoundByThem) {
  Builder b;
  b.results.sessions[0].ceilings = {{"gpu0", "triad", 1 << 16, 1e12},
                                    {"gpu0", "launch_cuda", 0, 1e-5},
                                    {"gpu0", "launch_openacc", 0, 2e-5}};
  EXPECT_EQ((b.add("cuda.elementwise", 3e-5), b.last().limit), Limit::launch);
  EXPECT_EQ((b.add("cuda.elementwise", 5e-5), b.last().limit), Limit::memory);
  EXPECT_EQ((b.add("openacc.loop", 5e-5), b.last().limit), Limit::launch);
  EXPECT_EQ((b.add("cuda.elementwise", 2e-7), b.last().limit), Limit::memory);  // 60 % of the ceiling
  Measurement& counted = b.add("cuda.elementwise", 5e-5);
  counted.counters = {{"dram_bytes_read", 1e6}, {"dram_bytes_written", 1e6}};  // 40 GB/s of 1 TB/s
  EXPECT_EQ(b.last().limit, Limit::launch);
  counted.counters = {{"dram_bytes_read", 2e7}, {"dram_bytes_written", 1e7}};
  EXPECT_EQ(b.last().limit, Limit::memory);
}

TEST(Summary, CeilingsOfAnEarlierSessionOfTheMachineServe) {
  Builder b({"alpha", "beta"});
  b.results.sessions[0].ceilings = {{"cpu", "triad", 1 << 16, 1e9}};
  b.results.sessions[1].ceilings = {{"cpu", "triad", 1 << 16, 7e9}};
  b.add("openmp.simd", 3e-4, b.session("alpha", "2024-05-02T10:00:00Z"));
  EXPECT_NEAR(*b.last().ceiling_fraction, 120000 / 1e9 / 3e-4, 1e-12);
  b.add("openmp.simd", 3e-4, b.session("gamma", "2024-05-02T10:00:00Z"));
  EXPECT_FALSE(b.last().ceiling_fraction.has_value());
}

TEST(Summary, SpeedupsNameTheirBaselines) {
  Builder b;
  b.add("serial.baseline", 8e-3);
  b.add("openmp.simd", 2e-3);
  b.add("library.openblas", 1e-3);
  b.add("cuda.elementwise", 1e-4).end_to_end_times = samples_around(4e-3);
  const Summary cuda = b.last();
  EXPECT_NEAR(cuda.speedup_serial.median, 80, 1e-9);
  EXPECT_NEAR(cuda.speedup_cpu.median, 10, 1e-9);
  EXPECT_NEAR(cuda.speedup_serial_with_transfers.median, 2, 1e-9);
  EXPECT_NEAR(cuda.speedup_cpu_with_transfers.median, 0.25, 1e-9);
  EXPECT_LT(cuda.speedup_serial.low, 80);
  EXPECT_GT(cuda.speedup_serial.high, 80);
  EXPECT_NEAR(b.all()[1].speedup_serial_with_transfers.median, 4, 1e-9);  // the host has no transfers
  EXPECT_EQ(b.all()[0].speedup_serial.low, 1);                            // compared with itself: exactly 1
  EXPECT_EQ(b.all()[0].speedup_serial.high, 1);
  EXPECT_NEAR(b.all()[0].speedup_cpu.median, 0.125, 1e-9);
}

TEST(Summary, OnlyTheSameProblemOnTheSameMachineIsABaseline) {
  Builder b({"alpha", "beta"});
  b.add("serial.baseline", 1, 2);                  // another machine
  b.add("serial.baseline", 1, 1, "copy");          // another kernel
  b.add("serial.baseline", 1, 1, "triad", 60000);  // another size
  b.add("serial.baseline", 1).what.cache = CacheMode::cold;
  b.add("serial.baseline", 1).what.fill = InputFill::zeros;
  b.add("serial.baseline", 1).what.problem.type = ElementType::float64;
  b.add("cuda.elementwise", 1e-4);
  EXPECT_EQ(b.last().speedup_serial.samples, 0u);
  EXPECT_EQ(b.last().speedup_cpu.samples, 0u);
}

TEST(StudyRows, AreApartForOtherInputs) {
  Builder b;
  b.add("serial.baseline", 8e-3);
  b.add("openmp.simd", 4e-3).what.fill = InputFill::zeros;
  b.add("openmp.simd", 2e-3);
  const std::vector<Summary> all = b.all();
  const std::vector<StudyRow> rows = study_rows(all);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].all.size(), 2u);
  EXPECT_EQ(rows[1].fill, InputFill::zeros);
  EXPECT_EQ(short_name_of(rows[0]), "triad float");
  EXPECT_EQ(short_name_of(rows[1]), "triad float, inputs all zeros");
  EXPECT_EQ(conditions_of(rows[0]), "");
  EXPECT_EQ(conditions_of(rows[1]), ", inputs all zeros");
  EXPECT_EQ(study_groups(rows).size(), 2u);
  EXPECT_EQ(with_usual_inputs(rows).size(), 1u);
  EXPECT_EQ(with_usual_inputs(all).size(), 2u);
  EXPECT_EQ(amdahl_cases(rows, AmdahlBaseline::best_cpu).size(), 1u);
}

TEST(Summary, WrongFailedAndExcludedVariantsAreNoBaselinesAndGetNoSpeedup) {
  for (const Status status : {Status::wrong, Status::failed, Status::skipped, Status::timed_out}) {
    Builder b;
    b.add("serial.baseline", 8e-3);
    b.add("openmp.simd", 1e-3).status = status;
    EXPECT_EQ(b.last().speedup_serial.samples, 0u);
    EXPECT_FALSE(b.last().bandwidth.has_value());
    b.add("cuda.elementwise", 1e-3);
    EXPECT_NEAR(b.last().speedup_cpu.median, 8, 1e-9);
    b.results.measurements[0].measurement.status = status;
    EXPECT_EQ(b.last().speedup_serial.samples, 0u);
    EXPECT_EQ(b.last().speedup_cpu.samples, 0u);
  }
  Builder b;
  b.add("serial.baseline", 8e-3);
  b.add("openmp.reordered", 1e-6);
  b.add("cuda.elementwise", 1e-3);
  EXPECT_TRUE(b.all()[1].excluded_from_ranking);
  EXPECT_NEAR(b.last().speedup_cpu.median, 8, 1e-9);
}

TEST(Summary, ThreadsOfACaseAreThoseOfItsLibraryAndSession) {
  const Environment environment = {{"openmp.threads", "8"},
                                   {"openblas.threads", "4"},
                                   {"fftw.threads", "2"},
                                   {"env.OMP_PROC_BIND", "spread"},
                                   {"env.OMP_PLACES", "cores"}};
  const auto text = [&](const char* variant) {
    return text_of(threads_of(environment, make_case("triad", variant, 300)));
  };
  EXPECT_EQ(text("openmp.simd"), "8 OMP_PROC_BIND=spread");
  EXPECT_EQ(text("library.openblas"), "4");
  EXPECT_EQ(text("library.fftw_planned"), "2 OMP_PROC_BIND=spread");
  for (const char* variant : {"serial.native", "library.memcpy", "cuda.vector", "openacc.kernels"})
    EXPECT_EQ(text(variant), "") << variant;
  EXPECT_EQ(text("stdpar.transform"), "8") << "free to run on all processors";
  EXPECT_EQ(text_of(threads_of({{"openmp.threads", "8"}, {"env.OMP_PROC_BIND", "close"}},
                               make_case("triad", "openmp.simd", 300))),
            "8");  // the value that Sextant sets itself
  Case fewer = make_case("triad", "openmp.simd", 300);
  fewer.tuning = {{"tile", 1}, {"threads", 3}};
  EXPECT_EQ(text_of(threads_of(environment, fewer)),
            "3 OMP_PROC_BIND=spread");  // the case's own number of threads
  fewer.thread_library = ThreadLibrary::openblas;
  EXPECT_EQ(text_of(threads_of(environment, fewer)), "4");
  Case said = make_case("triad", "openmp.one_thread", 300);
  said.thread_library = ThreadLibrary::none;
  EXPECT_EQ(text_of(threads_of(environment, said)), "") << "its name does not count";
}

// Two sessions on one machine, with 2 and 4 threads, and a GPU.
Results several_threads() {
  Results results;
  const auto add = [&](std::int64_t session, const char* variant, double time) {
    Measurement m = make_measurement(make_case("triad", variant, 300), time);
    m.end_to_end_times = m.call_times;
    results.measurements.push_back({std::move(m), session});
  };
  for (const char* threads : {"2", "4"}) {
    Session session = make_session();
    session.id = static_cast<std::int64_t>(results.sessions.size()) + 1;
    session.environment["openmp.threads"] = threads;
    results.sessions.push_back(session);
  }
  add(1, "serial.baseline", 8);
  add(1, "openmp.simd", 4);
  add(1, "cuda.vector", 1);
  add(2, "openmp.simd", 2);
  return results;
}

TEST(Summary, FilterTakesOldNamesOfTunables) {
  Results results;
  results.sessions = {make_session()};
  results.sessions[0].id = 1;
  for (const int distance : {8, 32})
    results.measurements.push_back(
        {make_measurement(make_case("gather_random", "openmp.prefetch", 300, ElementType::float32,
                                    {{"prefetch_distance", distance}}),
                          1e-3),
         1});
  for (const char* name : {"ahead", "prefetch_distance"}) {
    Selection selection;
    selection.tunings = {{name, {32}}};
    const std::vector<Summary> left = filter(summarise(results), selection);
    ASSERT_EQ(left.size(), 1u) << name;
    EXPECT_EQ(left[0].measurement->what.tuning[0].second, 32);
  }
}

TEST(Summary, TheBestCpuVersionHasACasesOwnThreads) {
  const Results results = several_threads();
  const std::vector<Summary> all = summarise(results);
  for (const Summary& s : all) EXPECT_TRUE(s.current);
  EXPECT_DOUBLE_EQ(all[1].speedup_cpu.median, 1);
  EXPECT_DOUBLE_EQ(all[3].speedup_cpu.median, 1);
  EXPECT_DOUBLE_EQ(all[2].speedup_cpu.median, 2);  // this case has no thread count, so all CPU versions count
}

TEST(Summary, RowsOfSeveralThreadsAreApart) {
  const Results results = several_threads();
  const std::vector<Summary> all = summarise(results);
  const std::vector<StudyRow> rows = study_rows(all);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].threads, "2");
  EXPECT_EQ(rows[1].threads, "4");
  EXPECT_EQ(conditions_of(rows[1]), ", 4 threads");
  for (const StudyRow& row : rows) {
    ASSERT_EQ(row.all.size(), 3u);  // cases without threads are in both rows
    const double openmp = row.best.at("openmp")->call_time.median;
    EXPECT_DOUBLE_EQ(openmp, row.threads == "2" ? 4 : 2);
    EXPECT_DOUBLE_EQ(row.best.at("cuda")->speedup_cpu.median, openmp);
    EXPECT_DOUBLE_EQ(row.best.at("serial")->speedup_cpu.median, openmp / 8);
  }
  EXPECT_EQ(study_groups(rows).size(), 2u);
}

TEST(Summary, CallsThatOtherGpusMovedAreNotTheBestWhereOneIsUndisturbed) {
  Builder b;
  b.add("cuda.elementwise", 1e-3).isolation = Isolation::calls_disturbed;
  b.add("cuda.vector", 2e-3).isolation = Isolation::calls_alone;
  b.add("cuda.unrolled", 1.5e-3).isolation = Isolation::calls_disturbed;
  const std::vector<Summary> all = b.all();
  const std::vector<StudyRow> rows = study_rows(all);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].best.at("cuda")->measurement->what.variant, "cuda.vector");
  b.results.measurements[1].measurement.status = Status::failed;
  const std::vector<Summary> disturbed = b.all();
  EXPECT_EQ(study_rows(disturbed)[0].best.at("cuda")->measurement->what.variant, "cuda.elementwise");
}

TEST(Summary, ALaterMeasurementOfTheSameCaseCounts) {
  Builder b;
  b.add("serial.baseline", 8e-3);
  b.add("serial.baseline", 4e-3, b.session("alpha", "2024-05-02T10:00:00Z"));
  b.add("cuda.elementwise", 1e-3);
  EXPECT_FALSE(b.all()[0].current);
  EXPECT_TRUE(b.all()[1].current);
  EXPECT_NEAR(b.last().speedup_serial.median, 4, 1e-9);
  std::swap(b.results.measurements[0],
            b.results.measurements[1]);  // swapped, because the order in the file must not matter
  EXPECT_NEAR(b.last().speedup_serial.median, 4, 1e-9);
}

// Returns one problem's results from 8 processes, whose log times differ by up to `between`.
Results visited_results(double between, const std::vector<std::pair<std::string, double>>& times) {
  Results results;
  Session session = make_session();
  session.id = 1;
  session.environment["run.visits"] = "8";
  results.sessions.push_back(session);
  for (const auto& [variant, seconds] : times) {
    Measurement m = make_measurement(make_case("triad", variant, 30000), seconds);
    for (int process = 1; process < 8; ++process)
      m.visits.push_back({process, {seconds * std::exp(between * std::sin(3.7 * process + seconds * 1e4))}});
    results.measurements.push_back({m, 1});
  }
  return results;
}

TEST(Outcome, IsThatOfEachCaseAgainstTheFastest) {
  const auto names = [](const Results& results) {
    std::map<std::string, std::string> named;
    for (const Summary& s : summarise(results)) named[s.measurement->what.variant] = s.outcome.name;
    return named;
  };
  const std::vector<std::pair<std::string, double>> apart = {
      {"serial.baseline", 3e-3}, {"serial.native", 2e-3}, {"openmp.simd", 1e-3}};
  EXPECT_EQ(names(visited_results(0.01, apart)),
            (std::map<std::string, std::string>{
                {"serial.baseline", "slower"}, {"serial.native", "slower"}, {"openmp.simd", "fastest"}}));
  const std::vector<std::pair<std::string, double>> close = {
      {"serial.baseline", 3e-3}, {"serial.native", 1.004e-3}, {"openmp.simd", 1e-3}};
  EXPECT_EQ(names(visited_results(0.001, close))["openmp.simd"], "equal");
  EXPECT_EQ(names(visited_results(0.001, close))["serial.native"], "equal");
  EXPECT_EQ(names(visited_results(0.3, close))["openmp.simd"], "open");
  EXPECT_EQ(names(visited_results(0.3, {{"serial.baseline", 1e-3}}))["serial.baseline"], "");
  const std::vector<Summary> all = summarise(visited_results(0.01, apart));
  EXPECT_NEAR(all[1].outcome.over_fastest.median, 2, 0.1);
  EXPECT_STREQ(all[1].outcome.by, "call");
}

TEST(Outcome, TheMarginOfEqualIsAskedFor) {
  const std::vector<std::pair<std::string, double>> close = {{"serial.native", 1.05e-3},
                                                             {"openmp.simd", 1e-3}};
  const auto name = [&] { return std::string(summarise(visited_results(0.001, close))[0].outcome.name); };
  EXPECT_EQ(name(), "slower");
  set_equal_within(0.2);
  EXPECT_EQ(name(), "equal");
  set_equal_within(0.03);
}

}  // namespace
}  // namespace sextant
