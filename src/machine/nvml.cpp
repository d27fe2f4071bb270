#include "machine/nvml.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <initializer_list>
#include <map>
#include <mutex>

#include "base/dynamic_library.hpp"

namespace sextant::nvml {
namespace {

// Declares the functions of NVML's C interface that are needed here, because some toolkits lack its header.
// All functions return 0 for success.
using Handle = struct OpaqueDevice*;
struct Utilisation {
  unsigned gpu, memory;  // in per cent
};
struct Memory {
  unsigned long long total, free, used;  // in bytes
};
struct Process {
  unsigned pid;
  unsigned long long memory;  // in bytes
  unsigned gpu_instance, compute_instance;
};
// A value that nvmlDeviceGetFieldValues reads by its number.
struct FieldValue {
  unsigned field, scope;
  long long timestamp, latency;  // in microseconds
  unsigned type, status;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long long as_long;
  } value;
};
// The power now, in milliwatts. nvmlDeviceGetPowerUsage returns the mean of the last second on newer GPUs.
constexpr unsigned field_power_instant = 186;
constexpr int clock_sm = 1, clock_memory = 2, sensor_core = 0;

struct Library {
  DynamicLibrary file{{"libnvidia-ml.so.1", "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1",
                       "/usr/lib/wsl/lib/libnvidia-ml.so.1", "/usr/local/nvidia/lib64/libnvidia-ml.so.1"}};
  int (*init)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*driver_version)(char*, unsigned) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*by_index)(unsigned, Handle*) = nullptr;
  int (*by_bus)(const char*, Handle*) = nullptr;
  int (*name)(Handle, char*, unsigned) = nullptr;
  int (*clock)(Handle, int, unsigned*) = nullptr;
  int (*max_clock)(Handle, int, unsigned*) = nullptr;
  int (*temperature)(Handle, int, unsigned*) = nullptr;
  int (*power)(Handle, unsigned*) = nullptr;
  int (*field_values)(Handle, int, FieldValue*) = nullptr;
  int (*power_limit)(Handle, unsigned*) = nullptr;
  int (*throttle)(Handle, unsigned long long*) = nullptr;
  int (*ecc)(Handle, int*, int*) = nullptr;
  int (*persistence)(Handle, int*) = nullptr;
  int (*compute_mode)(Handle, int*) = nullptr;
  int (*pcie_generation)(Handle, unsigned*) = nullptr;
  int (*pcie_width)(Handle, unsigned*) = nullptr;
  int (*max_pcie_generation)(Handle, unsigned*) = nullptr;
  int (*max_pcie_width)(Handle, unsigned*) = nullptr;
  int (*processes)(Handle, unsigned*, Process*) = nullptr;
  int (*energy)(Handle, unsigned long long*) = nullptr;
  int (*utilisation)(Handle, Utilisation*) = nullptr;
  int (*memory)(Handle, Memory*) = nullptr;
  int (*lock_clocks)(Handle, unsigned, unsigned) = nullptr;
  int (*release_clocks)(Handle) = nullptr;
  std::string obstacle;

  Library() {
    if (!file.found()) {
      obstacle = "libnvidia-ml.so.1 was not found: no NVIDIA driver is installed";
      return;
    }
    load();
    if (!init || !count || !by_index) {
      obstacle = "libnvidia-ml.so.1 lacks required functions";
      return;
    }
    if (const int status = init())
      obstacle =
          std::string("NVML does not start: ") + (error_string ? error_string(status) : "unknown error");
  }

  void load() {
    file.find("nvmlInit_v2", &init);
    file.find("nvmlErrorString", &error_string);
    file.find("nvmlSystemGetDriverVersion", &driver_version);
    file.find("nvmlDeviceGetCount_v2", &count);
    file.find("nvmlDeviceGetHandleByIndex_v2", &by_index);
    file.find("nvmlDeviceGetHandleByPciBusId_v2", &by_bus);
    file.find("nvmlDeviceGetName", &name);
    file.find("nvmlDeviceGetClockInfo", &clock);
    file.find("nvmlDeviceGetMaxClockInfo", &max_clock);
    file.find("nvmlDeviceGetTemperature", &temperature);
    file.find("nvmlDeviceGetPowerUsage", &power);
    file.find("nvmlDeviceGetFieldValues", &field_values);
    file.find("nvmlDeviceGetEnforcedPowerLimit", &power_limit);
    file.find("nvmlDeviceGetCurrentClocksEventReasons", &throttle) ||
        // This was the function's name before driver 535.
        file.find("nvmlDeviceGetCurrentClocksThrottleReasons", &throttle);
    file.find("nvmlDeviceGetEccMode", &ecc);
    file.find("nvmlDeviceGetPersistenceMode", &persistence);
    file.find("nvmlDeviceGetComputeMode", &compute_mode);
    file.find("nvmlDeviceGetCurrPcieLinkGeneration", &pcie_generation);
    file.find("nvmlDeviceGetCurrPcieLinkWidth", &pcie_width);
    file.find("nvmlDeviceGetMaxPcieLinkGeneration", &max_pcie_generation);
    file.find("nvmlDeviceGetMaxPcieLinkWidth", &max_pcie_width);
    file.find("nvmlDeviceGetComputeRunningProcesses_v3", &processes);
    file.find("nvmlDeviceGetUtilizationRates", &utilisation);
    file.find("nvmlDeviceGetTotalEnergyConsumption", &energy);
    file.find("nvmlDeviceGetMemoryInfo", &memory);
    file.find("nvmlDeviceSetGpuLockedClocks", &lock_clocks);
    file.find("nvmlDeviceResetGpuLockedClocks", &release_clocks);
  }
};

