// Tests of reading the energy of processors, with a stand-in for the folder of the kernel.
#include "machine/energy.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "machine/environment.hpp"

namespace sextant {
namespace {

class Powercap : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "sextant-powercap-" + std::to_string(::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void zone(const std::string& name, const std::string& kind, double microjoules,
            double range = 262143328850) const {
    std::filesystem::create_directories(folder_ + "/" + name);
    std::ofstream(folder_ + "/" + name + "/name") << kind << "\n";
    std::ofstream(folder_ + "/" + name + "/max_energy_range_uj") << static_cast<long long>(range) << "\n";
    std::ofstream(folder_ + "/" + name + "/energy_uj") << static_cast<long long>(microjoules) << "\n";
  }

  std::string folder_;
};

TEST_F(Powercap, AddsPackagesAndMemoryButNotTheirParts) {
  const auto write = [&](double package, double memory, double others) {
    zone("intel-rapl:0", "package-0", package);
    zone("intel-rapl:0:0", "dram", memory);
    zone("intel-rapl:0:1", "core", others);
    zone("intel-rapl:1", "package-1", 2 * package);
    zone("intel-rapl:2", "psys", others);
    zone("intel-rapl-mmio:0", "package-0", others);
  };
  write(5e6, 1e6, 7e6);
  CpuEnergy energy(folder_);
  EXPECT_EQ(energy.obstacle(), "");
  EXPECT_EQ(energy.read(), 0.0);
  write(6e6, 1.5e6, 99e6);
  EXPECT_DOUBLE_EQ(*energy.read(), 3.5);
}

TEST_F(Powercap, CountsOnWhenTheCounterStartsAgain) {
  zone("intel-rapl:0", "package-0", 9e6, 10e6);
  CpuEnergy energy(folder_);
  zone("intel-rapl:0", "package-0", 1e6, 10e6);
  EXPECT_DOUBLE_EQ(*energy.read(), 2);
  zone("intel-rapl:0", "package-0", 4e6, 10e6);
  EXPECT_DOUBLE_EQ(*energy.read(), 5);
}

TEST_F(Powercap, SaysWhyThereIsNoEnergy) {
  const char* none = "there is no energy counter of a processor (RAPL)";
  EXPECT_EQ(CpuEnergy(folder_ + "/none").obstacle(), none);
  zone("intel-rapl:0:0", "uncore", 1e6);
  EXPECT_EQ(CpuEnergy(folder_).obstacle(), none);
  zone("intel-rapl:0", "package-0", 1e6);
  std::filesystem::remove(folder_ + "/intel-rapl:0/energy_uj");
  CpuEnergy energy(folder_);
  EXPECT_EQ(energy.obstacle(),
            "the energy counters of the processor cannot be read. `sudo chmod a+r "
            "/sys/class/powercap/intel-rapl:*/energy_uj` permits it");
  EXPECT_FALSE(energy.read());
}

TEST_F(Powercap, TheEnvironmentSaysWhetherTheEnergyIsKnown) {
  ::setenv("SEXTANT_POWERCAP", folder_.c_str(), 1);
  EXPECT_NE(read_environment().at("cpu.energy").find("no energy counter"), std::string::npos);
  zone("intel-rapl:0", "package-0", 1e6);
  EXPECT_EQ(read_environment().at("cpu.energy"), "ok");
  ::unsetenv("SEXTANT_POWERCAP");
}

}  // namespace
}  // namespace sextant
