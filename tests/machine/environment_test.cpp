#include "machine/environment.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "device/host/free_memory.hpp"
#include "machine/host.hpp"
#include "registry/build_info.hpp"
#include "registry/registry.hpp"
#ifdef SEXTANT_TEST_OCCUPANCY
  #include <cuda_occupancy.h>
#endif

namespace sextant {
namespace {

// A temporary folder that replaces the root of /proc, /sys and /etc.
class FakeRoot : public testing::Test {
 protected:
  void SetUp() override {
    root_ = testing::TempDir() + "sextant-root-" + std::to_string(::getpid());
    std::filesystem::remove_all(root_);
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, const std::string& text) {
    const std::filesystem::path file(root_ + path);
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  Environment describe() {
    Environment environment;
    describe_host(&environment, root_);
    return environment;
  }

  std::string root_;
};

TEST(Environment, QuotaOfAControlGroup) {
  EXPECT_EQ(processors_of_quota("200000 100000"), 2.0);
  EXPECT_EQ(processors_of_quota("150000 100000"), 1.5);
  EXPECT_EQ(processors_of_quota("max 100000"), std::nullopt);
  EXPECT_EQ(processors_of_quota("-1 100000"), std::nullopt);  // version 1 of control groups: no limit
  EXPECT_EQ(processors_of_quota(""), std::nullopt);
}

TEST_F(FakeRoot, TheTightestControlGroupCounts) {
  write("/proc/self/cgroup", "0::/user/job\n");
  write("/sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
  write("/sys/fs/cgroup/user/cpu.max", "300000 100000\n");
  write("/sys/fs/cgroup/cpu.max", "800000 100000\n");
  write("/sys/fs/cgroup/user/job/memory.max", "1073741824\n");
  write("/sys/fs/cgroup/user/memory.max", "max\n");
  const Environment environment = describe();
  EXPECT_EQ(environment.at("cpu.limit"), "3");
  EXPECT_EQ(environment.at("memory.limit"), "1073741824");
}

TEST_F(FakeRoot, TheOldControlGroupsAreRead) {
  write("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "250000\n");
  write("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(describe().at("cpu.limit"), "2.5");
}

TEST_F(FakeRoot, PageCacheOfAControlGroupIsFree) {
  write("/proc/meminfo", "MemTotal:       4096 kB\nMemAvailable:   4096 kB\nHugePages_Total:       0\n");
  write("/proc/self/cgroup", "0::/job\n");
  write("/sys/fs/cgroup/job/memory.max", "1000000\n");
  write("/sys/fs/cgroup/job/memory.current", "1000000\n");
  write("/sys/fs/cgroup/job/memory.stat",
        "anon 250000\nfile 750000\ninactive_file 300000\nactive_file 450000\n");
  EXPECT_EQ(free_host_memory(root_), 750000u);
  EXPECT_EQ(describe().at("memory.available"), "750000");
  write("/sys/fs/cgroup/job/memory.max", "max\n");
  EXPECT_EQ(free_host_memory(root_), 4194304u);
}

TEST_F(FakeRoot, FreeMemoryGoesByTheGroupThatLimitsMost) {
  write("/proc/meminfo", "MemAvailable:   4096 kB\n");
  write("/proc/self/cgroup", "4:cpu,memory:/user/job\n0::/user/job\n");
  write("/sys/fs/cgroup/user/job/memory.max", "2000000\n");
  write("/sys/fs/cgroup/user/job/memory.current", "100000\n");
  EXPECT_EQ(free_host_memory(root_), 1900000u);
  write("/sys/fs/cgroup/user/memory.max", "1500000\n");
  write("/sys/fs/cgroup/user/memory.current", "100000\n");
  EXPECT_EQ(free_host_memory(root_), 1400000u);
  write("/sys/fs/cgroup/memory/user/memory.limit_in_bytes", "900000\n");
  write("/sys/fs/cgroup/memory/user/memory.usage_in_bytes", "800000\n");
  write("/sys/fs/cgroup/memory/user/memory.stat",
        "inactive_file 1\ntotal_inactive_file 100000\ntotal_active_file 200000\n");
  EXPECT_EQ(free_host_memory(root_), 400000u);
}

TEST_F(FakeRoot, FreeMemoryThatIsNotKnownIsNotNone) { EXPECT_EQ(free_host_memory(root_), std::nullopt); }

TEST(Environment, AddressesAreLimitedByUlimit) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_AS, &before), 0);
  if (before.rlim_cur != RLIM_INFINITY) GTEST_SKIP() << "limited already";
  EXPECT_EQ(free_addresses(), std::nullopt);
  constexpr std::size_t limit = std::size_t{1} << 46;
  const rlimit limited{limit, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &limited), 0);
  const std::optional<std::size_t> left = free_addresses();
  ASSERT_EQ(::setrlimit(RLIMIT_AS, &before), 0);
  ASSERT_TRUE(left);
  EXPECT_LT(*left, limit);
  EXPECT_GT(*left, limit / 2);
}

TEST_F(FakeRoot, SystemFilesAreRead) {
  write("/etc/os-release", "NAME=\"Example\"\nPRETTY_NAME=\"Example Linux 12\"\n");
  write("/proc/loadavg", "1.25 0.80 0.60 2/345 6789\n");
  write("/proc/meminfo", "MemTotal:       2048 kB\nMemAvailable:   1024 kB\n");
  write("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor sse\ncpu MHz\t\t: 2500.000\n");
  write("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  write("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "3700000\n");
  write("/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n");
  write("/sys/devices/system/cpu/smt/active", "1\n");
  const Environment environment = describe();
  EXPECT_EQ(environment.at("cpu.turbo"), "on");
  EXPECT_EQ(environment.at("cpu.smt"), "on");
  EXPECT_EQ(environment.at("os"), "Example Linux 12");
  EXPECT_EQ(environment.at("load"), "1.25");
  EXPECT_EQ(environment.at("memory.available"), "1048576");
  EXPECT_EQ(environment.at("virtual"), "yes");
  EXPECT_EQ(environment.at("cpu.clock"), "2500000000");
  EXPECT_EQ(environment.at("cpu.governor"), "powersave");
  EXPECT_EQ(environment.at("cpu.max_clock"), "3700000000");
}

TEST_F(FakeRoot, BoostIsTurboOfOtherDrivers) {
  write("/sys/devices/system/cpu/cpufreq/boost", "0\n");
  write("/sys/devices/system/cpu/smt/active", "0\n");
  EXPECT_EQ(describe().at("cpu.turbo"), "off");
  EXPECT_EQ(describe().at("cpu.smt"), "off");
}

TEST_F(FakeRoot, WhatIsNotKnownIsLeftOut) {
  const Environment environment = describe();
  for (const char* key : {"os", "load", "cpu.governor", "cpu.limit", "cpu.clock", "cpu.turbo", "cpu.smt",
                          "memory.limit", "virtual"})
    EXPECT_FALSE(environment.contains(key)) << key << " = " << environment.at(key);
}

TEST(Environment, DescribesThisMachine) {
  const HostInfo host = find_host();
  EXPECT_GE(host.sockets, 1);
  EXPECT_GE(host.threads, host.cores);
  EXPECT_GE(host.cores, host.sockets);
  EXPECT_GE(host.memory, std::int64_t{1} << 28);
  EXPECT_FALSE(host.cpu.empty());
}

TEST(Environment, NamesBuildAndModels) {
  const Environment environment = read_environment();
  EXPECT_EQ(environment.at("version"), build_info().version);
  EXPECT_FALSE(environment.at("git_revision").empty());
  for (const ModelBuild& build : model_builds()) {
    const std::string model = name_of(build.model);
    EXPECT_EQ(environment.contains("compiler." + model), build.built) << model;
    EXPECT_EQ(environment.contains("left_out." + model), !build.built) << model;
  }
  EXPECT_GE(std::stoi(environment.at("openmp.threads")), 1);
}

TEST(Environment, SaysWhyThereIsNoGpu) {
  std::string why_not;
  const std::vector<GpuInfo> gpus = find_gpus(&why_not);
  EXPECT_EQ(gpus.empty(), !why_not.empty()) << why_not;
  const Environment environment = read_environment();
  EXPECT_EQ(environment.at("gpus"), std::to_string(gpus.size()));
  EXPECT_EQ(environment.contains("gpus.missing"), gpus.empty());
  EXPECT_EQ(environment.contains("gpu0.name"), !gpus.empty());
  EXPECT_EQ(environment.at("activity") == "ok", !gpus.empty());
}

TEST(Environment, StateOfAGpuThatIsNotThereIsEmpty) {
  const GpuState state = read_gpu_state(9999);
  EXPECT_FALSE(state.clock || state.temperature || state.power);
  EXPECT_TRUE(state.throttle_reasons.empty());
}

GpuInfo hopper() {  // limits of compute capability 9.0 (Hopper)
  GpuInfo gpu;
  gpu.compute_capability = 90;
  gpu.multiprocessors = 132;
  gpu.shared_memory_per_block = 227 << 10;
  gpu.shared_memory_per_multiprocessor = 228 << 10;
  gpu.registers_per_multiprocessor = 65536;
  gpu.threads_per_multiprocessor = 2048;
  gpu.blocks_per_multiprocessor = 32;
  gpu.max_threads_per_block = 1024;
  return gpu;
}

TEST(Occupancy, EachResourceLimits) {
  const GpuInfo gpu = hopper();
  EXPECT_DOUBLE_EQ(occupancy(gpu, 256, 32, 0), 1.0);
  EXPECT_DOUBLE_EQ(occupancy(gpu, 32, 16, 0), 0.5);           // 32 blocks of one warp
  EXPECT_DOUBLE_EQ(occupancy(gpu, 256, 64, 0), 0.5);          // 65536 / (64 * 256) = 4 blocks of 8 warps
  EXPECT_DOUBLE_EQ(occupancy(gpu, 1024, 33, 0), 0.5);         // one block of 1024 with 40 registers allocated
  EXPECT_DOUBLE_EQ(occupancy(gpu, 128, 32, 48 << 10), 0.25);  // 228 KiB / 49 KiB = 4 blocks of 4 warps
  EXPECT_DOUBLE_EQ(occupancy(gpu, 256, 255, 0), 0.125);       // 8 warps
  EXPECT_DOUBLE_EQ(occupancy(gpu, 33, 16, 0), 1.0);           // two warps for 33 threads
}

TEST(Occupancy, ResourcesAreHandedOutInUnits) {
  const GpuInfo gpu = hopper();
  EXPECT_DOUBLE_EQ(occupancy(gpu, 96, 40, 0),
                   48 / 64.0);  // each partition holds 12 warps of 1280 registers
  EXPECT_DOUBLE_EQ(occupancy(gpu, 256, 32, 57 << 10),
                   24 / 64.0);  // 3 blocks: each takes 1 KiB more than it requests
  EXPECT_DOUBLE_EQ(occupancy(gpu, 128, 32, 20096), 44 / 64.0);  // 11 blocks of 21120 bytes, a multiple of 128
}

TEST(Occupancy, WhatCannotRunHasNone) {
  const GpuInfo gpu = hopper();
  EXPECT_EQ(occupancy(gpu, 0, 32, 0), 0);
  EXPECT_EQ(occupancy(gpu, 1025, 32, 0), 0);
  EXPECT_EQ(occupancy(gpu, 1024, 255, 0), 0);
  EXPECT_EQ(occupancy(gpu, 128, 32, 228 << 10), 0);
}

#ifdef SEXTANT_TEST_OCCUPANCY
TEST(Occupancy, AgreesWithTheToolkitsCalculator) {
  struct Limits {
    int capability, threads, blocks, shared_kib, shared_block_kib;
  };
  for (const Limits& limits :
       {Limits{70, 2048, 32, 96, 96}, Limits{75, 1024, 16, 64, 64}, Limits{80, 2048, 32, 164, 163},
        Limits{86, 1536, 16, 100, 99}, Limits{89, 1536, 24, 100, 99}, Limits{90, 2048, 32, 228, 227}}) {
    GpuInfo gpu = hopper();
    gpu.compute_capability = limits.capability;
    gpu.threads_per_multiprocessor = limits.threads;
    gpu.blocks_per_multiprocessor = limits.blocks;
    gpu.shared_memory_per_multiprocessor = limits.shared_kib << 10;
    gpu.shared_memory_per_block = limits.shared_block_kib << 10;
    cudaOccDeviceProp properties;
    properties.computeMajor = limits.capability / 10;
    properties.computeMinor = limits.capability % 10;
    properties.maxThreadsPerBlock = 1024;
    properties.maxThreadsPerMultiprocessor = limits.threads;
    properties.regsPerBlock = properties.regsPerMultiprocessor = 65536;
    properties.warpSize = 32;
    properties.sharedMemPerBlock = 48 << 10;
    properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(limits.shared_kib) << 10;
    properties.numSms = 1;
    properties.sharedMemPerBlockOptin = static_cast<std::size_t>(limits.shared_block_kib) << 10;
    properties.reservedSharedMemPerBlock = limits.capability >= 80 ? 1024 : 0;
    for (int threads : {32, 33, 64, 96, 128, 192, 256, 320, 512, 768, 1000, 1024})
      for (int registers : {16, 24, 32, 33, 40, 63, 64, 72, 96, 128, 168, 255})
        for (int shared : {0, 1, 1000, 4096, 17 << 10, 33 << 10, 48 << 10, 60 << 10}) {
          cudaOccFuncAttributes attributes;
          attributes.maxThreadsPerBlock = 1024;
          attributes.numRegs = registers;
          attributes.sharedSizeBytes = 0;
          attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
          attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
          attributes.maxDynamicSharedSizeBytes = properties.sharedMemPerBlockOptin;
          cudaOccDeviceState state;
          state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
          cudaOccResult result{};
          ASSERT_EQ(cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state,
                                                            threads, static_cast<std::size_t>(shared)),
                    CUDA_OCC_SUCCESS);
          const double expected =
              result.activeBlocksPerMultiprocessor * ((threads + 31) / 32) / (limits.threads / 32.0);
          EXPECT_DOUBLE_EQ(occupancy(gpu, threads, registers, shared), expected)
              << limits.capability << ": " << threads << " threads, " << registers << " registers, " << shared
              << " bytes";
        }
  }
}
#endif

// Results files are shared, so the recorded machine data must not reveal folder names.
TEST(ThisMachine, NamesNoFolders) {
  const Environment environment = read_environment();
  ASSERT_TRUE(environment.contains("openmp.library"));
  for (const auto& [key, value] : environment) {
    if (key.starts_with("flags.") || key.starts_with("env.") || key.starts_with("left_out.")) continue;
    EXPECT_FALSE(value.starts_with("/")) << key << " is " << value;
  }
}

}  // namespace
}  // namespace sextant
