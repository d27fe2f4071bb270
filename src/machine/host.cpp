#include "machine/host.hpp"

#include <hwloc.h>
#include <omp.h>
#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "base/control_groups.hpp"
#include "device/host/free_memory.hpp"

namespace sextant {
namespace {

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Returns the value of `key` in a file of "key<separator>value" lines, or "".
std::string value_of(const std::string& path, const std::string& key, char separator) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t split = line.find(separator);
    if (split == std::string::npos || line.compare(0, key.size(), key) != 0) continue;
    if (line.find_first_not_of(" \t", key.size()) != split) continue;
    const std::size_t start = line.find_first_not_of(" \t\"", split + 1);
    const std::size_t end = line.find_last_not_of(" \t\"");
    return start == std::string::npos || end < start ? "" : line.substr(start, end - start + 1);
  }
  return "";
}

// Converts "131072 kB" to bytes; 0 if the text has another form.
std::int64_t bytes_of(const std::string& kibibytes) {
  std::istringstream text(kibibytes);
  std::int64_t value = 0;
  return text >> value ? value * 1024 : 0;
}

// Returns the smallest limit in `file` over this process's control group and its ancestors.
template <typename Read>
auto smallest_limit(const std::string& root, const std::string& file, Read read) {
  decltype(read(std::string())) smallest;
  for (const std::string& group : control_groups(root))
    if (const auto limit = read(first_line(group + "/" + file)); limit && (!smallest || *limit < *smallest))
      smallest = limit;
  return smallest;
}

std::optional<double> cpu_limit(const std::string& root) {
  if (const auto limit = smallest_limit(root, "cpu.max", processors_of_quota)) return limit;
  const std::string folder = root + "/sys/fs/cgroup/cpu/";  // version 1 of control groups
  return processors_of_quota(first_line(folder + "cpu.cfs_quota_us") + " " +
                             first_line(folder + "cpu.cfs_period_us"));
}

std::optional<std::int64_t> memory_limit(const std::string& root) {
  return smallest_limit(root, "memory.max", [](const std::string& text) -> std::optional<std::int64_t> {
    std::istringstream stream(text);
    std::int64_t bytes = 0;
    return stream >> bytes ? std::optional(bytes) : std::nullopt;
  });
}

// With OMP_PROC_BIND, this thread's affinity mask covers only one OpenMP place. So this function also counts
// the processors of all places.
int processors_in_affinity_mask() {
  int in_places = 0;
  for (int place = 0; place < omp_get_num_places(); ++place) in_places += omp_get_place_num_procs(place);
  cpu_set_t mask;
  CPU_ZERO(&mask);
  return std::max(in_places, sched_getaffinity(0, sizeof mask, &mask) == 0 ? CPU_COUNT(&mask) : 0);
}

std::int64_t cache_size(hwloc_topology_t topology, hwloc_obj_type_t type, int* count = nullptr) {
  const int found = hwloc_get_nbobjs_by_type(topology, type);
  if (count) *count = std::max(found, 0);
  if (found <= 0) return 0;
  return static_cast<std::int64_t>(hwloc_get_obj_by_type(topology, type, 0)->attr->cache.size);
}

void put(Environment* environment, const std::string& key, const std::string& value) {
  if (!value.empty()) (*environment)[key] = value;
}

void put_count(Environment* environment, const std::string& key, std::int64_t value) {
  if (value > 0) (*environment)[key] = std::to_string(value);
}

// Reads a switch from a file. Returns "on" if its first character is `on`, "off" otherwise, and "" without
// the file.
std::string state_of(const std::string& path, char on) {
  const std::string line = first_line(path);
  return line.empty() ? "" : line[0] == on ? "on" : "off";
}

// Adds the state of turbo mode and of simultaneous multithreading. Intel's driver has its own file for turbo
// mode.
void describe_switches(Environment* environment, const std::string& root) {
  const std::string folder = root + "/sys/devices/system/cpu/";
  const std::string intel = state_of(folder + "intel_pstate/no_turbo", '0');
  put(environment, "cpu.turbo", intel.empty() ? state_of(folder + "cpufreq/boost", '1') : intel);
  put(environment, "cpu.smt", state_of(folder + "smt/active", '1'));
}

