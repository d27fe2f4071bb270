// Tests of src/device that need a GPU: activity records, NVML and ceilings.
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <map>
#include <set>

#include "base/clock.hpp"
#include "device/device.hpp"
#include "device/open.hpp"
#include "machine/ceilings/ceilings.hpp"
#include "machine/environment.hpp"
#include "toolbox/byte_sum.hpp"
#include "toolbox/random.hpp"
#include "trace/activity.hpp"
#ifdef SEXTANT_TEST_OPENACC
  #include "device/openacc/directives.hpp"
#endif
#ifdef SEXTANT_TEST_TARGET
  #include "device/target/directives.hpp"
#endif

namespace sextant {
namespace {

class Gpu : public testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    device_ = open_device(MemorySpace::cuda, 0, &why_not);
    if (!device_) GTEST_SKIP() << why_not;
  }
  std::unique_ptr<Device> device_;
};

int count_of(const std::vector<ActivityRecord>& records, ActivityRecord::Kind kind) {
  int count = 0;
  for (const ActivityRecord& record : records) count += record.kind == kind;
  return count;
}

// Sizes in bytes around the limit for page-locked staging blocks, and multiples of the block size.
constexpr std::size_t staged_sizes[] = {0,       1,       4097,    (1 << 20) - 1, 1 << 20,
                                        8 << 20, 8388609, 3 << 23, 30'000'001};

// Copies arrays to the device and back. Each byte must return, and no other byte may change.
void expect_bytes_to_come_back(Device& device, const std::vector<std::size_t>& sizes) {
  for (const std::size_t bytes : sizes) {
    std::vector<unsigned char> host(bytes + 2, 0xEE);
    const auto pattern = [](std::size_t i) { return static_cast<unsigned char>(i * 2654435761u >> 13); };
    for (std::size_t i = 0; i < bytes; ++i) host[i + 1] = pattern(i);
    void* device_copy = device.map(host.data(), host.size());
    char* inner = static_cast<char*>(device_copy) + 1;
    device.fill(device_copy, 0x55, host.size());
    device.copy_in_fast(inner, host.data() + 1, bytes);
    std::fill(host.begin(), host.end(), 0xEE);
    device.copy_out_fast(host.data() + 1, inner, bytes);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < bytes; ++i) wrong += host[i + 1] != pattern(i);
    EXPECT_EQ(wrong, 0u) << bytes;
    EXPECT_EQ(host.front(), 0xEE);
    EXPECT_EQ(host.back(), 0xEE);
    device.copy_out_fast(host.data(), device_copy, host.size());
    EXPECT_EQ(host.front(), 0x55);
    EXPECT_EQ(host.back(), 0x55);
    device.unmap(device_copy, host.size());
  }
}

TEST_F(Gpu, BringsDataInPieces) {
  expect_bytes_to_come_back(*device_, {std::begin(staged_sizes), std::end(staged_sizes)});
}

// The GPU's sum over an array must equal the host's, for a whole array and for a slice. Arrays below 1 MiB
// have no such sum.
TEST_F(Gpu, AddsUpTheBytesOfAnArraysPlace) {
  for (const std::size_t bytes :
       {std::size_t{1} << 20, (std::size_t{1} << 20) + 8, std::size_t{30'000'000}}) {
    std::vector<std::uint64_t> host(bytes / 8);
    for (std::size_t i = 0; i < host.size(); ++i) host[i] = random_bits(7, i);
    void* device_copy = device_->map(host.data(), bytes);
    device_->copy_in_fast(device_copy, host.data(), bytes);
    const auto sum_from = [&](std::size_t first) {
      std::uint64_t sum = 0;
      for (std::size_t i = first; i < host.size(); ++i) sum += summand_of(host[i], i - first);
      return sum;
    };
    EXPECT_EQ(device_->sum_of(device_copy, bytes), sum_from(0)) << bytes;
    EXPECT_EQ(device_->sum_of(device_copy, bytes), sum_from(0)) << bytes << ", again";
    host.back() ^= 1;
    device_->copy_in_fast(device_copy, host.data(), bytes);
    EXPECT_EQ(device_->sum_of(device_copy, bytes), sum_from(0)) << bytes << ", its last byte another";
    if (bytes - 32 >= std::size_t{1} << 20) {
      EXPECT_EQ(device_->sum_of(static_cast<char*>(device_copy) + 32, bytes - 32), sum_from(4)) << bytes;
    }
    EXPECT_EQ(device_->sum_of(device_copy, 4096), std::nullopt);
    device_->unmap(device_copy, bytes);
  }
}

