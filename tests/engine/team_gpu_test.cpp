// Tests every variant for several GPUs against the reference: with several partitions on one GPU, and on all
// GPUs of the machine.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <cctype>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "engine/form/settings.hpp"
#include "engine/parts/process_runner.hpp"
#include "faults/planted.hpp"
#include "machine/ceilings/ceilings.hpp"
#include "parts_cases.hpp"
#include "record/keys.hpp"
#include "record/place.hpp"
#include "toolbox/cuda/nccl.hpp"

namespace sextant {
namespace {

int gpus() {
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
}

// Returns the first 60 cases, which cover all sizes, and about 60 of the many tunings that follow. The chosen
// tunings depend on `parts`.
std::vector<Case> thinned(const std::vector<Case>& all, int parts) {
  constexpr std::size_t first = 60, rest = 60;
  const std::size_t step = all.size() / rest + 1;
  std::vector<Case> kept;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i < first || (i + static_cast<std::size_t>(parts)) % step == 0) kept.push_back(all[i]);
  return kept;
}

class TeamOf : public testing::TestWithParam<const char*> {};

TEST_P(TeamOf, ComputesWhatTheReferenceSays) {
  const std::string device = GetParam();
  const Place place = *place_of(device);
  if (place.device + place.devices > gpus()) GTEST_SKIP() << "there are " << gpus() << " GPUs";
  ASSERT_FALSE(variants_in_parts(true, false).empty());
  ProcessRunner runner([](Stage) {});
  for (const Wide& wide : variants_in_parts(true, false)) {
    // the library may be missing or may not allow two partitions on one GPU
    const bool may_lack =
        wide.variant->name.starts_with("cuda.nccl") || wide.variant->name == "cuda.cufft_xt";
    // this variant supports only few of the shapes
    const int least = wide.variant->name == "cuda.peers_resident" ? 0 : 5;
    const std::vector<Case> cases = thinned(small_cases(wide, device), place.parts());
    int right = 0;
    std::size_t refused = 0;  // cases that cannot be split into this number of partitions
    for (const Case& what : cases) {
      const Measurement one = runner.run(what, checks());
      EXPECT_TRUE(one.status == Status::ok || one.status == Status::skipped)
          << key_of(what) << ": " << one.reason;
      if (one.status == Status::skipped && !may_lack) {
        EXPECT_EQ(one.reason.find("cannot be prepared"), std::string::npos)
            << key_of(what) << ": " << one.reason;
      }
      right += one.status == Status::ok;
      refused +=
          one.status == Status::skipped && one.reason.find("number of partitions") != std::string::npos;
    }
    std::printf("%s %s on %s: %d of %zu right\n", wide.entry->kernel.name.c_str(), wide.variant->name.c_str(),
                device.c_str(), right, cases.size());
    EXPECT_TRUE(may_lack || refused == cases.size() || right > (cases.size() > 8 ? least : 0))
        << wide.entry->kernel.name << " " << wide.variant->name << " on " << device;
  }
}
INSTANTIATE_TEST_SUITE_P(Some, TeamOf,
                         testing::Values("gpu0:1", "gpu0:2", "gpu0:3", "gpu0:4", "gpu0-1", "gpu0-2",
                                         "gpu0-3"));

// Synchronization counters must stay right over several calls, and all times must be present.
TEST(Team, IsTimedWithAndWithoutItsExchange) {
  if (gpus() < 1) GTEST_SKIP() << "no GPU";
  Selection selection;
  selection.kernels = {"heat3d_r1", "all_reduce", "all_to_all"};
  selection.variants = {"cuda.peers"};
  selection.types = {ElementType::float32};
  selection.device = "gpu0:2";
  ProcessRunner runner([](Stage) {});
  const Settings settings = short_times();
  for (const char* kernel : {"heat3d_r1", "all_reduce", "all_to_all"}) {
    selection.kernels = {kernel};
    const bool shaped = std::string(kernel) == "heat3d_r1";
    selection.sizes = shaped ? std::vector<std::int64_t>() : std::vector<std::int64_t>{2000, 2'000'000};
    selection.shapes = shaped ? std::vector<Extents>{{64, 64, 64}} : std::vector<Extents>();
    for (const Case& what : plan(selection)) {
      const Measurement m = runner.run(what, settings);
      ASSERT_EQ(m.status, Status::ok) << key_of(what) << ": " << m.reason;
      EXPECT_GE(m.call_times.size(), 5u);
      EXPECT_EQ(m.compute_times.empty(), !shaped) << key_of(what);
      EXPECT_EQ(m.exchange_times.empty(), !shaped) << key_of(what);
    }
  }
}

void wait_for_streams(const parts::Team& team) {
  for (int part = 0; part < team.parts; ++part)
    cudaStreamSynchronize(static_cast<cudaStream_t>(team.stream[part]));
}

// Variants of teams of which copies are made that stop their work. The exchange of all_reduce cannot be left
// out, because it is the whole work.
const Original planted_in_teams[] = {
    {"triad", "cuda.team", cheats_without_exchange},
    {"increment", "cuda.team", cheats_without_exchange},
    {"heat3d_r1", "cuda.peers", cheats_with_exchange},
    {"dot", "cuda.peers", cheats_with_exchange},
    {"all_reduce", "cuda.peers", cheats_without_exchange},
    {"heat3d_r1", "cuda.nccl", cheats_with_exchange},
    {"dot", "cuda.nccl", cheats_with_exchange},
    {"all_reduce", "cuda.nccl", cheats_without_exchange},
};

class TeamThatCheats : public testing::TestWithParam<std::tuple<const char*, int>> {};

// A copy that stops its work is wrong in a timed measurement. The honest copy is right; it has several tries,
// because a busy machine may disturb its times.
TEST_P(TeamThatCheats, IsWrongUnlessItIsHonest) {
  const std::string device = std::get<0>(GetParam());
  const Original& original = planted_in_teams[std::get<1>(GetParam())];
  const Place place = *place_of(device);
  if (place.device + place.devices > gpus()) GTEST_SKIP() << "there are " << gpus() << " GPUs";
  if (original.variant == "cuda.nccl") {
    if (const char* reason = nccl::unavailable()) GTEST_SKIP() << reason;
    if (place.sharing > 1) GTEST_SKIP() << "NCCL does not support two partitions on one GPU";
  }
  if (!find_kernel(original.planted_kernel())) {
    ASSERT_TRUE(plant(original, wait_for_streams)) << original.kernel << " " << original.variant;
  }
  ProcessRunner runner([](Stage) {});
  const Case real = case_of(original.kernel, original.variant, device);
  for (const Cheat cheat : original.cheats) {
    const Case what = planted_case(original, cheat, real);
    Measurement m = runner.run(what, short_times());
    for (int i = 1; i < 5 && cheat == Cheat::honest && m.status == Status::wrong; ++i)
      m = runner.run(what, short_times());
    EXPECT_EQ(unexpected_end(cheat, m), "") << key_of(what);
    std::printf("%s on %s: %s\n", name_of(cheat), device.c_str(), m.reason.c_str());
  }
}
INSTANTIATE_TEST_SUITE_P(Some, TeamThatCheats,
                         testing::Combine(testing::Values("gpu0:2", "gpu0-1"),
                                          testing::Range(0, static_cast<int>(std::size(planted_in_teams)))),
                         [](const auto& instance) {
                           const Original& original = planted_in_teams[std::get<1>(instance.param)];
                           std::string name = original.kernel + "_" + original.variant + "_on_" +
                                              std::get<0>(instance.param);
                           for (char& letter : name)
                             if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
                           return name;
                         });

// With two GPUs, a transfer among all GPUs is about as fast as one between the pair.
TEST(Team, HasCeilingsOfItsLinks) {
  if (gpus() < 2) GTEST_SKIP() << "one GPU has no links";
  std::map<std::string, double> rate;
  for (const Ceiling& ceiling : measure_ceilings("gpu0-1")) rate[ceiling.name] = ceiling.value;
  const double pair = rate["link_both_0_1"];
  EXPECT_GT(pair, 0);
  std::vector<const char*> together = {"link_ring", "link_all_to_all"};
  if (!nccl::unavailable()) together.push_back("link_nccl_all_reduce");
  for (const char* name : together) {
    EXPECT_GT(rate[name], 0.5 * pair) << name;
    EXPECT_LT(rate[name], 1.1 * pair) << name;
  }
}

// After a case on several GPUs, a case on one GPU still works.
TEST(Team, LeavesTheGpuAsItWas) {
  if (gpus() < 1) GTEST_SKIP() << "no GPU";
  ProcessRunner runner([](Stage) {});
  Selection selection;
  selection.kernels = {"triad"};
  selection.types = {ElementType::float32};
  selection.sizes = {9000};
  selection.device = "gpu0";
  selection.variants = {"cuda.vector"};
  const Case plain = plan(selection).front();
  selection.device = gpus() > 1 ? "gpu0-1" : "gpu0:2";
  selection.variants = {"cuda.team"};
  const Case wide = plan(selection).front();
  for (const Case* what : {&plain, &wide, &plain, &wide, &plain}) {
    const Measurement m = runner.run(*what, checks());
    EXPECT_EQ(m.status, Status::ok) << key_of(*what) << ": " << m.reason;
  }
}

}  // namespace
}  // namespace sextant
