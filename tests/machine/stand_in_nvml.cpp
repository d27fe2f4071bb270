// A stand-in for NVIDIA's management library with one GPU. It reads its values from the file that
// SEXTANT_STAND_IN_NVML names, at each query. Each line has a name and a number: "clock 1980". A missing
// value is "not supported", as on GPUs that do not report it. Each line "process" names a process on the GPU.
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace {

constexpr int success = 0, not_supported = 3, no_permission = 4, insufficient_size = 7;

// Has the layout of nvmlFieldValue_t.
struct FieldValue {
  unsigned field, scope;
  long long timestamp, latency;
  unsigned type, status;
  unsigned long long value;
};

// Has the layout of nvmlProcessInfo_t.
struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance, compute_instance;
};

std::vector<unsigned> processes() {
  const char* path = std::getenv("SEXTANT_STAND_IN_NVML");
  std::ifstream file(path ? path : "");
  std::string name;
  std::vector<unsigned> all;
  for (unsigned value = 0; file >> name >> value;)
    if (name == "process") all.push_back(value);
  return all;
}

std::optional<unsigned long long> value_of(const std::string& wanted) {
  const char* path = std::getenv("SEXTANT_STAND_IN_NVML");
  std::ifstream file(path ? path : "");
  std::string name;
  for (unsigned long long value = 0; file >> name >> value;)
    if (name == wanted) return value;
  return std::nullopt;
}

template <typename Number>
int give(const char* name, Number* number) {
  const std::optional<unsigned long long> value = value_of(name);
  if (!value) return not_supported;
  *number = static_cast<Number>(*value);
  return success;
}

// Appends a line to the file next to that of the values.
void note(const std::string& line) {
  if (const char* path = std::getenv("SEXTANT_STAND_IN_NVML"))
    std::ofstream(std::string(path) + ".log", std::ios::app) << line << std::endl;
}

}  // namespace

extern "C" {

const char* nvmlErrorString(int status) {
  return status == no_permission ? "Insufficient Permissions" : "Unknown Error";
}
// The value "lock_status" is the status of both functions.
int nvmlDeviceSetGpuLockedClocks(void*, unsigned low, unsigned high) {
  const int status = static_cast<int>(value_of("lock_status").value_or(success));
  if (status == success) note("lock " + std::to_string(low) + " " + std::to_string(high));
  return status;
}
int nvmlDeviceResetGpuLockedClocks(void*) {
  const int status = static_cast<int>(value_of("lock_status").value_or(success));
  if (status == success) note("reset");
  return status;
}

int nvmlInit_v2() { return success; }
int nvmlDeviceGetCount_v2(unsigned* count) { return give("gpus", count); }
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void** handle) {
  static int gpu;
  *handle = &gpu;
  return index < value_of("gpus").value_or(0) ? success : not_supported;
}
int nvmlDeviceGetClockInfo(void*, int, unsigned* megahertz) { return give("clock", megahertz); }
int nvmlDeviceGetMaxClockInfo(void*, int, unsigned* megahertz) { return give("max_clock", megahertz); }
int nvmlDeviceGetTemperature(void*, int, unsigned* degrees) { return give("temperature", degrees); }
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) { return give("power_average", milliwatts); }
int nvmlDeviceGetTotalEnergyConsumption(void*, unsigned long long* millijoules) {
  return give("energy", millijoules);
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* percentages) {
  percentages[0] = percentages[1] = 0;
  return give("utilisation", &percentages[0]);
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, Process* infos) {
  const std::vector<unsigned> all = processes();
  const unsigned room = *count;
  *count = static_cast<unsigned>(all.size());
  if (all.size() > room) return insufficient_size;
  for (std::size_t i = 0; i < all.size(); ++i) infos[i] = {all[i], 0, 0, 0};
  return success;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* bits) { return give("reasons", bits); }
int nvmlDeviceGetFieldValues(void*, int count, FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    const auto known = value_of("field_" + std::to_string(values[i].field));
    values[i].status = known ? success : not_supported;
    values[i].value = known.value_or(0);
  }
  return success;
}
}
