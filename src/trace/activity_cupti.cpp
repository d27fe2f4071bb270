#include <cuda_runtime_api.h>
#include <cupti.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <map>
#include <mutex>
#include <stdexcept>

#include "base/clock.hpp"
#include "device/device.hpp"
#include "trace/activity.hpp"
#include "trace/cupti_library.hpp"

namespace sextant {
namespace {

// The oldest record layouts with all needed fields. Newer CUPTI versions only append fields.
using KernelLayout = CUpti_ActivityKernel4;
using CopyLayout = CUpti_ActivityMemcpy;
using PeerCopyLayout = CUpti_ActivityMemcpyPtoP;
using FillLayout = CUpti_ActivityMemset;

constexpr CUpti_ActivityKind recorded_kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
                                                 CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2,
                                                 CUPTI_ACTIVITY_KIND_MEMSET};
// Host calls to record. CUDA variants call the CUDA runtime; OpenACC calls the CUDA driver.
constexpr CUpti_ActivityKind call_kinds[] = {CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER};
// Holds about 5000 kernel records. CUPTI requests another buffer when one is full.
constexpr std::size_t buffer_bytes = std::size_t{1} << 20;

struct Cupti {
  DynamicLibrary& library = cupti_library();
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityFlushAll) flush = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
  decltype(&cuptiActivityGetNumDroppedRecords) dropped_records = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
  decltype(&cuptiGetTimestamp) timestamp = nullptr;
  bool complete = false;

  Cupti() {
    complete =
        library.find("cuptiActivityEnable", &enable) && library.find("cuptiActivityDisable", &disable) &&
        library.find("cuptiActivityRegisterCallbacks", &register_callbacks) &&
        library.find("cuptiActivityFlushAll", &flush) &&
        library.find("cuptiActivityGetNextRecord", &next_record) &&
        library.find("cuptiActivityGetNumDroppedRecords", &dropped_records) &&
        library.find("cuptiGetResultString", &result_string) && library.find("cuptiGetTimestamp", &timestamp);
  }

  std::string text_of(CUptiResult result) const {
    const char* text = nullptr;
    result_string(result, &text);
    return text ? text : "error " + std::to_string(static_cast<int>(result));
  }
};

// Static data, because CUPTI's callbacks take no user argument.
struct Recording {
  std::mutex mutex;
  bool running = false;
  ActivityDetail detail = ActivityDetail::device;
  std::vector<ActivityRecord> records;
  std::vector<std::uint32_t> correlations;       // correlation ID of each record
  std::map<std::uint32_t, std::uint64_t> asked;  // start of the host call in nanoseconds, by correlation ID
  std::size_t dropped = 0;
  std::uint64_t origin = 0;  // time zero in nanoseconds since 1970
};

// Never destroyed, because CUPTI may return a buffer while the program exits.
const Cupti& cupti() {
  static const Cupti& loaded = *new Cupti;
  return loaded;
}

Recording& recording() {
  static Recording& state = *new Recording;
  return state;
}

// Returns seconds since a recent origin. Since 1970, a double would resolve only a quarter of a microsecond.
double seconds_since_origin(std::uint64_t nanoseconds) {
  Recording& state = recording();
  if (state.origin == 0) state.origin = nanoseconds;
  return static_cast<double>(static_cast<std::int64_t>(nanoseconds - state.origin)) * 1e-9;
}

template <typename Layout>
ActivityRecord timed(ActivityRecord::Kind kind, const Layout& raw) {
  ActivityRecord record{};
  record.kind = kind;
  record.start = seconds_since_origin(raw.start);
  record.end = seconds_since_origin(raw.end);
  record.stream = static_cast<int>(raw.streamId);
  recording().correlations.push_back(raw.correlationId);
  return record;
}

ActivityRecord kernel_record(const KernelLayout& raw) {
  ActivityRecord record = timed(ActivityRecord::Kind::kernel, raw);
  record.name = demangled(raw.name ? raw.name : "?");
  record.grid = {raw.gridX, raw.gridY, raw.gridZ};
  record.block = {raw.blockX, raw.blockY, raw.blockZ};
  record.registers = raw.registersPerThread;
  record.shared_memory = std::int64_t{raw.staticSharedMemory} + raw.dynamicSharedMemory;
  return record;
}

template <typename Layout>
ActivityRecord bytes_record(ActivityRecord::Kind kind, const char* name, const Layout& raw) {
  ActivityRecord record = timed(kind, raw);
  record.name = name;
  record.bytes = static_cast<std::int64_t>(raw.bytes);
  return record;
}

ActivityRecord copy_record(const CopyLayout& raw) {
  ActivityRecord record = bytes_record(ActivityRecord::Kind::copy, "copy", raw);
  if (raw.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_HTOD) record.direction = ActivityRecord::Direction::in;
  if (raw.copyKind == CUPTI_ACTIVITY_MEMCPY_KIND_DTOH) record.direction = ActivityRecord::Direction::out;
  return record;
}

// Notes the earliest host call of a correlation ID. A CUDA runtime call and its driver call have the same ID.
void note_call(const CUpti_ActivityAPI& raw) {
  const auto [place, is_new] = recording().asked.emplace(raw.correlationId, raw.start);
  if (!is_new) place->second = std::min(place->second, raw.start);
}

