// Tests of reading a GPU's state, with a stand-in for NVML (stand_in_nvml.cpp).
#include "machine/nvml.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/energy.hpp"

namespace sextant {
namespace {

class Nvml : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + "sextant-nvml-" + std::to_string(::getpid());
    ::setenv("SEXTANT_STAND_IN_NVML", path_.c_str(), 1);
    write("gpus 1");
    if (nvml::gpu_count() != 1) GTEST_SKIP() << "NVML is not the stand-in: run this test with ctest";
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& text) const { std::ofstream(path_) << text << "\n"; }

  std::string path_;
};

TEST_F(Nvml, ReadsTheStateAtEachCall) {
  write("gpus 1\nclock 1980\nmax_clock 1980\ntemperature 41\npower_average 650000\nreasons 0");
  GpuState state = nvml::read_state("", 0);
  EXPECT_EQ(state.clock, 1.98e9);
  EXPECT_EQ(state.temperature, 41.0);
  EXPECT_EQ(state.power, 650.0);
  EXPECT_TRUE(state.throttle_reasons.empty());
  write("gpus 1\nclock 1710\nreasons 12");
  state = nvml::read_state("", 0);
  EXPECT_EQ(state.clock, 1.71e9);
  EXPECT_EQ(state.throttle_reasons, (std::vector<std::string>{"power cap", "hardware slowdown"}));
}

// nvmlDeviceGetPowerUsage returns the mean of a whole second on newer GPUs, longer than most cases.
TEST_F(Nvml, PrefersThePowerNow) {
  write("gpus 1\npower_average 650000\nfield_186 712000");
  EXPECT_EQ(nvml::read_state("", 0).power, 712.0);
}

TEST_F(Nvml, LeavesEmptyWhatTheDriverDoesNotReport) {
  write("gpus 1");
  const GpuState state = nvml::read_state("", 0);
  EXPECT_FALSE(state.clock || state.temperature || state.power);
  EXPECT_TRUE(state.throttle_reasons.empty());
}

TEST_F(Nvml, ReadsTheEnergyInJoules) {
  write("gpus 1\nenergy 123456789012");
  EXPECT_DOUBLE_EQ(nvml::read_energy("", 0).value(), 123456789.012);
  write("gpus 1");
  EXPECT_FALSE(nvml::read_energy("", 0));
}

TEST_F(Nvml, CountsTheProcessesOfOtherPrograms) {
  const auto lines = [](const std::vector<int>& processes) {
    std::string text = "gpus 1";
    for (const int process : processes) text += "\nprocess " + std::to_string(process);
    return text;
  };
  write(lines({::getpid()}));
  EXPECT_EQ(nvml::other_processes("", 0), 0);
  write(lines({::getpid(), ::getppid(), 1}));
  EXPECT_EQ(nvml::other_processes("", 0), 1) << "the parent is no other program, process 1 is one";
  write(lines({999'999'997, 999'999'998}));
  EXPECT_FALSE(nvml::other_processes("", 0)) << "the numbers are those of another container";
}

TEST_F(Nvml, SaysWhyTheEnergyOfCallsIsNotKnown) {
  const EnergyCounter counter = energy_counter(0);
  write("gpus 1");
  EXPECT_EQ(counter.obstacle(), "the driver does not count the energy of gpu0");
  write("gpus 1\nenergy 1000");
  EXPECT_EQ(counter.obstacle(), "");
  EXPECT_EQ(counter.read(), 1.0);
  EXPECT_FALSE(counter.is_busy());
  write("gpus 1\nenergy 1000\nutilisation 30");
  EXPECT_TRUE(counter.is_busy());
  write("gpus 1\nenergy 1000\nprocess " + std::to_string(::getpid()) + "\nprocess 1");
  EXPECT_EQ(counter.obstacle(), "1 other program used gpu0, whose energy counts, too");
}

}  // namespace
}  // namespace sextant