const Library& library() {
  static const Library& loaded = *new Library;
  return loaded;
}

// Returns a GPU's NVML handle. It is cached, because finding one is slower than a query.
Handle handle_of(const std::string& bus_id, int index) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::map<std::pair<std::string, int>, Handle> known;
  if (unavailable()) return nullptr;
  Handle& handle = known[{bus_id, index}];
  if (handle) return handle;
  const bool found = !bus_id.empty() && library().by_bus
                         ? library().by_bus(bus_id.c_str(), &handle) == 0
                         : library().by_index(static_cast<unsigned>(index), &handle) == 0;
  if (!found) handle = nullptr;
  return handle;
}

// Reads an unsigned number and multiplies it by `scale`. Empty if the driver does not report the number.
template <typename Function, typename... Arguments>
std::optional<double> number(double scale, Function function, Handle handle, Arguments... arguments) {
  unsigned value = 0;
  if (!function || function(handle, arguments..., &value) != 0) return std::nullopt;
  return value * scale;
}

template <typename Function>
std::optional<int> integer(Function function, Handle handle) {
  const std::optional<double> value = number(1, function, handle);
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

// Returns the names of the active throttle reasons. It ignores idle (1), application clocks (2) and display
// clocks (0x100), which are not throttling.
std::vector<std::string> throttle_reasons(Handle handle) {
  static constexpr std::pair<unsigned long long, const char*> names[] = {
      {0x04, "power cap"},        {0x08, "hardware slowdown"}, {0x10, "sync boost"},
      {0x20, "software thermal"}, {0x40, "hardware thermal"},  {0x80, "power brake"}};
  std::vector<std::string> reasons;
  unsigned long long bits = 0;
  if (library().throttle && library().throttle(handle, &bits) == 0)
    for (const auto& [bit, name] : names)
      if (bits & bit) reasons.emplace_back(name);
  return reasons;
}

// Returns the power now in watts, or a mean of up to a second if the driver reports only that.
std::optional<double> power_of(Handle handle) {
  FieldValue value{};
  value.field = field_power_instant;
  if (library().field_values && library().field_values(handle, 1, &value) == 0 && value.status == 0 &&
      value.value.as_unsigned > 0)
    return value.value.as_unsigned * 1e-3;
  return number(1e-3, library().power, handle);
}

std::optional<double> energy_of(Handle handle) {
  unsigned long long millijoules = 0;
  if (!handle || !library().energy || library().energy(handle, &millijoules) != 0) return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

std::string error_text(int status) {
  const char* text = library().error_string ? library().error_string(status) : nullptr;
  return text ? text : "NVML's error " + std::to_string(status);
}

// Returns why the GPU's clocks cannot be set by `function`, or an empty text.
template <typename Function>
std::string clock_obstacle(const std::string& bus_id, int index, Function function) {
  if (const char* why_not = unavailable()) return why_not;
  if (!function) return "this driver cannot lock clocks";
  return handle_of(bus_id, index) ? "" : "NVML does not find the GPU";
}

// Returns the parent of a process; 0 if the process is not known here, for example in another container.
int parent_of(unsigned pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(file, text);
  // The program's name is in parentheses and may contain any characters.
  const std::size_t after = text.rfind(") ");
  char state = 0;
  int parent = 0;
  return after != std::string::npos && std::sscanf(text.c_str() + after, ") %c %d", &state, &parent) == 2
             ? parent
             : 0;
}

bool is_relative(unsigned pid) {
  const int parent = ::getppid(), one = static_cast<int>(pid);
  return one == ::getpid() || one == parent || (parent > 1 && parent_of(pid) == parent);
}

std::string mode_name(int mode) {
  static constexpr const char* names[] = {"default", "exclusive thread", "prohibited", "exclusive process"};
  return mode >= 0 && mode < 4 ? names[mode] : "unknown";
}

}  // namespace

const char* unavailable() { return library().obstacle.empty() ? nullptr : library().obstacle.c_str(); }

std::string driver_version() {
  char text[96] = {};
  if (unavailable() || !library().driver_version || library().driver_version(text, sizeof text) != 0)
    return "";
  return text;
}

int gpu_count() {
  unsigned count = 0;
  return !unavailable() && library().count(&count) == 0 ? static_cast<int>(count) : 0;
}

// Returns the highest clock in Hz. It is cached, because this query takes milliseconds.
std::optional<double> max_clock_of(Handle handle) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  static std::map<Handle, std::optional<double>> known;
  std::optional<double>& clock = known[handle];
  if (!clock) clock = number(1e6, library().max_clock, handle, clock_sm);
  return clock;
}