void add_record(const CUpti_Activity* raw, std::vector<ActivityRecord>* records) {
  using Kind = ActivityRecord::Kind;
  switch (raw->kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return records->push_back(kernel_record(*reinterpret_cast<const KernelLayout*>(raw)));
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return records->push_back(copy_record(*reinterpret_cast<const CopyLayout*>(raw)));
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return records->push_back(
          bytes_record(Kind::copy, "copy", *reinterpret_cast<const PeerCopyLayout*>(raw)));
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return records->push_back(bytes_record(Kind::fill, "fill", *reinterpret_cast<const FillLayout*>(raw)));
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return note_call(*reinterpret_cast<const CUpti_ActivityAPI*>(raw));
    default:
      return;
  }
}

void CUPTIAPI give_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(8, buffer_bytes));
  *size = *buffer ? buffer_bytes : 0;
  *most_records = 0;  // no limit except the buffer's size
}

void CUPTIAPI take_buffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t valid) {
  Recording& state = recording();
  const std::lock_guard lock(state.mutex);
  CUpti_Activity* raw = nullptr;
  while (valid > 0 && cupti().next_record(buffer, valid, &raw) == CUPTI_SUCCESS)
    add_record(raw, &state.records);
  std::size_t dropped = 0;
  if (cupti().dropped_records(context, stream, &dropped) == CUPTI_SUCCESS) state.dropped += dropped;
  std::free(buffer);
}

void require(CUptiResult result, const char* action) {
  if (result != CUPTI_SUCCESS)
    throw DeviceError(std::string(action) + ": CUPTI says " + cupti().text_of(result));
}

std::vector<CUpti_ActivityKind> kinds_of(ActivityDetail detail) {
  std::vector<CUpti_ActivityKind> kinds(std::begin(recorded_kinds), std::end(recorded_kinds));
  if (detail == ActivityDetail::host_calls)
    kinds.insert(kinds.end(), std::begin(call_kinds), std::end(call_kinds));
  return kinds;
}

void begin(ActivityDetail detail) {
  Recording& state = recording();
  if (state.running) throw std::logic_error("start_activity: a recording is running already");
  static const CUptiResult registered = cupti().register_callbacks(give_buffer, take_buffer);
  require(registered, "recording device activity");
  {
    const std::lock_guard lock(state.mutex);
    state.records.clear();
    state.correlations.clear();
    state.asked.clear();
    state.dropped = 0;
    state.origin = 0;
    state.detail = detail;
    // Host calls need the same time zero as the records.
    if (detail == ActivityDetail::host_calls)
      require(cupti().timestamp(&state.origin), "reading the clock of device activity");
  }
  for (CUpti_ActivityKind kind : kinds_of(detail)) require(cupti().enable(kind), "recording device activity");
  state.running = true;
}

std::vector<ActivityRecord> end() {
  Recording& state = recording();
  if (!state.running) throw std::logic_error("stop_activity: no recording is running");
  state.running = false;
  const cudaError_t finished = cudaDeviceSynchronize();
  const CUptiResult flushed = cupti().flush(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  for (CUpti_ActivityKind kind : kinds_of(state.detail)) cupti().disable(kind);
  if (finished != cudaSuccess) throw DeviceError(std::string("running: ") + cudaGetErrorString(finished));
  require(flushed, "reading device activity");
  const std::lock_guard lock(state.mutex);
  if (state.dropped) throw DeviceError("CUPTI lost " + std::to_string(state.dropped) + " activity records");
  for (std::size_t i = 0; i < state.records.size(); ++i)
    if (const auto asked = state.asked.find(state.correlations[i]); asked != state.asked.end())
      state.records[i].asked = seconds_since_origin(asked->second);
  std::vector<ActivityRecord> records = std::move(state.records);
  state.records.clear();
  std::stable_sort(records.begin(), records.end(),
                   [](const ActivityRecord& a, const ActivityRecord& b) { return a.start < b.start; });
  return records;
}

// Records one memset as a test. Returns why it failed, or "". Recording can fail although the library loads,
// for example without permission or on a virtual GPU.
std::string find_obstacle() {
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus == 0) {
    cudaGetLastError();
    return "no usable NVIDIA GPU";
  }
  if (!cupti().library.found()) return "libcupti was not found (" + cupti().library.problem + ")";
  if (!cupti().complete) return "libcupti lacks the activity interface";
  void* trial = nullptr;
  if (cudaMalloc(&trial, 4096) != cudaSuccess) {
    cudaGetLastError();
    return "the GPU cannot be used for a trial";
  }
  std::string obstacle;
  try {
    begin(ActivityDetail::device);
    cudaMemset(trial, 0, 4096);
    if (end().empty()) obstacle = "CUPTI gives no records";
  } catch (const DeviceError& error) {
    obstacle = error.what();
    recording().running = false;
  }
  cudaFree(trial);
  return obstacle;
}

}  // namespace

const char* activity_unavailable() {
  static const std::string obstacle = find_obstacle();
  return obstacle.empty() ? nullptr : obstacle.c_str();
}

void start_activity(ActivityDetail detail) {
  if (const char* why = activity_unavailable()) throw DeviceError(std::string("no activity records: ") + why);
  begin(detail);
}

std::vector<ActivityRecord> stop_activity() { return end(); }

double activity_clock() {
  const Recording& state = recording();
  std::uint64_t time = 0;
  if (state.running && cupti().timestamp(&time) == CUPTI_SUCCESS)
    return static_cast<double>(static_cast<std::int64_t>(time - state.origin)) * 1e-9;
  return now();
}

}  // namespace sextant
