// Tests of the analytic model against hand-computed cases, and of its limits.
#include "predict/analytic_model.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "standard_model.hpp"

namespace sextant::predict {
namespace {

constexpr std::int64_t mebi = 1 << 20;

// A machine with 1e10 bytes/s per core, 4e10 for all cores and 1e12 for the GPU, at any footprint and share
// of writes.
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

// The features of c[i] = a[i] + s * b[i] with n doubles per array.
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

// Slowdown relative to the ceilings: memory (c) and arithmetic (a) on the CPU, and (g, ga) on the GPU.
constexpr double c = 1 / of_plain_code.memory, a = 1 / of_plain_code.arithmetic, g = 1 / of_gpu.memory,
                 ga = 1 / of_gpu.arithmetic;

constexpr double start_of_call = 1e-8;  // seconds, for serial code

void expect_time(double time, double expected) {
  EXPECT_NEAR(time, expected, 1e-9 * expected + 1.01 * start_of_call);
}

double time_of(const Form& form, Option option, Target target = Target::call, double reuse = 1) {
  return analytic_time(form, profile_of(machine()), option, target, reuse).value();
}

// Returns the time on a machine whose L1 caches deliver 1e12 bytes/s.
double time_near(const Form& form, Option option) {
  Session session = machine();
  for (const char* one : {"read", "read_core"}) session.ceilings.push_back({"cpu", one, 32 << 10, 1e12});
  return analytic_time(form, profile_of(session), option, Target::call).value();
}

TEST(AnalyticModel, OfACallIsItsRooflineAndItsLaunch) {
  const Form form = triad(1'000'000);  // 24 MB, 2 MFLOP
  expect_time(time_of(form, Option::serial), c * 2.4e-3);
  expect_time(time_of(form, Option::openmp), 2e-6 + c * 6e-4);
  expect_time(time_of(form, Option::cuda), 8e-6 + g * 2.4e-5);
  expect_time(time_of(form, Option::openacc), 1e-5 + g * 2.4e-5);
}

// A CPU library starts no threads if one core is faster, and it is vectorized by hand. A GPU library makes
// more launches.
TEST(AnalyticModel, OfALibraryIsTheBetterOfOneCoreAndAll) {
  const double small = time_of(triad(1000), Option::cpu_library);
  EXPECT_LT(small, time_of(triad(1000), Option::serial) + 2e-7);
  EXPECT_LT(small, time_of(triad(1000), Option::openmp) + 1e-6);
  Form product = triad(1'000'000);
  product.work.flops = 10'000'000'000, product.traits.loads = 10'000;
  EXPECT_LT(time_of(product, Option::cpu_library), time_of(product, Option::serial) / 2);
  expect_time(time_of(product, Option::gpu_library), 1.4 * time_of(product, Option::cuda));
  expect_time(time_of(triad(1000), Option::gpu_library), 1.4 * time_of(triad(1000), Option::cuda));
  Form chain = triad(10'000);
  chain.traits.depth = 100;  // for dependent items, the library is no faster than a plain loop
  expect_time(time_of(chain, Option::cpu_library), 2e-6 + time_of(chain, Option::serial));
  chain = triad(1'000'000);
  chain.traits.depth = 1000;  // the threads wait after each step, however short it is
  EXPECT_GT(time_of(chain, Option::cpu_library),
            900 * 6 * 2e-6 / 2);  // half of the usual wait, because there are only four threads
  chain.work.flops = 500'000'000, chain.traits.loads = 1000;  // threads pay off if the steps are long
  EXPECT_LT(time_of(chain, Option::cpu_library), time_of(chain, Option::serial) / 2);
  Form scan = triad(1'000'000);
  scan.traits.depth = 20;  // a depth of log2(items) is a scan, which threads share
  expect_time(time_of(scan, Option::cpu_library), 2e-6 + time_of(scan, Option::openmp));
}

// One core computes few transforms. Many transforms are shared by all cores.
TEST(AnalyticModel, OfALibrarysTransformsIsSharedByAllCores) {
  Form form = triad(1'000);
  form.traits = {.loads = 32, .stores = 22, .stride_read = 2, .stride_write = 2, .launches = 1, .depth = 10};
  form.work.flops = 50'000;
  const double alone = time_near(form, Option::cpu_library);
  EXPECT_NEAR(alone, 2.5 * 50'000 / (0.4 * 1e11), 1e-7);
  form.work.flops *= 1'000, form.work.items *= 1'000;
  EXPECT_NEAR(time_near(form, Option::cpu_library), 1.3 * 1'000 * alone / 4, 0.1 * 1'000 * alone / 4);
}

TEST(AnalyticModel, TakesArithmeticWhereThatIsMore) {
  Form form = triad(1'000'000);
  form.work.flops = 1'000'000'000;
  form.traits.loads = Traits::not_known;
  expect_time(time_of(form, Option::serial), a * 1e-2);
  expect_time(time_of(form, Option::cuda), 8e-6 + ga * 1e-4);
  form.type = ElementType::float32;  // a float operation takes half the time
  expect_time(time_of(form, Option::serial), a * 5e-3);
}

// More operations per memory access reach a higher fraction of the peak rate.
TEST(AnalyticModel, OfOperationsReachesMoreWhereAccessesAreFew) {
  Form form = triad(1'000'000);
  form.work.bytes_read = form.work.bytes_written = 8;
  form.work.flops = 96'000'000;  // 32 operations per access
  expect_time(time_of(form, Option::serial), a * 96e6 / 1e11 / std::sqrt(32));
  form.work.flops = 1'000'000'000;  // limited to 0.7 of the peak
  expect_time(time_of(form, Option::serial), 1e9 / 1e11 / 0.7);
}

// The first pass moves only the bytes in `work`. The model assumes that later passes use all arrays.
TEST(AnalyticModel, OfAPassThatReadsAPartMovesThatPart) {
  Form form = triad(1'000'000);
  form.work.bytes_read = 8'000, form.work.bytes_written = form.work.flops = 0;
  form.traits.loads = form.traits.stores = 0;
  EXPECT_LT(time_of(form, Option::serial), c * 1e-4);
  form.traits.launches = 2;
  EXPECT_GT(time_of(form, Option::serial), c * 4e-3);
}

// Returns the copy time in seconds by linear interpolation between the profile's two points.
double copied(double bytes, double latency, double large) {
  return latency + (bytes - 4) / (1e8 - 4) * (large - latency);
}

TEST(AnalyticModel, OfAWholePassCountsAllocationAndCopiesOnceForEachArray) {
  const Form form = triad(1'000'000);  // three arrays of 8 MB
  const double calls = time_of(form, Option::cuda), whole = time_of(form, Option::cuda, Target::whole);
  const double copies = 2 * copied(8e6, 5e-6, 1e-2) + copied(8e6, 6e-6, 5e-3),
               allocation = 3 * (6e-5 + 1e-4) * 8e6 / mebi;
  EXPECT_GT(whole, copies + allocation + calls);
  EXPECT_LT(whole, copies + 1.5 * allocation + calls + 1e-5);
  EXPECT_NEAR(time_of(form, Option::cuda, Target::whole, 10), whole + 9 * calls, 1e-12);
  expect_time(time_of(form, Option::serial, Target::whole, 10),
              c * 2.4e-2 + 10 * start_of_call);  // nothing to copy
}

// Small arrays come from an existing memory block, so allocating them is cheap.
TEST(AnalyticModel, OfSmallArraysTakesLittleToAllocate) {
  const Form form = triad(1000);
  const double copies = 2 * copied(8e3, 5e-6, 1e-2) + copied(8e3, 6e-6, 5e-3);
  EXPECT_LT(time_of(form, Option::cuda, Target::whole),
            copies + 0.3 * 3 * 1.6e-4 + time_of(form, Option::cuda));
}

TEST(AnalyticModel, OfArraysThatAreNotThereHasNoCopies) {
  Form form = triad(1'000'000);
  form.arrays_in = 0, form.bytes_in = 0;
  form.working_set = form.bytes_out;
  const double out = time_of(form, Option::cuda, Target::whole);
  form.arrays_out = 0, form.bytes_out = 0;  // without outputs, there is no copy and no latency
  EXPECT_NEAR(time_of(form, Option::cuda, Target::whole), out - copied(8e6, 6e-6, 5e-3), 1e-12);
}

TEST(AnalyticModel, OfTimeStepsMovesTheArraysInEachAndStartsEach) {
  Form form = triad(1'000'000);
  form.traits.launches = 100;
  expect_time(time_of(form, Option::serial), c * 100 * 2.4e-3);
  expect_time(time_of(form, Option::cuda), 8e-6 * (1 + 99 * wait_in_cuda) + g * 100 * 2.4e-5);
  form.work.bytes_read *= 100,
      form.work.bytes_written *= 100;  // a kernel whose byte counts include all time steps
  expect_time(time_of(form, Option::serial), c * 100 * 2.4e-3);
}

TEST(AnalyticModel, OfStridesMovesWholeLinesBeyondTheCache) {
  Form form = triad(1'000'000);
  form.traits.stride_read = 2;
  expect_time(time_of(form, Option::serial), c * (2 * 16e6 + 8e6) / 1e10);
  form.traits.stride_read =
      1000;  // per access at most a line of eight doubles (CPU) or a sector of four (GPU)
  expect_time(time_of(form, Option::serial), c * (8 * 16e6 + 8e6) / 1e10);
  expect_time(time_of(form, Option::cuda), 8e-6 + g * (4 * 16e6 + 8e6) / 1e12);
  form.traits.stride_write = 1000;
  expect_time(time_of(form, Option::serial), c * 8 * 24e6 / 1e10);
  Form small = triad(2'000);  // the strided array of 16 KB fits in the core's cache
  small.traits.stride_read = 1000;
  expect_time(time_of(small, Option::serial), c * 4.8e4 / 1e10);
  Form shared = triad(8'000);  // 64 KB fit in the caches of four cores, but not of one
  shared.traits.stride_read = 1000;
  expect_time(time_of(shared, Option::openmp), 2e-6 + c * 1.92e5 / 4e10);
  expect_time(time_of(shared, Option::serial), c * (8 * 1.28e5 + 6.4e4) / 1e10);
}

// Returns the profile of a machine with `threads` threads, whose caches are `faster` times as fast as memory.
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

// If the L2 cache holds all lines of a column until the next column uses them, memory moves each line once.
TEST(AnalyticModel, OfWalksAcrossRowsMovesLinesOnceWhereACacheHoldsThem) {
  Form rows =
      triad(5'000'000);  // 120 MB; a column touches 15 000 lines (960 KB), which just fit in the L2 cache
  rows.work.flops = 0;
  const auto time = [&](const Profile& profile, Option option, double stride) {
    rows.traits.stride_read = rows.traits.stride_write = stride;
    return analytic_time(rows, profile, option, Target::call).value();
  };
  expect_time(time(with_caches(4), Option::serial, 1001),
              c * 8 * 1.2e8 / 4e10);  // limited by the cache
  expect_time(time(with_caches(4), Option::openmp, 1001), 2e-6 + c * 8 * 1.2e8 / 1.6e11);
  expect_time(time(with_caches(16), Option::serial, 1001),
              c * 1.2e8 / 1e10);  // limited by memory
  expect_time(time(with_caches(16), Option::serial, 900),
              c * 8 * 1.2e8 / 1e10);  // a column touches 1.07 MB, more than the cache holds
  expect_time(time(with_caches(16), Option::serial, 1024),
              c * 8 * 1.2e8 / 1e10);  // all lines fall in one of 128 cache sets
  expect_time(time(with_caches(16), Option::serial, 5'000'001), c * 8 * 1.2e8 / 1e10);  // random positions
  rows = triad(5'203'125);  // a column fills the whole cache
  rows.work.flops = 0;
  expect_time(time(with_caches(16), Option::serial, 999), c * 8 * 124.875e6 / 1e10);
}

// With a stride of more than a line, the hardware also fetches the adjacent line, except across a page
// boundary. This costs time if that line is evicted before it is used.
TEST(AnalyticModel, OfSweepsPastTheNextLineMovesLinesInPairs) {
  Form form = triad(1'000'000);
  const auto lines = [&](double stride_read, double stride_write) {
    form.traits.stride_read = stride_read, form.traits.stride_write = stride_write;
    return time_of(form, Option::serial) * 1e10 / c;
  };
  EXPECT_NEAR(lines(8, 8), 8 * 24e6, 1e3);
  EXPECT_NEAR(lines(16, 16), 16 * 24e6, 1e3);
  EXPECT_NEAR(lines(513, 513), 8 * 24e6, 1e3);        // the stride leaves the page
  EXPECT_NEAR(lines(16, 1), 8 * 16e6 + 8e6, 1e3);     // strided reads only (a gather)
  EXPECT_NEAR(lines(50'000, 50'000), 8 * 24e6, 1e3);  // random positions
}

// If several cores share a walk across rows, each of them fetches every line.
TEST(AnalyticModel, OfWalksThatCoresShareMovesLinesForEach) {
  const auto time = [&](std::int64_t n, const char* threads, const char* l2_cache) {
    Form strided = triad(n);
    strided.traits.stride_read = strided.traits.stride_write = 201;
    return analytic_time(strided, with_caches(16, threads, l2_cache), Option::openmp, Target::call).value();
  };
  EXPECT_LT(time(1'000'000, "4", "1000000"), 0.2 * time(1'000'000, "4", "0"));
  EXPECT_EQ(time(100'000, "201", "1000000"), time(100'000, "201", "0"));
}

TEST(AnalyticModel, CountsIntegerOperationsWithArithmetic) {
  Form form = triad(1'000'000);
  form.work.integer_operations = 1'000'000'000;  // for float, the integer rate is half of the FLOP rate
  expect_time(time_of(form, Option::cuda), 8e-6 + ga * (2e6 / 1e13 + 1e9 / 1e13));
  EXPECT_GT(time_of(form, Option::serial),
            1e9 / 1e11);  // compilers vectorize integers better than floats
  EXPECT_LT(time_of(form, Option::serial), a * 1e9 / 1e11);
}

TEST(AnalyticModel, CountsIntegerOperationsByTheirRateWhereItWasMeasured) {
  Form form = triad(1'000'000);
  form.work.flops = 0, form.work.integer_operations = 1'000'000'000;
  Session session = machine();
  session.ceilings.push_back({"cpu", "int32_core", 0, 1e10});
  expect_time(*analytic_time(form, profile_of(session), Option::serial, Target::call),
              10 * (time_of(form, Option::serial) - start_of_call));
}

TEST(AnalyticModel, OfSpecialFunctionsCountsManyOperations) {
  Form form = triad(1'000'000);
  form.traits.special_flops = 50;
  EXPECT_GT(time_of(form, Option::serial), a * 10 * 50e6 / 1e11);
  EXPECT_LT(time_of(form, Option::cuda), 8e-6 + ga * 10 * 50e6 / 1e13);
}

TEST(AnalyticModel, OfLaterPassesWaitsLessThanForALaunch) {
  Form form = triad(1'000'000);
  form.traits.launches = 100;
  expect_time(time_of(form, Option::openmp), 2e-6 * (1 + 99 * wait_in_openmp) + c * 100 * 6e-4);
  expect_time(time_of(form, Option::openacc), 1e-5 * (1 + 99 * wait_in_openacc) + g * 100 * 2.4e-5);
}

// The share of work is the fraction of the time that is neither launches nor waits between steps. Copies and
// allocation count as work.
TEST(AnalyticModel, SaysWhichShareOfATimeIsWork) {
  const Profile profile = profile_of(machine());
  const Form small = triad(1), large = triad(100 * mebi);
  EXPECT_GT(share_of_work(large, profile, Option::serial, Target::call),
            0.999999);  // serial code starts no threads
  EXPECT_LT(share_of_work(small, profile, Option::cuda, Target::call), 0.05);
  EXPECT_GT(share_of_work(large, profile, Option::cuda, Target::call), 0.99);
  const CallTime call = *call_time(triad(mebi), profile, Option::openmp);
  EXPECT_NEAR(share_of_work(triad(mebi), profile, Option::openmp, Target::call),
              1 - call.launches / call.total(), 1e-12);
  EXPECT_GT(share_of_work(small, profile, Option::cuda, Target::whole),
            0.8);  // copies and allocation count as work
  EXPECT_EQ(share_of_work(small, {}, Option::cuda, Target::call), 1);
}

// A few items with long sums fill a GPU only if it splits the sums. OpenACC uses one thread per item.
TEST(AnalyticModel, OfSumsThatAGpuSplitsFillsIt) {
  Form form = triad(100);
  form.work.flops = 400'000'000, form.traits.depth = 16;
  const double of_depth = 4 * 0.4e-6;
  EXPECT_NEAR(time_of(form, Option::cuda), 8e-6 + of_depth + ga * 4e8 / 1e13, 1e-9);
  EXPECT_NEAR(time_of(form, Option::openacc), 1e-5 + of_depth + ga * 4e8 / 1e13 * 20480 / 300, 1e-7);
  form.work.flops = 400'000;  // enough work for 2500 threads
  EXPECT_NEAR(time_of(form, Option::cuda), 8e-6 + of_depth + ga * 4e5 / 1e13 * 20480 / 2500, 1e-9);
}

// In a chain of 1000 steps over the items, all threads wait after each step. A tree over the items waits
// once. Chains within an item are part of its work.
TEST(AnalyticModel, OfChainsBetweenItemsWaitsAtEachStep) {
  Form form = triad(1'000'000);
  form.work.flops = 0;
  const double apart = time_of(form, Option::openmp);
  form.traits.depth = 20;  // log2 of the items: a tree over the items
  const double tree = time_of(form, Option::openmp);
  EXPECT_GT(tree, apart);
  EXPECT_LT(tree, apart + 2e-6);
  form.traits.depth = 1000;
  EXPECT_GT(time_of(form, Option::openmp), apart + 900 * 2e-6 * wait_in_openmp);
  EXPECT_LT(time_of(form, Option::serial), c * 4.8e-3);  // one core does not wait
  form.traits.divergence = 0.2;  // the items of a step depend on data, so threads must also agree on them
  EXPECT_GT(time_of(form, Option::openmp), apart + 2 * 900 * 2e-6 * wait_in_openmp);
  EXPECT_GT(time_of(form, Option::cuda), 4 * 900 * 8e-6 * wait_in_cuda);
  form.traits.divergence = 0;
  form.extents = {500, 500, 1};  // a grid's diagonals: only neighbouring tiles wait for each other
  EXPECT_LT(time_of(form, Option::openmp), apart + 900 * 2e-6 * wait_in_openmp / 10);
  form.work.flops = 1'000'000'000;
  const double within = time_of(form, Option::cuda);
  form.traits.depth = 1;  // dependencies within an item cost only the GPU's latency
  EXPECT_NEAR(within - time_of(form, Option::cuda), 0.4e-6 * std::log2(1000), 1e-12);
}

// Sums are combined when the threads synchronize at the end of a call. Merging per-thread tables takes more
// waits. Each loop over arrays starts the threads again, but steps over planes and rows of a grid do not.
TEST(AnalyticModel, OfThreadsWaitsWhereTheyNeedEachOther) {
  const auto beyond = [](const Form& form, const Form& other) {
    return time_of(form, Option::openmp) - time_of(other, Option::openmp);
  };
  const Form form = triad(1'000'000);
  Form sum = form, table = form, loops = form, steps = form, grid = form;
  sum.work.flops = table.work.flops = 0, sum.traits.depth = table.traits.depth = 20;
  sum.traits.reduction = table.traits.reduction = 1, sum.traits.stores = 0;
  Form scan = sum;
  scan.traits.reduction = 0;
  EXPECT_NEAR(beyond(scan, sum), 2e-6 * wait_in_openmp, 1e-8);
  table.traits.loads = 0;
  EXPECT_GT(beyond(table, sum), 0.5 * 2e-6 * wait_in_openmp);
  loops.traits.launches = loops.traits.depth = 3;
  steps.traits.launches = 3, steps.traits.depth = 2;
  EXPECT_NEAR(beyond(loops, steps), 2 * 2e-6 * wait_in_openmp, 1e-12);
  grid.extents = {1000, 1000, 1};
  EXPECT_NEAR(beyond(grid, form), 0.8 * 2e-6 * wait_in_openmp + 1000 * 6e-9 / 4, 1e-12);
}

// In softmax, a tree combines the items of each row. This is no scan over all items.
TEST(AnalyticModel, OfTreesWithinRowsWaitsForNobody) {
  Form form = triad(100'000);
  form.work.flops = 500'000;
  const double apart = time_of(form, Option::openmp);
  form.traits.depth = 20;
  EXPECT_EQ(time_of(form, Option::openmp), apart);
  form.work.flops = 100'000;  // a scan over the items
  EXPECT_GT(time_of(form, Option::openmp), apart);
}

// In histograms and meshes, each core adds to its own table.
TEST(AnalyticModel, OfItemsThatAddToManyTakesTheTablesOfTheCores) {
  Form form = triad(1'000'000);
  form.work.bytes_read = 8'000, form.working_set = 8'000, form.work.bytes_written = 0;
  form.traits.reduction = 1, form.traits.loads = 2;
  const double few = time_near(form, Option::serial);
  EXPECT_NEAR(few, 0.5e-3, 0.1e-3);
  EXPECT_NEAR(time_near(form, Option::openmp), 2e-6 + few * 2.75 / 4,
              1e-5);  // four threads cost half the slowdown of 16
  Session many = machine();
  many.environment["openmp.threads"] = "16";
  EXPECT_GT(*analytic_time(form, profile_of(many), Option::openmp, Target::call), few * 4.4 / 16);
  form.traits.loads = 7;
  EXPECT_NEAR(time_near(form, Option::serial), 3.5 * few, 0.1 * few);
}

// An automaton looks up each state from the previous one. Unlike other scans, this does not vectorize.
TEST(AnalyticModel, OfAScanThatLooksUpTakesTwiceTheSteps) {
  Form form = triad(100'000);
  form.work.flops = 0, form.work.bytes_read = 8'000, form.work.bytes_written = 0, form.working_set = 8'000;
  form.traits.loads = form.traits.stores = 0, form.traits.depth = 18;
  const double scan = time_of(form, Option::serial);
  form.traits.stride_read = 300;
  EXPECT_GT(time_of(form, Option::serial), 2 * scan);
}

// Threads compute a matrix product in blocks, but the plain serial loop does not.
TEST(AnalyticModel, OfMatricesThatThreadsTakeInBlocksComputesMore) {
  Form form = triad(300 * 300);
  form.extents = {300, 300, 1};
  form.work.flops = 300 * 600 * 300, form.traits.depth = 9;
  form.traits.loads = 300, form.traits.stores = 0;  // each element is reused 100 times
  Form often = form;
  often.traits.loads = 600, often.work.flops *= 2;
  EXPECT_NEAR(time_near(often, Option::openmp) - 2e-6, (time_near(form, Option::openmp) - 2e-6) * 1.5, 1e-4);
  EXPECT_NEAR(time_near(often, Option::serial), time_near(form, Option::serial) * 2, 1e-4);
  EXPECT_NEAR(time_of(often, Option::openmp) - 2e-6, (time_of(form, Option::openmp) - 2e-6) * 1.5, 1e-4);
  often.extents = {300, 30, 10};  // the loop goes through planes instead
  EXPECT_GT(time_near(often, Option::openmp), 1.9 * time_near(form, Option::openmp) - 1e-4);
}

// If a library computes matrices in blocks, three times as many of its threads are busy as otherwise.
TEST(AnalyticModel, OfALibrarysMatricesKeepsMoreThreadsBusy) {
  Session session = machine();
  session.environment["openmp.threads"] = "16";
  session.ceilings.push_back({"cpu", "fp64", 0, 1.6e12});
  const Profile profile = profile_of(session);
  Form form = triad(300 * 300);
  form.work.flops = 1'000'000'000, form.traits.depth = 9;
  form.traits.loads = 1350, form.traits.stores = 0;  // each element is reused 450 times
  const auto time = [&](const Extents& extents) {
    form.extents = extents;
    return *analytic_time(form, profile, Option::cpu_library, Target::call) - 2.04e-6;
  };
  EXPECT_NEAR(time({300, 300, 1}) * 3, time({300, 30, 10}), 1e-6);
}

// In dependent steps, a tenth of the library's threads work, but at least one. Fewer threads wait less.
TEST(AnalyticModel, OfALibrarysThreadsOneWorksAtLeast) {
  Form chain = triad(1'000'000);  // 24 MB
  chain.traits.depth = 1000;
  const auto expect_on = [&](const char* threads, double working, double wait) {
    Session session = machine();
    session.environment["openmp.threads"] = threads;
    const double time = analytic_time(chain, profile_of(session), Option::cpu_library, Target::call).value();
    const double steps = 1000 - 2 - std::log2(1e6), others = 1 - 1 / 1e3;
    EXPECT_NEAR(time, 2e-6 + steps * (2e-9 + wait * others) + c * 6e-4 / working, 1e-3 * time) << threads;
  };
  expect_on("2", 0.5, 0.25 * 6 * 2e-6);
  expect_on("4", 0.25, 0.5 * 6 * 2e-6);
  expect_on("16", 0.1, 6 * 2e-6);
}

// Coefficients that all items share, as in a polynomial, stay in registers. Other data do not.
TEST(AnalyticModel, OfWhatItemsHaveInCommonTakesLess) {
  Form form = triad(1'000'000);
  form.work.flops = 128'000'000, form.traits.loads = 66;
  const double in_common = time_near(form, Option::openmp);
  Form other = form;
  other.extents = {1000, 1000, 1};
  EXPECT_GT(time_near(other, Option::openmp), 2.4 * in_common);
  other = form, other.traits.special_flops = 1;
  EXPECT_GT(time_near(other, Option::openmp), 2.4 * in_common);
  other = form, other.working_set *= 4;
  EXPECT_GT(time_near(other, Option::openmp), 2.4 * in_common);
  other = form, other.bytes_in = 0;  // no input data, so nothing is shared
  EXPECT_GT(time_near(other, Option::openmp), 2.4 * in_common);
}

TEST(AnalyticModel, OfIntegersDoesMoreWhereAccessesAreFew) {
  Form form = triad(1'000'000);
  form.work.flops = 0, form.work.integer_operations = 3'000'000'000;
  Form open = form;
  open.traits.loads = open.traits.stores = Traits::not_known;
  EXPECT_NEAR(time_of(open, Option::serial) / time_of(form, Option::serial), 2, 0.01);
  form.traits.divergence = open.traits.divergence = 0.5;  // the items take different branches
  EXPECT_NEAR(time_of(open, Option::serial) / time_of(form, Option::serial), 1, 0.01);
}

// A graph search waits after each level, even if the levels are far fewer than log2 of the items.
TEST(AnalyticModel, OfASearchWaitsAtEachLevelHoweverFewThereAre) {
  Form form = triad(1'000'000);
  form.work.flops = 0;
  const double apart = time_of(form, Option::openmp), alone = time_of(form, Option::cuda);
  form.traits.depth = 7, form.traits.divergence = 0.1;
  EXPECT_GT(time_of(form, Option::openmp), apart + 6 * 2 * 2e-6 * wait_in_openmp);
  EXPECT_GT(time_of(form, Option::cuda), alone + 5 * 4 * 8e-6 * wait_in_cuda);
  form.traits.depth = 20;  // a scan whose elements are selected by the data
  EXPECT_LT(time_of(form, Option::openmp), apart + 6 * 2e-6);
  form.traits.depth = 7, form.traits.divergence = 0;
  EXPECT_LT(time_of(form, Option::openmp), apart + 6 * 2e-6);
}

TEST(AnalyticModel, OfColdCachesTakesAllFromMemory) {
  Session session = machine();
  session.ceilings.push_back({"cpu", "read", 1024 * mebi, 1e10});
  session.ceilings.push_back({"cpu", "read_core", 1024 * mebi, 5e9});
  session.ceilings.push_back({"gpu0", "read", 1024 * mebi, 5e11});
  const Profile profile = profile_of(session);
  Form form = triad(10'000);  // 240 kB
  const auto of = [&](Option option) { return *analytic_time(form, profile, option, Target::call); };
  const double serial = of(Option::serial), openmp = of(Option::openmp), cuda = of(Option::cuda);
  form.cold = true;
  EXPECT_NEAR(of(Option::serial) - serial, c * 2.4e5 * (1 / 5e9 - 1 / 1e10), 1e-12);
  EXPECT_NEAR(of(Option::openmp) - openmp, c * 2.4e5 * (1 / 1e10 - 1 / 4e10), 1e-12);
  EXPECT_GT(of(Option::cuda), cuda);
}

// A program that creates its arrays itself has tiny inputs. Its footprint is what one pass moves.
TEST(AnalyticModel, OfArraysThatAreItsOwnWalksWhatAPassMoves) {
  Session session = machine();
  session.ceilings.push_back({"cpu", "read_core", 1024 * mebi, 5e9});
  session.ceilings.push_back({"gpu0", "read", 1024 * mebi, 5e11});
  const Profile profile = profile_of(session);
  Form form = triad(1'000'000);
  form.working_set = form.work.bytes_read;
  Form own = form;
  own.working_set = 120;
  for (const Option option : {Option::serial, Option::openmp, Option::cuda})
    EXPECT_DOUBLE_EQ(*analytic_time(own, profile, option, Target::call),
                     *analytic_time(form, profile, option, Target::call));
  own.work.bytes_read *= 4, own.work.bytes_written *= 4, own.traits.launches = 4;
  form.work = own.work, form.traits.launches = 4;
  EXPECT_DOUBLE_EQ(*analytic_time(own, profile, Option::serial, Target::call),
                   *analytic_time(form, profile, Option::serial, Target::call));
}

TEST(AnalyticModel, OfSumsInOneCoreTakesATermAfterTheOther) {
  Form form = triad(100'000);
  const double vectors = time_of(form, Option::serial), of_threads = time_of(form, Option::openmp);
  form.traits.reduction = 1;
  form.traits.loads = 1;
  EXPECT_GT(time_of(form, Option::serial), 0.3e-9 * 100'000);
  EXPECT_EQ(time_of(form, Option::openmp), of_threads);  // threads may reorder the sums
  form.traits.reduction = 0, form.traits.loads = 2;
  EXPECT_EQ(time_of(form, Option::serial), vectors);
}

// 1000 items sum 1000 terms each. Sums over an item's own row do not vectorize. Sums over elements that
// neighbouring items share do.
TEST(AnalyticModel, OfItemsThatSumTheirOwnTermsTakesThemInOrder) {
  Form form = triad(1'000);
  form.type = ElementType::float32;
  form.work.items = 1'000, form.work.flops = 2'000'000;
  form.traits.loads = 2000;
  form.working_set = 8 * 2'000'000;
  const double own = time_of(form, Option::serial);
  EXPECT_GT(own, 0.3e-9 * 1'000'000);
  form.working_set = 8 * 3'000'000;
  form.work.bytes_read = 8'000, form.work.bytes_written = 8'000;
  form.traits.loads = 3000;  // a third of the loads are indices, so threads do not vectorize either
  EXPECT_NEAR(time_near(form, Option::openmp), 2e-6 + 1.75 * 0.5e-9 * 1'000'000 / 4, 1e-5);
  form.traits.loads = 2000, form.working_set = 8 * 20'000;
  EXPECT_LT(time_of(form, Option::serial), own);
  form.traits.stride_read = 33;  // more than two lines apart, unlike in a batch of small matrices
  const double apart = time_near(form, Option::serial);
  form.traits.stride_read = 32;
  EXPECT_LT(time_near(form, Option::serial), apart / 2);
}

// Three kinds of sequential plain loops: a scan, which is a chain over the items; a sort of several passes
// with scattered writes; and items that are chains themselves.
TEST(AnalyticModel, OfWhatThePlainLoopDoesInOrderTakesItsSteps) {
  Form form = triad(100'000);
  form.work.flops = 0, form.work.bytes_read = 8'000, form.work.bytes_written = 0;
  form.working_set = 8'000;
  form.traits.loads = form.traits.stores = 0;
  EXPECT_LT(time_of(form, Option::serial), 2e-6);
  form.traits.depth = 18;
  const double scan = time_of(form, Option::serial);
  EXPECT_GT(scan, 0.2e-9 * 100'000);
  EXPECT_GT(time_of(form, Option::openmp), 0.1e-9 * 100'000);  // four cores go through the data twice
  form.traits.launches = 8, form.traits.depth = 136;
  const double sort = time_of(form, Option::serial);
  EXPECT_GT(sort, 10 * scan);
  EXPECT_LT(time_of(form, Option::openmp),
            2.75 * sort / 4 +
                2e-6 * (1 + (7 + 110 / 2) * wait_in_openmp));  // threads wait for a few of the steps only
  EXPECT_GT(time_of(form, Option::openmp), 2.7 * sort / 4);    // each core has its own table
  form.traits.stores = 2;                                      // only two of the passes store
  EXPECT_NEAR(time_of(form, Option::serial), sort / 4, 1e-6);
  form.traits.stores = 16;  // each pass also moves a second element
  EXPECT_NEAR(time_of(form, Option::serial), sort * 1.5, 1e-6);
  form.traits.launches = 1, form.traits.depth = 8, form.work.flops = 800'000;
  EXPECT_GT(time_of(form, Option::serial), 0.3e-9 * 800'000);
}

// A recurrence within systems of 18 items has the depth of a tree, but plain loops and libraries process it
// item by item. Three similar kernels are no recurrences: a transform does more work per level, a tree within
// items stores only its result, and a tree over all items has another depth.
TEST(AnalyticModel, OfARecurrenceTakesItemAfterItem) {
  Form form = triad(18);
  form.work.flops = 8 * 18;
  form.traits.loads = 6, form.traits.stores = 3, form.traits.depth = 5;
  const double along = time_of(form, Option::serial);
  EXPECT_GT(along, 0.3e-9 * 8 * 18);
  expect_time(time_of(form, Option::cpu_library), 2e-6 + along);
  Form other = form;
  other.traits.depth = 1;
  const double apart = time_of(other, Option::serial);
  EXPECT_LT(apart, along);
  other = form, other.traits.depth = 3;
  EXPECT_EQ(time_of(other, Option::serial), apart);
  other = form, other.traits.stores = 1, other.traits.loads = 8;
  EXPECT_EQ(time_of(other, Option::serial), apart);
  other = form, other.traits.depth = 6;
  EXPECT_EQ(time_of(other, Option::serial), apart);
}

// One core finds 10 MB in its caches. Cores that share the data find less of it there, so some comes from
// memory.
TEST(AnalyticModel, OfArraysThatCoresShareFindsLessInTheirCaches) {
  Form form = triad(10'000'000 / 24);
  form.work.flops = 0;
  const auto time = [&](Option option) {
    return analytic_time(form, with_caches(4), option, Target::call).value();
  };
  const auto bytes = static_cast<double>(form.working_set);
  expect_time(time(Option::serial), c * bytes / 4e10);
  expect_time(time(Option::openmp), 2e-6 + c * bytes / 4e10);
  form = triad(1'000'000 / 24);
  form.work.flops = 0;
  expect_time(time(Option::openmp), 2e-6 + c * static_cast<double>(form.working_set) / 1.6e11);
}

TEST(AnalyticModel, OfItemsThatLeaveTheOthersPathIsNoVectors) {
  Form form = triad(1'000'000);
  form.work.flops = 1'000'000'000;
  const double together = time_of(form, Option::serial), on_gpu = time_of(form, Option::cuda);
  form.traits.divergence = 0.5;
  EXPECT_GT(time_of(form, Option::serial), 3 * together);
  EXPECT_EQ(time_of(form, Option::cuda), on_gpu);
}

TEST(AnalyticModel, OfWritesAtRandomHandsLinesFromCoreToCore) {
  Form form = triad(1'000'000);
  form.traits.stride_write = 999'983;
  expect_time(time_of(form, Option::openmp), 2e-6 + 1e6 * 13e-9 / 4);
}

// If writes go near the item's own position, cores exchange data only at the ends of their ranges.
TEST(AnalyticModel, OfWritesNearItemsHandsOverWhatOthersHave) {
  Form form = triad(1'000'000);
  form.traits.stride_write = 100'000;
  expect_time(time_of(form, Option::openmp), 2e-6 + 0.8 * 1e6 * 13e-9 / 4);
}

TEST(AnalyticModel, OfAccessesThatTheFirstCacheServesTakesItsTime) {
  Form form = triad(10'000);
  form.traits.loads = 1000;
  EXPECT_GT(time_of(form, Option::serial), 1000 * 10'000 * 8 / 2 / 1e10);
}

// Strided accesses do not vectorize, even from the L1 cache. Items with many accesses do, because several
// items form a vector.
TEST(AnalyticModel, OfAccessesThatLieApartTakesThemOneByOne) {
  Form form = triad(1'000);
  const auto time = [&] { return time_near(form, Option::serial); };
  EXPECT_LT(time(), 0.1e-9 * 3 * 1'000);
  form.traits.stride_read = 2;
  expect_time(time(), 0.1e-9 * 3 * 1'000);
  form.traits.stride_write = 2;
  expect_time(time(), 0.15e-9 * 3 * 1'000);
  form.traits.loads = 8;
  EXPECT_LT(time(), 0.1e-9 * 9 * 1'000);
  form.traits.stores = 8;  // loads and stores per item as in a Fourier transform
  expect_time(time(), 0.1e-9 * 16 * 1'000);
}

TEST(AnalyticModel, OfLittleWorkKeepsFewThreadsBusy) {
  expect_time(time_of(triad(10), Option::openmp), 2e-6 + c * 240 / 1e10);  // one thread has a quarter of 4e10
  const Form form = triad(1000);  // 3000 elements, but 20480 are needed to fill the GPU
  expect_time(time_of(form, Option::cuda), 8e-6 + g * 24000 / 1e12 * 20480 / 3000);
}

TEST(AnalyticModel, OfFewItemsThatTakeLongKeepsAThreadBusyWithEach) {
  Form form = triad(10);
  form.work.flops = 10'000'000;  // 0.1 ms at the peak rate of one core
  const double one_core = time_of(form, Option::serial), shared = time_of(form, Option::openmp);
  EXPECT_NEAR(shared - 2e-6, 1.3 * one_core / 4,
              0.01 * one_core);  // a core is slower if all cores are busy
}

TEST(AnalyticModel, OfWhatTheTraitsLeaveOpenIsTheCheapest) {
  Form form = triad(1'000'000);
  const double known = time_of(form, Option::cuda);
  form.traits = {};
  EXPECT_EQ(time_of(form, Option::cuda), known);
  Form grid = triad(1'000'000);
  grid.extents = {1000, 1000, 1};
  const double of_grid = time_of(grid, Option::openmp);
  grid.traits = {};
  EXPECT_LT(time_of(grid, Option::openmp), of_grid);
}

TEST(AnalyticModel, OfAGridStartsItsRows) {
  Form line = triad(4096), grid = line;
  grid.extents = {16, 16, 16};
  expect_time(time_of(grid, Option::serial), time_of(line, Option::serial) + 256 * 6e-9);
  const double by_threads = time_of(grid, Option::openmp) - time_of(line, Option::openmp);
  EXPECT_NEAR(by_threads, 256 * 6e-9 / 4 + 0.8 * 2e-6 * wait_in_openmp, 1e-12);
}

TEST(AnalyticModel, ComputesFloatsNoSlowerThanDoubles) {
  Form form = triad(1'000'000);
  form.type = ElementType::float32;
  form.work.flops = 10'000'000'000;
  Session session = machine();
  for (Ceiling& one : session.ceilings)
    if (one.name == "fp32") one.value = 1e10;  // this ceiling was disturbed by another program
  Form of_doubles = form;
  of_doubles.type = ElementType::float64;
  EXPECT_LE(*analytic_time(form, profile_of(session), Option::openmp, Target::call),
            *analytic_time(of_doubles, profile_of(session), Option::openmp, Target::call));
}

TEST(AnalyticModel, OfNoWorkIsTheLaunch) {
  const Form nothing;
  EXPECT_EQ(time_of(nothing, Option::serial), start_of_call);
  EXPECT_EQ(time_of(nothing, Option::openmp), 2e-6);
  EXPECT_EQ(time_of(nothing, Option::cuda), 8e-6);
}

TEST(AnalyticModel, GrowsWithTheSizeInEveryOption) {
  for (const Option option : all_options)
    for (const Target target : all_targets)
      for (std::int64_t n = 1; n < 100'000'000; n *= 3)
        EXPECT_LE(time_of(triad(n), option, target), time_of(triad(3 * n), option, target))
            << name_of(option) << " " << n;
}

TEST(AnalyticModel, SaysNothingOfAMachineThatLacksTheOption) {
  Session session = machine();
  session.environment.erase("gpu0.name");
  const Profile without = profile_of(session);
  for (const Option option : all_options)
    EXPECT_EQ(analytic_time(triad(1000), without, option, Target::call).has_value(),
              !predict::on_gpu(option));
  EXPECT_EQ(analytic_time(triad(1000), Profile(), Option::serial, Target::call), std::nullopt);
}

TEST(AnalyticModel, OfOneCoreWithoutItsCeilingsIsAShareOfAll) {
  Session session = machine();
  std::erase_if(session.ceilings, [](const Ceiling& ceiling) { return ceiling.name.ends_with("_core"); });
  expect_time(*analytic_time(triad(1'000'000), profile_of(session), Option::serial, Target::call),
              c * 2.4e-3);
}

}  // namespace
}  // namespace sextant::predict