TEST_F(Gpu, RecordsCopiesAndFillsWithTheirBytes) {
  ASSERT_EQ(activity_unavailable(), nullptr) << activity_unavailable();
  std::vector<char> host(1 << 20);
  void* device_copy = device_->map(host.data(), host.size());
  for (int round = 0; round < 3; ++round) {  // a second recording must not contain records of the first
    start_activity();
    device_->copy_in(device_copy, host.data(), host.size());
    ASSERT_EQ(cudaMemset(device_copy, 1, 4096), cudaSuccess);
    device_->copy_out(host.data(), device_copy, host.size() / 2);
    const std::vector<ActivityRecord> records = stop_activity();
    ASSERT_EQ(records.size(), 3u);
    EXPECT_EQ(records[0].kind, ActivityRecord::Kind::copy);
    EXPECT_EQ(records[0].bytes, 1 << 20);
    EXPECT_EQ(records[1].kind, ActivityRecord::Kind::fill);
    EXPECT_EQ(records[1].bytes, 4096);
    EXPECT_EQ(records[2].bytes, 1 << 19);
    for (const ActivityRecord& record : records) EXPECT_GT(record.end, record.start);
    EXPECT_GT(busy_time(records), 1e-6);
    EXPECT_LE(busy_time(records), records.back().end - records.front().start + 1e-9);
  }
  device_->unmap(device_copy, host.size());
}

// A copy from pageable memory may return before its bytes are on the device.
TEST_F(Gpu, CopiesInAreDoneBeforeWhatFollowsOnTheStream) {
  std::vector<unsigned char> host(2048, 0xFF), back(2048);
  void* device_copy = device_->map(host.data(), host.size());
  const auto stream = static_cast<cudaStream_t>(device_->stream());
  for (int round = 0; round < 20'000; ++round) {
    device_->copy_in(device_copy, host.data(), host.size());
    ASSERT_EQ(cudaMemsetAsync(device_copy, round & 0x7F, host.size(), stream), cudaSuccess);
    device_->synchronise();
    device_->copy_out(back.data(), device_copy, back.size());
    ASSERT_EQ(back, std::vector<unsigned char>(back.size(), round & 0x7F)) << "round " << round;
  }
  device_->unmap(device_copy, host.size());
}

TEST_F(Gpu, FillsEveryByteOfAnArraysPlaceAndNoOther) {
  for (const MemorySpace space : {MemorySpace::cuda, MemorySpace::openacc, MemorySpace::target}) {
    std::string why_not;
    const std::unique_ptr<Device> device = open_device(space, 0, &why_not);
    if (!device) continue;
    for (const std::size_t bytes : {std::size_t{100}, std::size_t{4} << 20, (std::size_t{9} << 20) + 5}) {
      std::vector<unsigned char> host(bytes);
      for (std::size_t i = 0; i < bytes; ++i) host[i] = static_cast<unsigned char>(i * i >> 7);
      const std::vector<unsigned char> brought = host;
      auto* device_copy = static_cast<unsigned char*>(device->map(host.data(), bytes));
      device->copy_in(device_copy, host.data(), bytes);
      std::fill(host.begin(), host.end(), 0);
      device->copy_out(host.data(), device_copy, bytes);
      EXPECT_TRUE(host == brought) << static_cast<int>(space) << ", " << bytes << " bytes";
      device->fill(device_copy + 1, 0x7F, bytes - 2);
      device->copy_out(host.data(), device_copy, bytes);
      EXPECT_EQ(host.front(), brought.front());
      EXPECT_EQ(host.back(), brought.back());
      EXPECT_EQ(std::count(host.begin() + 1, host.end() - 1, 0x7F), static_cast<std::ptrdiff_t>(bytes) - 2);
      device->unmap(device_copy, bytes);
    }
  }
}

TEST_F(Gpu, NothingIsRecordedOutsideARecording) {
  ASSERT_EQ(activity_unavailable(), nullptr);
  char host[64] = {};
  void* device_copy = device_->map(host, sizeof host);
  device_->copy_in(device_copy, host, sizeof host);
  start_activity();
  EXPECT_THROW(start_activity(), std::logic_error);
  EXPECT_TRUE(stop_activity().empty());
  EXPECT_THROW(stop_activity(), std::logic_error);
  device_->unmap(device_copy, sizeof host);
}

TEST_F(Gpu, ManyRecordsAreAllThere) {  // more records than one CUPTI buffer holds
  ASSERT_EQ(activity_unavailable(), nullptr);
  char host[64] = {};
  void* device_copy = device_->map(host, sizeof host);
  start_activity();
  for (int i = 0; i < 30000; ++i) ASSERT_EQ(cudaMemsetAsync(device_copy, i, sizeof host), cudaSuccess);
  const std::vector<ActivityRecord> records = stop_activity();
  EXPECT_EQ(count_of(records, ActivityRecord::Kind::fill), 30000);
  for (std::size_t i = 1; i < records.size(); ++i) ASSERT_GE(records[i].start, records[i - 1].start);
  device_->unmap(device_copy, sizeof host);
}