void describe_clock(Environment* environment, const std::string& root) {
  const std::string folder = root + "/sys/devices/system/cpu/cpu0/cpufreq/";
  put(environment, "cpu.governor", first_line(folder + "scaling_governor"));
  const auto clock = [&](const char* key, const std::string& kilohertz) {
    std::istringstream text(kilohertz);
    double value = 0;
    if (text >> value) put_count(environment, key, std::llround(value * 1e3));
  };
  clock("cpu.clock", first_line(folder + "scaling_cur_freq"));
  clock("cpu.max_clock", first_line(folder + "cpuinfo_max_freq"));
  std::istringstream megahertz(value_of(root + "/proc/cpuinfo", "cpu MHz", ':'));
  double value = 0;
  if (!environment->contains("cpu.clock") && megahertz >> value)
    put_count(environment, "cpu.clock", std::llround(value * 1e6));
}

void describe_system(Environment* environment, const std::string& root) {
  utsname names{};
  if (uname(&names) == 0) {
    put(environment, "machine", names.nodename);
    put(environment, "os.kernel", std::string(names.sysname) + " " + names.release);
  }
  put(environment, "os", value_of(root + "/etc/os-release", "PRETTY_NAME", '='));
  put(environment, "load",
      first_line(root + "/proc/loadavg").substr(0, first_line(root + "/proc/loadavg").find(' ')));
  if ((" " + value_of(root + "/proc/cpuinfo", "flags", ':') + " ").find(" hypervisor ") != std::string::npos)
    (*environment)["virtual"] = "yes";
}

}  // namespace

std::optional<double> processors_of_quota(const std::string& cpu_max) {
  std::istringstream text(cpu_max);
  double quota = 0, period = 0;
  if (text >> quota >> period && quota > 0 && period > 0) return quota / period;
  return std::nullopt;
}

HostInfo find_host() {
  HostInfo host;
  host.cpu = value_of("/proc/cpuinfo", "model name", ':');
  host.memory = bytes_of(value_of("/proc/meminfo", "MemTotal", ':'));
  hwloc_topology_t topology = nullptr;
  if (hwloc_topology_init(&topology) != 0) return host;
  if (hwloc_topology_load(topology) == 0) {
    const auto count = [&](hwloc_obj_type_t type) {
      return std::max(hwloc_get_nbobjs_by_type(topology, type), 0);
    };
    host.sockets = count(HWLOC_OBJ_PACKAGE);
    host.cores = count(HWLOC_OBJ_CORE);
    host.threads = count(HWLOC_OBJ_PU);
    host.numa_nodes = count(HWLOC_OBJ_NUMANODE);
    host.l1_cache = cache_size(topology, HWLOC_OBJ_L1CACHE);
    int l2_caches = 0, l3_caches = 0;
    host.l2_cache = cache_size(topology, HWLOC_OBJ_L2CACHE, &l2_caches);
    const std::int64_t l3_cache = cache_size(topology, HWLOC_OBJ_L3CACHE, &l3_caches);
    host.last_level_cache = l3_cache ? l3_cache * l3_caches : host.l2_cache * l2_caches;
    const hwloc_obj_t package = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PACKAGE, 0);
    const char* model = package ? hwloc_obj_get_info_by_name(package, "CPUModel") : nullptr;
    if (host.cpu.empty() && model) host.cpu = model;
  }
  hwloc_topology_destroy(topology);
  return host;
}

void describe_host(Environment* environment, const std::string& root) {
  describe_system(environment, root);
  describe_clock(environment, root);
  describe_switches(environment, root);
  const HostInfo host = find_host();
  put(environment, "cpu", host.cpu);
  put_count(environment, "cpu.sockets", host.sockets);
  put_count(environment, "cpu.cores", host.cores);
  put_count(environment, "cpu.threads", host.threads);
  put_count(environment, "cpu.numa_nodes", host.numa_nodes);
  put_count(environment, "cpu.l1_cache", host.l1_cache);
  put_count(environment, "cpu.l2_cache", host.l2_cache);
  put_count(environment, "cpu.last_level_cache", host.last_level_cache);
  put_count(environment, "cpu.usable", processors_in_affinity_mask());
  if (const auto limit = cpu_limit(root)) {
    std::ostringstream text;
    text << *limit;
    put(environment, "cpu.limit", text.str());
  }
  put_count(environment, "memory", host.memory);
  put_count(environment, "memory.available", static_cast<std::int64_t>(free_host_memory(root).value_or(0)));
  if (const auto limit = memory_limit(root)) put_count(environment, "memory.limit", *limit);
}

}  // namespace sextant
