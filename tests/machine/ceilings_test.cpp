#include "machine/ceilings/ceilings.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/error.hpp"
#include "device/device.hpp"
#include "machine/ceilings/detail.hpp"
#include "machine/ceilings/host_loops.hpp"
#include "machine/environment.hpp"

namespace sextant {
namespace {

using Rates = std::map<std::int64_t, double>;  // keyed by footprint

std::map<std::string, Rates> by_name(const std::vector<Ceiling>& ceilings, const std::string& device) {
  std::map<std::string, Rates> rates;
  for (const Ceiling& ceiling : ceilings) {
    EXPECT_EQ(ceiling.device, device);
    EXPECT_TRUE(std::isfinite(ceiling.value)) << ceiling.name;
    EXPECT_GT(ceiling.value, 0) << ceiling.name;
    EXPECT_TRUE(rates[ceiling.name].emplace(ceiling.footprint, ceiling.value).second)
        << ceiling.name << " twice at " << ceiling.footprint;
  }
  return rates;
}

void expect_one(const std::map<std::string, Rates>& rates, const std::string& name) {
  const auto found = rates.find(name);
  EXPECT_TRUE(found != rates.end() && found->second.size() == 1) << name;
}

TEST(Ceilings, AnUnknownDeviceIsRefused) {
  for (const char* name : {"", "gpu", "gpu-1", "gpux", "gpu0x", "tpu0"})
    EXPECT_THROW(measure_ceilings(name), UserError) << name;
}

TEST(Ceilings, AGpuThatIsNotThereFailsWithAReason) {
  try {
    measure_ceilings("gpu9999");
    FAIL() << "no exception";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("gpu9999"), std::string::npos) << error.what();
  }
}

TEST(Ceilings, WhatCannotBeIsNotRecorded) {
  CeilingList list("cpu");
  for (double value : {0.0, -1.0, double(INFINITY), double(NAN)})
    EXPECT_THROW(list.add("copy", value), DeviceError);
  EXPECT_THROW(list.require(false, "copy left a wrong result"), DeviceError);
  EXPECT_TRUE(list.take().empty());
}

// A sample takes arbitrarily long if another program uses a core. Sampling therefore goes on until two agree.
TEST(Ceilings, ADisturbedSampleIsNotTheLast) {
  double clock = 0;
  std::size_t taken = 0;
  const auto fastest = [&](const std::vector<double>& times) {
    clock = 0, taken = 0;
    return fastest_of(
        [&] {
          const double time = times[std::min(taken++, times.size() - 1)];
          clock += time;
          return time;
        },
        [&] { return clock; });
  };
  EXPECT_EQ(fastest({0.001}), 0.001);
  EXPECT_EQ(taken, 8u);  // all eight agree
  EXPECT_EQ(fastest({0.05, 0.07, 0.001, 0.04, 0.00105}), 0.001);
  EXPECT_EQ(taken, 5u);
  EXPECT_EQ(fastest({0.1, 0.2, 0.4, 0.8}), 0.1);  // no two agree within half a second
  EXPECT_EQ(taken, 3u);
}

TEST(Ceilings, HostHasAllOfThem) {
  const auto rates = by_name(measure_ceilings("cpu"), "cpu");
  const Rates& copy = rates.at("copy");
  EXPECT_GE(copy.size(), 3u);
  for (const char* name : {"triad", "read", "write"}) {
    ASSERT_TRUE(rates.contains(name));
    ASSERT_EQ(rates.at(name).size(), copy.size()) << name;
    for (const auto& [footprint, rate] : rates.at(name)) EXPECT_TRUE(copy.contains(footprint)) << name;
  }
  for (const char* name : {"fp32", "fp64", "int32", "fp32_core", "fp64_core", "int32_core", "launch_openmp"})
    expect_one(rates, name);
  // The rates of one core are measured for its caches and for memory.
  const Rates& core_copy = rates.at("copy_core");
  EXPECT_GE(core_copy.size(), 3u);
  EXPECT_EQ(core_copy.begin()->first, 64 << 10);  // for any number of threads
  for (const char* name : {"triad_core", "read_core", "write_core"}) {
    ASSERT_TRUE(rates.contains(name)) << name;
    ASSERT_EQ(rates.at(name).size(), core_copy.size()) << name;
    for (const auto& [footprint, rate] : rates.at(name)) EXPECT_TRUE(core_copy.contains(footprint)) << name;
  }
}

// For every instruction set, each loop must compute what its name says.
class Loops : public testing::TestWithParam<const HostLoops* (*)()> {};

TEST_P(Loops, ComputeWhatTheyAreNamedFor) {
  const HostLoops* loops = GetParam()();
  if (!loops) GTEST_SKIP() << "not on this processor";
  constexpr int count = 192;
  alignas(64) double a[count], b[count], c[count];
  const auto fill = [&] {
    for (int i = 0; i < count; ++i) a[i] = -1, b[i] = i, c[i] = 1000 - i;
  };
  for (const auto copy : {loops->copy, loops->copy_streaming}) {
    fill();
    if (!copy) continue;
    copy(a, b, 128);
    for (int i = 0; i < count; ++i) ASSERT_EQ(a[i], i < 128 ? i : -1) << i;
  }
  for (const auto triad : {loops->triad, loops->triad_streaming}) {
    fill();
    if (!triad) continue;
    triad(a, b, c, 0.5, 128);
    for (int i = 0; i < count; ++i) ASSERT_EQ(a[i], i < 128 ? i + 0.5 * (1000 - i) : -1) << i;
  }
  for (const auto write : {loops->write, loops->write_streaming}) {
    fill();
    if (!write) continue;
    write(a, 7, 128);
    for (int i = 0; i < count; ++i) ASSERT_EQ(a[i], i < 128 ? 7 : -1) << i;
  }
  EXPECT_EQ(loops->read(b, 128), 127 * 64);
  int chains = 0;
  double of_lane =
      0;  // chain i: i -> i/2 + 2 -> i/4 + 3 -> i/8 + 3.5; the chains differ, so a compiler cannot merge them
  for (int i = 0; i < chains_of_a_lane; ++i) of_lane += i / 8.0 + 3.5;
  const double sum64 = loops->fma64(0.5, 2, 3, &chains);
  EXPECT_GE(chains, 12);
  EXPECT_EQ(sum64, of_lane * (chains / chains_of_a_lane));
  const float sum32 = loops->fma32(0.5f, 2, 3, &chains);
  EXPECT_GE(chains, 12);
  EXPECT_EQ(sum32, of_lane * (chains / chains_of_a_lane));
  std::uint32_t lane = 0;
  for (std::uint32_t i = 0; i < chains_of_a_lane; ++i) lane += ((((i + 7) ^ 90) + 7) ^ 90);
  const std::uint32_t sum = loops->add_xor(7, 90, 2, &chains);
  EXPECT_EQ(sum, lane * static_cast<std::uint32_t>(chains / chains_of_a_lane));
}

INSTANTIATE_TEST_SUITE_P(Sets, Loops,
                         testing::Values([] { return &host_loops_generic(); }
#if defined(__x86_64__)
                                         ,
                                         [] {
                                           const bool has = __builtin_cpu_supports("avx2") &&
                                                            __builtin_cpu_supports("fma");
                                           return has ? &host_loops_avx2() : nullptr;
                                         },
                                         [] {
                                           const bool has = __builtin_cpu_supports("avx512f");
                                           return has ? &host_loops_avx512() : nullptr;
                                         }
#endif
                                         ));

}  // namespace
}  // namespace sextant
