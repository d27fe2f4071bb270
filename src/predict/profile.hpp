// The profile of a machine: hardware sizes and ceilings (measured peak rates and launch costs). They are the
// features of a prediction that do not depend on the kernel.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/summary/roofline.hpp"
#include "record/results.hpp"

namespace sextant::predict {

// Seconds as a function of bytes: linear between measured sizes, constant below the smallest size, and
// proportional to the size above the largest one.
class CostOverSize {
 public:
  void add(std::int64_t bytes, double seconds) { points_[bytes] = seconds; }
  bool known() const { return !points_.empty(); }
  // Seconds for this size; nothing if nothing was measured.
  std::optional<double> at(std::int64_t bytes) const;

 private:
  std::map<std::int64_t, double> points_;
};

// A GPU with its copy and allocation costs. Its other ceilings are in Profile::on_gpu.
struct GpuProfile {
  std::string name;
  // Number of multiprocessors; bytes of the second-level cache and of memory; 0: unknown.
  double multiprocessors = 0, l2_cache = 0, memory = 0;
  // Multiprocessors of the whole GPU if only a part of it is available; 0: the whole GPU is available.
  double whole_multiprocessors = 0;
  double pcie_generation = 0, pcie_width = 0;
  CostOverSize copy_in, copy_out;  // costs of copies from and to ordinary (pageable) host memory
  CostOverSize allocate, release;
};

// A machine: its processor and one of its GPUs. Sizes are in bytes. A count or size of 0 is unknown.
struct Profile {
  std::string machine;                         // name of the machine; never a feature
  std::string processor;                       // model name; never a feature
  double sockets = 0, cores = 0, threads = 0;  // `threads`: number of OpenMP threads
  double l1_cache = 0, l2_cache = 0, last_level_cache = 0, memory = 0;
  // Load average just before the ceilings were measured: the processors that other programs used; never a
  // feature.
  double load = 0;
  std::optional<GpuProfile> gpu;
  std::vector<Ceiling> ceilings;  // measured ceilings of the devices "cpu" and "gpu0"

  // Derived from `ceilings`: one core, all cores, the GPU.
  Roofline one_core{{}, ""}, all_cores{{}, ""}, on_gpu{{}, ""};
};

// Profile from a session's environment and ceilings. `gpu` is the device name ("gpu0"). Without that device,
// the profile has no GPU.
Profile profile_of(const Session& session, const std::string& gpu = "gpu0");

// Computes the members that are derived from `ceilings`. Call it whenever `ceilings` changes.
void digest(Profile* profile);

// True if other programs used so much of the processors at this load average that measured speeds are too
// low.
bool is_loaded(double load, double threads);

// Identifies a machine's hardware: processor, threads, GPU and PCIe link. Machines with different host names
// can have the same hardware.
std::string hardware_of(const Profile& profile);

// Identifies the hardware without the number of threads, and with the whole GPU even if only a part is
// available. In tests, a part of a machine is thus never predicted from another part.
std::string whole_hardware_of(const Profile& profile);
std::string whole_hardware_of(const std::string& hardware);  // converts a result of hardware_of

// Merges results of hardware_of that differ only in their number of threads, for example into "Xeon, 4, 16
// threads; NVIDIA H200". Keeps the order of first occurrence.
std::vector<std::string> joined_by_threads(const std::vector<std::string>& hardware);

// Describes which part of a machine is available: "8 of 16 cores" if OpenMP has fewer threads than there are
// cores, "33 of 132 multiprocessors" for a part of a GPU. Empty for a whole machine.
std::string partition_of(const Profile& profile);

// Converts a profile to and from a JSON object. Reading throws UserError for invalid text.
std::string to_json(const Profile& profile);
Profile profile_from_json(const std::string& text);

// One feature of a profile. `value` is NaN if the feature is unknown.
struct ProfileColumn {
  std::string name;
  const char* unit;  // "bytes", "bytes/s", "FLOP/s", "s"; "" for counts
  double value;
};

// All features, in the same order for every machine: counts, sizes, and rates at fixed footprints.
std::vector<ProfileColumn> profile_columns(const Profile& profile);

}  // namespace sextant::predict