#ifdef SEXTANT_TEST_OPENACC
TEST_F(Gpu, BringsDataOfOpenaccInPieces) {
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::openacc, 0, &why_not);
  ASSERT_NE(device, nullptr) << why_not;
  expect_bytes_to_come_back(*device, {std::begin(staged_sizes), std::end(staged_sizes)});
}

TEST_F(Gpu, RecordsOpenaccLaunches) {
  ASSERT_EQ(activity_unavailable(), nullptr);
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::openacc, 0, &why_not);
  ASSERT_NE(device, nullptr) << why_not;
  int counter = 5;
  device->map(&counter, sizeof counter);
  device->copy_in(&counter, &counter, sizeof counter);
  openacc::count_launch(&counter);
  start_activity();
  openacc::count_launch(&counter);
  openacc::count_launch_async(&counter);
  const std::vector<ActivityRecord> records = stop_activity();
  device->copy_out(&counter, &counter, sizeof counter);
  device->unmap(&counter, sizeof counter);
  EXPECT_EQ(counter, 8);
  ASSERT_EQ(count_of(records, ActivityRecord::Kind::kernel), 2);
  for (const ActivityRecord& record : records) {
    if (record.kind != ActivityRecord::Kind::kernel) continue;
    EXPECT_NE(record.name.find("count_launch"), std::string::npos) << record.name;
    EXPECT_EQ(record.name.find("_omp_fn"), std::string::npos) << record.name;
    EXPECT_EQ(record.grid[0], 1);
    EXPECT_EQ(record.block[0], 32);
    EXPECT_GT(record.registers, 0);
  }
}
#endif

#ifdef SEXTANT_TEST_TARGET
TEST_F(Gpu, BringsDataOfTargetInPieces) {
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::target, 0, &why_not);
  ASSERT_NE(device, nullptr) << why_not;
  expect_bytes_to_come_back(*device, {std::begin(staged_sizes), std::end(staged_sizes)});
}

TEST_F(Gpu, RecordsTargetRegions) {
  ASSERT_EQ(activity_unavailable(), nullptr);
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::target, 0, &why_not);
  ASSERT_NE(device, nullptr) << why_not;
  int counter = 5;
  device->map(&counter, sizeof counter);
  device->copy_in(&counter, &counter, sizeof counter);
  target::count_launch(&counter);
  start_activity();
  target::count_launch(&counter);
  target::count_in_teams(&counter, 3);
  const std::vector<ActivityRecord> records = stop_activity();
  device->copy_out(&counter, &counter, sizeof counter);
  device->unmap(&counter, sizeof counter);
  EXPECT_EQ(counter, 8);
  ASSERT_EQ(count_of(records, ActivityRecord::Kind::kernel), 2);
  for (const ActivityRecord& record : records) {
    if (record.kind != ActivityRecord::Kind::kernel) continue;
    EXPECT_NE(record.name.find("count_"), std::string::npos) << record.name;
    EXPECT_EQ(record.name.find("_omp_fn"), std::string::npos) << record.name;
    EXPECT_EQ(record.grid[0], record.name.find("count_in_teams") == std::string::npos ? 1 : 3);
    EXPECT_EQ(record.block[0], 32) << "the lanes of a thread";
    EXPECT_GT(record.registers, 0);
  }
}
#endif

// The mean clock of a busy time is near the driver's reading, and no partition moves it out of range.
TEST_F(Gpu, ItsCycleCountersGiveTheClock) {
  std::string why_not;
  const std::unique_ptr<Device> device = open_device(MemorySpace::cuda, 0, &why_not);
  ASSERT_TRUE(device) << why_not;
  device->cycle_counts();
  const std::vector<CycleCount> first = device->cycle_counts();
  ASSERT_FALSE(first.empty());
  for (const double end = now() + 0.05; now() < end;) device->flush_caches();
  const std::vector<CycleCount> last = device->cycle_counts();
  const std::optional<double> clock = mean_clock(first, last);
  ASSERT_TRUE(clock);
  const GpuState state = read_gpu_state(0);
  std::printf("clock by counters %.0f MHz, by the driver %.0f MHz\n", *clock * 1e-6, *state.clock * 1e-6);
  EXPECT_NEAR(*clock / *state.clock, 1, 0.1);
  const double begin = now();
  for (int i = 0; i < 100; ++i) device->cycle_counts();
  const double seconds = (now() - begin) / 100;
  std::printf("a reading takes %.1f us\n", seconds * 1e6);
  EXPECT_LT(seconds, 60e-6) << "a group of samples takes 2 ms, of which 3 % are 60 us";
}

