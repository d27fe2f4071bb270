#include "engine/device_pass.hpp"

#include <algorithm>

#include "analysis/statistics.hpp"
#include "device/environment.hpp"

namespace sextant {
namespace {

using Records = std::vector<ActivityRecord>;

const GpuInfo* gpu_info(int index) {
  static std::string why_not;
  static const std::vector<GpuInfo> gpus = find_gpus(&why_not);
  for (const GpuInfo& gpu : gpus)
    if (gpu.index == index) return &gpu;
  return nullptr;
}

Records kernels_of(const Records& launch) {
  Records kernels;
  std::copy_if(launch.begin(), launch.end(), std::back_inserter(kernels),
               [](const ActivityRecord& record) { return record.kind == ActivityRecord::Kind::kernel; });
  return kernels;
}

// The kernels of the first launch, each with the median of its times over all launches that ran as many.
std::vector<KernelLaunch> describe(const std::vector<Records>& launches, int gpu) {
  std::vector<KernelLaunch> described;
  if (launches.empty()) return described;
  const Records first = kernels_of(launches.front());
  for (std::size_t i = 0; i < first.size(); ++i) {
    const ActivityRecord& record = first[i];
    std::vector<double> times;
    for (const Records& launch : launches) {
      const Records kernels = kernels_of(launch);
      if (kernels.size() == first.size()) times.push_back(kernels[i].end - kernels[i].start);
    }
    KernelLaunch kernel{record.name, record.grid, record.block, record.registers, record.shared_memory, 0, 0};
    kernel.time = median_interval(times).median;
    const int threads = record.block[0] * record.block[1] * record.block[2];
    if (const GpuInfo* info = gpu_info(gpu))
      kernel.occupancy = occupancy(*info, threads, record.registers, record.shared_memory);
    described.push_back(kernel);
  }
  return described;
}

// Each launch between its own start and stop: for cold caches, and launches that differ.
std::vector<Records> record_apart(const std::function<void()>& execute, const std::function<void()>& flush,
                                  int count) {
  std::vector<Records> launches;
  for (int i = 0; i < count; ++i) {
    if (flush) flush();
    start_activity();
    execute();
    launches.push_back(stop_activity());
  }
  return launches;
}

std::vector<Records> record_together(const std::function<void()>& execute, int count) {
  start_activity();
  for (int i = 0; i < count; ++i) execute();
  return split_launches(stop_activity(), count);
}

}  // namespace

std::vector<std::vector<ActivityRecord>> split_launches(const std::vector<ActivityRecord>& records,
                                                        int count) {
  std::vector<Records> launches;
  const auto parts = static_cast<std::size_t>(std::max(count, 1));
  if (records.empty() || records.size() % parts != 0) return launches;
  const std::size_t each = records.size() / parts;
  for (std::size_t i = 0; i < parts; ++i)
    launches.emplace_back(records.begin() + static_cast<std::ptrdiff_t>(i * each),
                          records.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
  for (const Records& launch :
       launches)  // the same kinds in the same order, or the parts are not the launches
    for (std::size_t i = 0; i < each; ++i)
      if (launch[i].kind != launches[0][i].kind || launch[i].name != launches[0][i].name) return {};
  return launches;
}

DevicePass measure_on_device(const std::function<void()>& launch, const std::function<void()>& flush,
                             Device& device, int gpu, int launches) {
  DevicePass pass;
  const auto execute = [&] {
    launch();
    device.synchronise();
  };
  pass.without_records = activity_unavailable();
  if (!pass.without_records) {
    std::vector<Records> records;
    if (!flush) records = record_together(execute, launches);
    if (records.empty()) records = record_apart(execute, flush, launches);
    for (const Records& one : records)
      if (!one.empty()) pass.times.push_back(busy_time(one));
    pass.launches = describe(records, gpu);
    return pass;
  }
  for (int i = 0; i < launches; ++i) {
    if (flush) flush();
    const double seconds = device.time_on_device(launch);
    if (seconds < 0) break;
    pass.times.push_back(seconds);
  }
  return pass;
}

}  // namespace sextant
