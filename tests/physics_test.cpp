// Physics against cases worked by hand, and its limits.
#include "predict/physics.hpp"

#include <gtest/gtest.h>

namespace sextant::predict {
namespace {

constexpr std::int64_t mebi = 1 << 20;

// Every bandwidth 1e10 a core, 4e10 all cores, 1e12 the GPU, at any footprint and share of writes.
Session machine() {
  Session session;
  session.environment = {{"cpu.cores", "4"},
                         {"openmp.threads", "4"},
                         {"cpu.l1_cache", "50000"},
                         {"cpu.l2_cache", "1000000"},
                         {"cpu.last_level_cache", "8000000"},
                         {"gpu0.name", "A GPU"},
                         {"gpu0.multiprocessors", "10"},
                         {"gpu0.l2_cache", "4000000"}};
  session.ceilings = {{"cpu", "read", mebi, 4e10},
                      {"cpu", "read_core", mebi, 1e10},
                      {"cpu", "fp32", 0, 8e11},
                      {"cpu", "fp64", 0, 4e11},
                      {"cpu", "fp32_core", 0, 2e11},
                      {"cpu", "fp64_core", 0, 1e11},
                      {"cpu", "launch_openmp", 0, 2e-6},
                      {"gpu0", "read", mebi, 1e12},
                      {"gpu0", "fp32", 0, 2e13},
                      {"gpu0", "fp64", 0, 1e13},
                      {"gpu0", "launch_cuda", 0, 8e-6},
                      {"gpu0", "launch_openacc", 0, 1e-5},
                      {"gpu0", "h2d_pageable", 100'000'000, 1e10},
                      {"gpu0", "h2d_pageable_latency", 4, 5e-6},
                      {"gpu0", "d2h_pageable", 100'000'000, 2e10},
                      {"gpu0", "d2h_pageable_latency", 4, 6e-6},
                      {"gpu0", "alloc_cuda_time", mebi, 6e-5},
                      {"gpu0", "release_cuda_time", mebi, 1e-4}};
  return session;
}

// c[i] = a[i] + s * b[i] over n doubles an array.
Form triad(std::int64_t n) {
  Form form;
  form.type = ElementType::float64;
  form.extents = {n, 1, 1};
  form.work = {.bytes_read = 16 * n, .bytes_written = 8 * n, .flops = 2 * n, .items = n};
  form.traits = {.loads = 2, .stores = 1, .stride_read = 1, .stride_write = 1, .launches = 1};
  form.arrays_in = 2, form.arrays_out = 1;
  form.bytes_in = 16 * n, form.bytes_out = 8 * n;
  form.working_set = 24 * n;
  return form;
}

constexpr double c = 1 / reached_by_cpu, g = 1 / reached_by_gpu;

void expect_time(double time, double expected) { EXPECT_NEAR(time, expected, 1e-9 * expected); }

double time_of(const Form& form, Option option, Target target = Target::call, double reuse = 1) {
  return physics(form, profile_of(machine()), option, target, reuse).value();
}

TEST(Physics, OfACallIsItsRooflineAndItsLaunch) {
  const Form form = triad(1'000'000);  // 24 MB, 2 MFLOP
  expect_time(time_of(form, Option::serial), c * 2.4e-3);
  expect_time(time_of(form, Option::openmp), 2e-6 + c * 6e-4);
  expect_time(time_of(form, Option::cpu_library), 2e-6 + c * 2.4e-3);  // who knows how many cores share it
  expect_time(time_of(form, Option::cuda), 8e-6 + g * 2.4e-5);
  expect_time(time_of(form, Option::gpu_library), 8e-6 + g * 2.4e-5);
  expect_time(time_of(form, Option::openacc), 1e-5 + g * 2.4e-5);
}

TEST(Physics, TakesArithmeticWhereThatIsMore) {
  Form form = triad(1'000'000);
  form.work.flops = 1'000'000'000;
  expect_time(time_of(form, Option::serial), c * 1e-2);
  expect_time(time_of(form, Option::cuda), 8e-6 + g * 1e-4);
  form.type = ElementType::float32;  // half the time an operation
  expect_time(time_of(form, Option::serial), c * 5e-3);
}

TEST(Physics, OfAWholePassCountsAllocationAndCopiesOnce) {
  const Form form = triad(1'000'000);
  const auto copy = [](double bytes, double latency, double large) {  // on the line that the profile knows
    return latency + (bytes - 4) / (1e8 - 4) * (large - latency);
  };
  const double around =
      6e-5 * 24e6 / mebi + copy(16e6, 5e-6, 1e-2) + copy(8e6, 6e-6, 5e-3) + 1e-4 * 24e6 / mebi;
  EXPECT_NEAR(time_of(form, Option::cuda, Target::whole), around + 8e-6 + g * 2.4e-5, 1e-12);
  EXPECT_NEAR(time_of(form, Option::cuda, Target::whole, 10), around + 10 * (8e-6 + g * 2.4e-5), 1e-12);
  expect_time(time_of(form, Option::serial, Target::whole, 10), c * 2.4e-2);  // nothing to copy
}

TEST(Physics, OfArraysThatAreNotThereHasNoCopies) {
  Form form = triad(1'000'000);
  const double both = time_of(form, Option::cuda, Target::whole);
  form.arrays_in = 0, form.bytes_in = 0;
  const double copied = 5e-6 + (16e6 - 4) / (1e8 - 4) * (1e-2 - 5e-6);  // not even the latency is left
  EXPECT_NEAR(time_of(form, Option::cuda, Target::whole), both - copied, 1e-12);
}

TEST(Physics, OfTimeStepsMovesTheArraysInEachAndStartsEach) {
  Form form = triad(1'000'000);
  form.traits.launches = 100;
  expect_time(time_of(form, Option::serial), c * 100 * 2.4e-3);
  expect_time(time_of(form, Option::cuda), 8e-6 * (1 + 99 * wait_in_cuda) + g * 100 * 2.4e-5);
  form.work.bytes_read *= 100, form.work.bytes_written *= 100;  // a kernel that counts them itself
  expect_time(time_of(form, Option::serial), c * 100 * 2.4e-3);
}

TEST(Physics, OfStridesMovesWholeLinesBeyondTheCache) {
  Form form = triad(1'000'000);
  form.traits.stride_read = 2;
  expect_time(time_of(form, Option::serial), c * (2 * 16e6 + 8e6) / 1e10);
  form.traits.stride_read = 1000;  // no more than a line of eight doubles, a sector of four
  expect_time(time_of(form, Option::serial), c * (8 * 16e6 + 8e6) / 1e10);
  expect_time(time_of(form, Option::cuda), 8e-6 + g * (4 * 16e6 + 8e6) / 1e12);
  form.traits.stride_write = 1000;
  expect_time(time_of(form, Option::serial), c * 8 * 24e6 / 1e10);
  Form small = triad(2'000);  // 48 KB lie beside the core
  small.traits.stride_read = 1000;
  expect_time(time_of(small, Option::serial), c * 4.8e4 / 1e10);
  Form shared = triad(8'000);  // 192 KB beside four cores, which one of them would fetch by lines
  shared.traits.stride_read = 1000;
  expect_time(time_of(shared, Option::openmp), 2e-6 + c * 1.92e5 / 4e10);
  expect_time(time_of(shared, Option::serial), c * (8 * 1.28e5 + 6.4e4) / 1e10);
}

// The machine's profile with caches `faster` times as fast as memory, and threads of its own.
Profile with_caches(double faster, const char* threads = "4", const char* l2_cache = "1000000") {
  Session session = machine();
  session.environment["openmp.threads"] = threads;
  session.environment["cpu.l2_cache"] = l2_cache;
  for (const char* one : {"read", "read_core"})
    for (const std::int64_t bytes : {mebi, 16 * mebi, 17 * mebi})
      session.ceilings.push_back(
          {"cpu", one, bytes, (one[4] ? 1e10 : 4e10) * (bytes > 16 * mebi ? 1 : faster)});
  return profile_of(session);
}

// A column's lines stay in the second cache until the next column asks for what lies beside: memory moves them once.
TEST(Physics, OfWalksAcrossRowsMovesLinesOnceWhereACacheHoldsThem) {
  Form rows = triad(
      5'000'000);  // 120 MB, of which a column touches 15 000 lines: 960 KB, as much as the second cache has
  rows.work.flops = 0;
  const auto time = [&](const Profile& profile, Option option, double stride) {
    rows.traits.stride_read = rows.traits.stride_write = stride;
    return physics(rows, profile, option, Target::call).value();
  };
  expect_time(time(with_caches(4), Option::serial, 1001), c * 8 * 1.2e8 / 4e10);  // each step by the cache
  expect_time(time(with_caches(4), Option::openmp, 1001), 2e-6 + c * 8 * 1.2e8 / 1.6e11);
  expect_time(time(with_caches(16), Option::serial, 1001),
              c * 1.2e8 / 1e10);  // or by memory, which takes longer
  expect_time(time(with_caches(16), Option::serial, 900),
              c * 8 * 1.2e8 / 1e10);  // 1.07 MB: more than it holds
  expect_time(time(with_caches(16), Option::serial, 1024),
              c * 8 * 1.2e8 / 1e10);  // they meet in one set of 128
  expect_time(time(with_caches(16), Option::serial, 5'000'001), c * 8 * 1.2e8 / 1e10);  // places at random
}

// Cores that have one sweep each fetch every line anew.
TEST(Physics, OfWalksThatCoresShareMovesLinesForEach) {
  const auto time = [&](std::int64_t n, const char* threads, const char* l2_cache) {
    Form strided = triad(n);
    strided.traits.stride_read = strided.traits.stride_write = 201;
    return physics(strided, with_caches(16, threads, l2_cache), Option::openmp, Target::call).value();
  };
  EXPECT_LT(time(1'000'000, "4", "1000000"), 0.2 * time(1'000'000, "4", "0"));
  EXPECT_EQ(time(100'000, "201", "1000000"), time(100'000, "201", "0"));
}

TEST(Physics, CountsIntegerOperationsWithArithmetic) {
  Form form = triad(1'000'000);
  form.work.integer_operations = 1'000'000'000;  // half the rate of FLOP in float
  expect_time(time_of(form, Option::serial), c * (2e6 / 1e11 + 1e9 / 1e11));
  expect_time(time_of(form, Option::cuda), 8e-6 + g * (2e6 / 1e13 + 1e9 / 1e13));
}

TEST(Physics, CountsIntegerOperationsByTheirRateWhereItWasMeasured) {
  Form form = triad(1'000'000);
  form.work.flops = 0, form.work.integer_operations = 1'000'000'000;
  Session session = machine();
  session.ceilings.push_back({"cpu", "int32_core", 0, 1e10});
  expect_time(*physics(form, profile_of(session), Option::serial, Target::call), c * 1e9 / 1e10);
}

TEST(Physics, OfSpecialFunctionsCountsManyOperations) {
  Form form = triad(1'000'000);
  form.traits.special_flops = 50;
  EXPECT_GT(time_of(form, Option::serial), c * 40 * 50e6 / 1e11);
  EXPECT_LT(time_of(form, Option::cuda), 8e-6 + g * 10 * 50e6 / 1e13);
}

TEST(Physics, OfLaterPassesWaitsLessThanForALaunch) {
  Form form = triad(1'000'000);
  form.traits.launches = 100;
  expect_time(time_of(form, Option::openmp), 2e-6 * (1 + 99 * wait_in_openmp) + c * 100 * 6e-4);
  expect_time(time_of(form, Option::openacc), 1e-5 * (1 + 99 * wait_in_openacc) + g * 100 * 2.4e-5);
}

// A chain of 1000 steps of 1000 items each: all wait at each step. A tree over them waits once; chains within items are
// their work.
TEST(Physics, OfChainsBetweenItemsWaitsAtEachStep) {
  Form form = triad(1'000'000);
  form.work.flops = 0;
  const double apart = time_of(form, Option::openmp);
  form.traits.depth = 20;  // log2
  const double tree = time_of(form, Option::openmp);
  EXPECT_GT(tree, apart);
  EXPECT_LT(tree, apart + 2e-6);
  form.traits.depth = 1000;
  EXPECT_GT(time_of(form, Option::openmp), apart + 900 * 2e-6 * wait_in_openmp);
  EXPECT_LT(time_of(form, Option::serial), apart + c * 2.4e-3);  // one core waits for nobody
  form.work.flops = 1'000'000'000;
  const double within = time_of(form, Option::cuda);
  form.traits.depth = 1;
  EXPECT_EQ(within, time_of(form, Option::cuda));
}

TEST(Physics, OfSumsInOneCoreTakesAnOperationAfterTheOther) {
  Form form = triad(1'000'000);
  form.work.flops = 100'000'000;
  form.traits.reduction = 1;
  expect_time(time_of(form, Option::serial), 5e-2);
  EXPECT_LT(time_of(form, Option::openmp), 5e-3);
}

TEST(Physics, OfWritesAtRandomHandsLinesFromCoreToCore) {
  Form form = triad(1'000'000);
  form.traits.stride_write = 999'983;
  expect_time(time_of(form, Option::openmp), 2e-6 + 1e6 * 20e-9 / 4);
}

TEST(Physics, OfAccessesThatTheFirstCacheServesTakesItsTime) {
  Form form = triad(10'000);
  form.traits.loads = 1000;
  EXPECT_GT(time_of(form, Option::serial), c * 1000 * 10'000 * 8 / 2 / 1e10);
}

TEST(Physics, OfLittleWorkKeepsFewThreadsBusy) {
  expect_time(time_of(triad(10), Option::openmp), 2e-6 + c * 240 / 1e10);  // one thread's share of 4e10
  const Form form = triad(1000);  // 3000 elements of 20480 that fill the GPU
  expect_time(time_of(form, Option::cuda), 8e-6 + g * 24000 / 1e12 * 20480 / 3000);
}

TEST(Physics, OfWhatTheTraitsLeaveOpenIsTheCheapest) {
  Form form = triad(1'000'000);
  const double known = time_of(form, Option::cuda);
  form.traits = {};
  EXPECT_EQ(time_of(form, Option::cuda), known);
}

TEST(Physics, OfNoWorkIsTheLaunch) {
  const Form nothing;
  EXPECT_EQ(time_of(nothing, Option::serial), 0);
  EXPECT_EQ(time_of(nothing, Option::openmp), 2e-6);
  EXPECT_EQ(time_of(nothing, Option::cuda), 8e-6);
}

TEST(Physics, GrowsWithTheSizeInEveryOption) {
  for (const Option option : all_options)
    for (const Target target : all_targets)
      for (std::int64_t n = 1; n < 100'000'000; n *= 3)
        EXPECT_LE(time_of(triad(n), option, target), time_of(triad(3 * n), option, target))
            << name_of(option) << " " << n;
}

TEST(Physics, SaysNothingOfAMachineThatLacksTheOption) {
  Session session = machine();
  session.environment.erase("gpu0.name");
  const Profile without = profile_of(session);
  for (const Option option : all_options)
    EXPECT_EQ(physics(triad(1000), without, option, Target::call).has_value(), !predict::on_gpu(option));
  EXPECT_EQ(physics(triad(1000), Profile(), Option::serial, Target::call), std::nullopt);
}

TEST(Physics, OfOneCoreWithoutItsCeilingsIsAShareOfAll) {
  Session session = machine();
  std::erase_if(session.ceilings, [](const Ceiling& ceiling) { return ceiling.name.ends_with("_core"); });
  expect_time(*physics(triad(1'000'000), profile_of(session), Option::serial, Target::call), c * 2.4e-3);
}

}  // namespace
}  // namespace sextant::predict