TEST_F(Gpu, IsDescribed) {
  const std::vector<GpuInfo> gpus = find_gpus(nullptr);
  ASSERT_FALSE(gpus.empty());
  EXPECT_FALSE(gpus[0].name.empty());
  EXPECT_GE(gpus[0].compute_capability, 50);
  EXPECT_GT(gpus[0].memory, gpus[0].l2_cache);
  const GpuState state = read_gpu_state(0);
  ASSERT_TRUE(state.clock && state.max_clock && state.temperature && state.power);
  EXPECT_GT(*state.clock, 100e6);
  EXPECT_LE(*state.clock, *state.max_clock * 1.05);
  EXPECT_GT(*state.temperature, 0);
  EXPECT_LT(*state.temperature, 120);
  EXPECT_GT(*state.power, 1);
  const Environment environment = read_environment();
  EXPECT_EQ(environment.at("gpu0.name"), gpus[0].name);
  EXPECT_FALSE(environment.at("gpu0.driver").empty());
  for (const auto& [key, value] : environment) std::printf("%s = %s\n", key.c_str(), value.c_str());
}

// Ceilings can be measured in two steps. The step for bandwidths may run while the CPU measures cases.
TEST_F(Gpu, CeilingsCanBeMeasuredInTwoParts) {
  const auto part = [](CeilingPart which) {
    std::map<std::pair<std::string, std::int64_t>, double> values;
    for (const Ceiling& one : measure_ceilings("gpu0", which)) values[{one.name, one.footprint}] = one.value;
    return values;
  };
  const std::set<std::string> bandwidth = {"copy", "triad", "read", "write"};
  const auto all = part(CeilingPart::all), others = part(CeilingPart::others);
  timespec began, ended;
  const double start = now();
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &began);
  const auto bandwidths = part(CeilingPart::bandwidth);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ended);
  const double busy = static_cast<double>(ended.tv_sec - began.tv_sec) +
                      1e-9 * static_cast<double>(ended.tv_nsec - began.tv_nsec);
  std::printf("bandwidths: %.3g s, of which a core was busy for %.3g s\n", now() - start, busy);
  EXPECT_EQ(all.size(), others.size() + bandwidths.size());
  for (const auto& [key, value] : all)
    EXPECT_EQ(bandwidths.contains(key), bandwidth.contains(key.first)) << key.first;
  for (const auto& [key, value] : bandwidths) {
    ASSERT_TRUE(all.contains(key));
    std::printf("%-8s %12lld %.4f of the first\n", key.first.c_str(), static_cast<long long>(key.second),
                value / all.at(key));
  }
}

TEST_F(Gpu, CeilingsAreAllThere) {
  std::map<std::string, std::map<std::int64_t, double>> rates;
  for (const Ceiling& ceiling : measure_ceilings("gpu0")) {
    EXPECT_TRUE(std::isfinite(ceiling.value) && ceiling.value > 0) << ceiling.name;
    rates[ceiling.name][ceiling.footprint] = ceiling.value;
    std::printf("%-22s %12lld %.4g\n", ceiling.name.c_str(), static_cast<long long>(ceiling.footprint),
                ceiling.value);
  }
  for (const char* name :
       {"copy", "triad", "read", "write", "h2d_pinned_time", "d2h_pinned_time", "h2d_pageable_time",
        "d2h_pageable_time", "alloc_cuda_time", "release_cuda_time"}) {
    ASSERT_TRUE(rates.contains(name)) << name;
    EXPECT_GE(rates.at(name).size(), 4u) << name;
  }
  std::vector<std::string> names = {"fp32",         "fp64",        "int32",
                                    "launch_graph", "launch_cuda", "launch_cuda_interval"};
  for (const char* direction : {"h2d_", "d2h_"})
    for (const char* method : {"pinned", "pageable", "pinned_latency", "pageable_latency"})
      names.push_back(std::string(direction) + method);
#ifdef SEXTANT_TEST_OPENACC
  names.push_back("launch_openacc");
#endif
#ifdef SEXTANT_TEST_TARGET
  for (const char* name : {"launch_target", "launch_target_team", "launch_target_1024_teams"})
    names.push_back(name);
#endif
  for (const std::string& name : names) {
    ASSERT_TRUE(rates.contains(name)) << name;
    EXPECT_GT(rates.at(name).begin()->second, 0) << name;
  }
}

}  // namespace
}  // namespace sextant
