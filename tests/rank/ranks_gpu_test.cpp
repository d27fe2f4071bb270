// Tests of ranks with one GPU each: every variant against the reference at odd sizes, with a GPU per rank or
// with several ranks on one GPU. Messages go through host memory, or directly between GPUs through a
// replacement for a GPU-aware MPI.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <map>

#include "engine/executor.hpp"
#include "faults/faults.hpp"
#include "faults/gpu_messages.hpp"
#include "faults/rank_faults.hpp"
#include "parts_cases.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

int gpus() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

bool has_gpu() { return gpus() > 0; }

std::vector<Measurement> measure(const std::vector<Case>& cases, const Settings& settings) {
  ::setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);  // the machine may have fewer cores than ranks
  WorkerCommand worker{{test_worker()}};
  worker.rank_program = test_rank();
  std::vector<Measurement> measurements;
  Callbacks callbacks;
  callbacks.measured = [&](const Measurement& one) { measurements.push_back(one); };
  execute(cases, settings, worker, callbacks);
  return measurements;
}

// Returns the first cases, which cover all sizes, and some of the many tunings that follow.
std::vector<Case> thinned(const std::vector<Case>& all) {
  constexpr std::size_t first = 30, rest = 10;
  std::vector<Case> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i < first || i % (all.size() / rest + 1) == 0) kept.push_back(all[i]);
  return kept;
}

class RanksWithGpus : public testing::TestWithParam<int> {};

TEST_P(RanksWithGpus, ComputeWhatTheReferenceSays) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  ::setenv(stand_in_for_gpu_messages, "1", 1);
  const std::string device = std::to_string(GetParam()) + "xgpu";
  ASSERT_FALSE(variants_in_parts(true, true).empty());
  std::vector<Case> cases;  // all variants at once, so that ranks start only once
  for (const Wide& wide : variants_in_parts(true, true)) {
    const std::vector<Case> own = thinned(small_cases(wide, device));
    cases.insert(cases.end(), own.begin(), own.end());
  }
  std::map<std::string, int> tried, right,
      refused;  // refused: cases that cannot be split into this number of parts
  for (const Measurement& one : measure(cases, checks())) {
    EXPECT_TRUE(one.status == Status::ok || one.status == Status::skipped)
        << key_of(one.what) << ": " << one.reason;
    EXPECT_EQ(one.reason.find("cannot be prepared"), std::string::npos)
        << key_of(one.what) << ": " << one.reason;
    const std::string name = one.what.kernel + " " + one.what.variant;
    ++tried[name];
    right[name] += one.status == Status::ok;
    refused[name] +=
        one.status == Status::skipped && one.reason.find("number of partitions") != std::string::npos;
  }
  EXPECT_EQ(tried.size(), variants_in_parts(true, true).size());
  for (const auto& [name, count] : tried) {
    std::printf("%s on %s: %d of %d right\n", name.c_str(), device.c_str(), right[name], count);
    EXPECT_TRUE(refused[name] == count || right[name] > (count > 8 ? 5 : 0)) << name << " on " << device;
  }
}
INSTANTIATE_TEST_SUITE_P(Some, RanksWithGpus, testing::Values(1, 2, 3, 4));

Case heat(const std::string& variant, const std::string& device) {
  Selection selection;
  selection.kernels = {"heat3d_r1"};
  selection.variants = {variant};
  selection.types = {ElementType::float32};
  selection.shapes = {{64, 64, 64}};
  selection.device = device;
  return plan(selection).front();
}

TEST(RanksWithAGpu, SendNothingThatMpiDoesNotTake) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  ::unsetenv(stand_in_for_gpu_messages);
  const std::vector<Measurement> all =
      measure({heat("cuda.mpi", "2xgpu"), heat("cuda.mpi_staged", "2xgpu")}, checks());
  ASSERT_EQ(all.size(), 2u);
  EXPECT_TRUE(all[0].status == Status::ok ||
              all[0].reason.find("does not accept addresses in GPU memory") != std::string::npos)
      << all[0].reason;
  EXPECT_EQ(all[1].status, Status::ok) << all[1].reason;
}

TEST(RanksWithAGpu, AreTimedWithAndWithoutTheirExchangeWhereEachHasOne) {
  if (!has_gpu()) GTEST_SKIP() << "no GPU";
  const std::string more = std::to_string(gpus() + 1) + "xgpu";
  const std::vector<Measurement> all = measure(
      {heat("cuda.mpi_staged", "1xgpu"), heat("cuda.mpi_staged", more), heat("cuda.mpi_staged", "2xgpu")},
      short_times());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].status, Status::ok) << all[0].reason;
  EXPECT_GE(all[0].call_times.size(), 5u);
  EXPECT_EQ(all[1].status, Status::skipped);
  EXPECT_NE(all[1].reason.find("the machine has fewer GPUs than ranks"), std::string::npos) << all[1].reason;
  if (gpus() < 2) GTEST_SKIP() << "one GPU";
  EXPECT_EQ(all[2].status, Status::ok) << all[2].reason;
  EXPECT_GE(all[2].exchange_times.size(), 5u);
}

// A copy that stops its work is wrong in a timed measurement. The honest copy is right; it has several tries,
// because a busy machine may disturb its times.
TEST(RanksWithAGpu, ThatCheatAreWrong) {
  if (gpus() < 2) GTEST_SKIP() << "two ranks are timed only with a GPU each";
  ::unsetenv(stand_in_for_gpu_messages);
  add_rank_faults();
  for (const Original& original : planted_in_ranks()) {
    if (original.variant == "openmp.mpi") continue;
    Case real = case_of(original.kernel, original.variant, "2xgpu");
    std::vector<Case> cases;
    for (const Cheat cheat : original.cheats) cases.push_back(planted_case(original, cheat, real));
    const std::vector<Measurement> all = measure(cases, short_times());
    ASSERT_EQ(all.size(), cases.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      Measurement m = all[i];
      const Cheat cheat = original.cheats[i];
      for (int again = 1; again < 5 && cheat == Cheat::honest && m.status == Status::wrong; ++again)
        m = measure({cases[i]}, short_times()).front();
      EXPECT_EQ(unexpected_end(cheat, m), "") << key_of(cases[i]);
      std::printf("%s %s on 2xgpu: %s\n", original.planted_kernel().c_str(), name_of(cheat),
                  m.reason.c_str());
    }
  }
}

}  // namespace
}  // namespace sextant
