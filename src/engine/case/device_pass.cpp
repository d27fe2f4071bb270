#include "engine/case/device_pass.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "machine/environment.hpp"
#include "record/statistics.hpp"

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

KernelLaunch kernel_of(const ActivityRecord& record, int gpu) {
  KernelLaunch kernel{
      record.name, record.grid, record.block, record.registers, record.shared_memory, 0, 0, 0};
  const int threads = record.block[0] * record.block[1] * record.block[2];
  if (const GpuInfo* info = gpu_info(gpu))
    kernel.occupancy = occupancy(*info, threads, record.registers, record.shared_memory);
  return kernel;
}

// Records each launch separately. This is needed for cold caches, and if the kernels of the launches differ.
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

std::vector<KernelLaunch> describe_launches(const std::vector<Records>& launches, int gpu) {
  std::vector<KernelLaunch> described;
  if (launches.empty()) return described;
  using Shape = std::tuple<std::string, std::array<int, 3>, std::array<int, 3>>;
  std::map<Shape, std::size_t> index;
  std::vector<std::size_t> kernel_at;  // position in `described` of each kernel of the first launch
  for (const ActivityRecord& record : kernels_of(launches.front())) {
    const auto [place, fresh] = index.try_emplace({record.name, record.grid, record.block}, index.size());
    if (fresh) described.push_back(kernel_of(record, gpu));
    ++described[place->second].count;
    kernel_at.push_back(place->second);
  }
  std::vector<std::vector<double>> times(described.size());
  for (const Records& launch : launches) {
    const Records kernels = kernels_of(launch);
    // this launch has another number of kernels and cannot be compared
    if (kernels.size() != kernel_at.size()) continue;
    std::vector<double> sums(described.size(), 0.0);
    for (std::size_t i = 0; i < kernels.size(); ++i) sums[kernel_at[i]] += kernels[i].end - kernels[i].start;
    for (std::size_t i = 0; i < sums.size(); ++i) times[i].push_back(sums[i]);
  }
  for (std::size_t i = 0; i < described.size(); ++i) described[i].time = median_interval(times[i]).median;
  return described;
}

std::vector<std::vector<ActivityRecord>> split_launches(const std::vector<ActivityRecord>& records,
                                                        int count) {
  std::vector<Records> launches;
  const auto parts = static_cast<std::size_t>(std::max(count, 1));
  if (records.empty() || records.size() % parts != 0) return launches;
  const std::size_t each = records.size() / parts;
  for (std::size_t i = 0; i < parts; ++i)
    launches.emplace_back(records.begin() + static_cast<std::ptrdiff_t>(i * each),
                          records.begin() + static_cast<std::ptrdiff_t>((i + 1) * each));
  for (const Records& launch : launches)  // all launches must have the same records in the same order
    for (std::size_t i = 0; i < each; ++i)
      if (launch[i].kind != launches[0][i].kind || launch[i].name != launches[0][i].name) return {};
  return launches;
}

SampleRecords::~SampleRecords() {
  try {
    end();
  } catch (const std::exception&) {  // the device failed before, and that was reported already
  }
}

void SampleRecords::begin() {
  end();
  if (disturbed_) return;
  start_();
  running_ = true;
}

void SampleRecords::end() {
  if (!std::exchange(running_, false)) return;
  Records records = stop_();
  if (records.size() > most_records)
    disturbed_ = true;
  else if (!records.empty())
    launches_.push_back(std::move(records));
}

DevicePass pass_of(const std::vector<Records>& launches, int gpu) {
  DevicePass pass;
  for (const Records& one : launches)
    if (!one.empty()) pass.times.push_back(busy_time(one));
  pass.launches = describe_launches(launches, gpu);
  return pass;
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
    return pass_of(records, gpu);
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
