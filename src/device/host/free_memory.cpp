#include "device/host/free_memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

#include "base/control_groups.hpp"

namespace sextant {
namespace {

using Bytes = std::optional<std::size_t>;

// Names of the files that describe the memory of a control group. Each file holds a number of bytes, or "max"
// if there is no limit.
struct MemoryFiles {
  const char *limit, *used;
  std::vector<std::string> page_cache;  // keys in memory.stat for reclaimable memory, which `used` includes
};

Bytes number_in(const std::string& path) {
  std::ifstream file(path);
  std::size_t value = 0;
  return file >> value ? Bytes(value) : std::nullopt;
}

// Returns the number that follows `key` at the start of a line of the file.
Bytes number_behind(const std::string& path, const std::string& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream text(line);
    std::string word;
    std::size_t value = 0;
    if (text >> word >> value && word == key) return value;
  }
  return std::nullopt;
}

Bytes left_in(const std::string& folder, const MemoryFiles& files) {
  const Bytes limit = number_in(folder + "/" + files.limit), used = number_in(folder + "/" + files.used);
  if (!limit || !used) return std::nullopt;
  std::size_t giving_way = 0;
  for (const std::string& key : files.page_cache)
    giving_way += number_behind(folder + "/memory.stat", key).value_or(0);
  const std::size_t kept = *used - std::min(*used, giving_way);
  return *limit - std::min(*limit, kept);
}

void lower(Bytes* least, const Bytes& other) {
  if (other && (!*least || *other < **least)) *least = other;
}

}  // namespace

// MemAvailable counts page cache as available (https://docs.kernel.org/filesystems/proc.html). A control
// group counts page cache as used, so left_in() subtracts it. Sources:
// https://docs.kernel.org/admin-guide/cgroup-v2.html and cgroup-v1/memory.html.
std::optional<std::size_t> free_host_memory(const std::string& root) {
  const Bytes kibibytes = number_behind(root + "/proc/meminfo", "MemAvailable:");
  Bytes least = kibibytes ? Bytes(*kibibytes * 1024) : std::nullopt;
  for (const std::string& folder : control_groups(root))
    lower(&least, left_in(folder, {"memory.max", "memory.current", {"inactive_file", "active_file"}}));
  for (const std::string& folder : control_groups(root, "memory"))
    lower(&least, left_in(folder, {"memory.limit_in_bytes",
                                   "memory.usage_in_bytes",
                                   {"total_inactive_file", "total_active_file"}}));
  return least;
}

std::optional<std::size_t> free_addresses() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  const Bytes pages = number_in("/proc/self/statm");
  const std::size_t taken = pages.value_or(0) * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::size_t>(limit.rlim_cur, taken);
}

}  // namespace sextant