GpuState read_state(const std::string& bus_id, int index) {
  GpuState state;
  const Handle handle = handle_of(bus_id, index);
  if (!handle) return state;
  state.clock = number(1e6, library().clock, handle, clock_sm);
  state.max_clock = max_clock_of(handle);
  state.temperature = number(1, library().temperature, handle, sensor_core);
  state.power = power_of(handle);
  state.throttle_reasons = throttle_reasons(handle);
  return state;
}

std::optional<double> read_energy(const std::string& bus_id, int index) {
  return energy_of(handle_of(bus_id, index));
}

std::optional<int> other_processes(const std::string& bus_id, int index) {
  const Handle handle = handle_of(bus_id, index);
  std::vector<Process> processes(64);
  auto count = static_cast<unsigned>(processes.size());
  if (!handle || !library().processes || library().processes(handle, &count, processes.data()) != 0)
    return std::nullopt;
  processes.resize(count);
  // This process is missing if the numbers are those of another container.
  const bool are_known = std::any_of(processes.begin(), processes.end(), [](const Process& one) {
    return static_cast<int>(one.pid) == ::getpid();
  });
  if (!are_known) return std::nullopt;
  return static_cast<int>(std::count_if(processes.begin(), processes.end(),
                                        [](const Process& one) { return !is_relative(one.pid); }));
}

std::string lock_clock(const std::string& bus_id, int index, unsigned megahertz) {
  // NVML's number for the clock that the GPU keeps at its thermal design power (NVML_CLOCK_LIMIT_ID_TDP).
  constexpr unsigned base_clock = 0xffffff01;
  const auto lock = library().lock_clocks;
  if (std::string obstacle = clock_obstacle(bus_id, index, lock); !obstacle.empty()) return obstacle;
  const unsigned clock = megahertz > 0 ? megahertz : base_clock;
  const int status = lock(handle_of(bus_id, index), clock, clock);
  return status == 0 ? "" : error_text(status);
}

std::string release_clock(const std::string& bus_id, int index) {
  const auto release = library().release_clocks;
  if (std::string obstacle = clock_obstacle(bus_id, index, release); !obstacle.empty()) return obstacle;
  const int status = release(handle_of(bus_id, index));
  return status == 0 ? "" : error_text(status);
}

std::optional<double> utilisation_of(Handle handle) {
  Utilisation utilisation{};
  if (!handle || !library().utilisation || library().utilisation(handle, &utilisation) != 0)
    return std::nullopt;
  return utilisation.gpu * 0.01;
}

std::optional<double> read_utilisation(const std::string& bus_id, int index) {
  return utilisation_of(handle_of(bus_id, index));
}

Details read(const std::string& bus_id, int index) {
  Details details;
  const Handle handle = handle_of(bus_id, index);
  if (!handle) return details;
  const Library& nvml = library();
  const GpuState state = read_state(bus_id, index);
  details.clock = state.clock;
  details.max_clock = state.max_clock;
  details.temperature = state.temperature;
  details.power = state.power;
  details.throttle_reasons = state.throttle_reasons;
  char name[96] = {};
  if (nvml.name && nvml.name(handle, name, sizeof name) == 0) details.name = name;
  details.memory_clock = number(1e6, nvml.clock, handle, clock_memory);
  details.max_memory_clock = number(1e6, nvml.max_clock, handle, clock_memory);
  details.power_limit = number(1e-3, nvml.power_limit, handle);
  int current = 0, pending = 0;
  if (nvml.ecc && nvml.ecc(handle, &current, &pending) == 0) details.ecc = current != 0;
  if (nvml.persistence && nvml.persistence(handle, &current) == 0) details.persistence = current != 0;
  if (nvml.compute_mode && nvml.compute_mode(handle, &current) == 0)
    details.compute_mode = mode_name(current);
  details.pcie_generation = integer(nvml.pcie_generation, handle);
  details.pcie_width = integer(nvml.pcie_width, handle);
  details.max_pcie_generation = integer(nvml.max_pcie_generation, handle);
  details.max_pcie_width = integer(nvml.max_pcie_width, handle);
  // Without a buffer, the call only counts the processes: status 0 means none, 7 (insufficient size) sets the
  // count.
  unsigned processes = 0;
  if (nvml.processes) {
    const int status = nvml.processes(handle, &processes, nullptr);
    if (status == 0 || status == 7) details.processes = static_cast<int>(processes);
  }
  details.utilisation = utilisation_of(handle);
  details.energy = energy_of(handle).has_value();
  Memory memory{};
  if (nvml.memory && nvml.memory(handle, &memory) == 0)
    details.memory_used = static_cast<std::int64_t>(memory.used);
  return details;
}

}  // namespace sextant::nvml
