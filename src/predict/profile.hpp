// What can be known of a machine without running a kernel on it: the features of a prediction that are the
// same for every kernel.
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

// Seconds that something takes over its bytes: a line between two sizes that were measured; in proportion
// beyond the last, as long as the first below it.
class CostOverSize {
 public:
  void add(std::int64_t bytes, double seconds) { points_[bytes] = seconds; }
  bool known() const { return !points_.empty(); }
  // Nothing where nothing was measured.
  std::optional<double> at(std::int64_t bytes) const;

 private:
  std::map<std::int64_t, double> points_;
};

// A GPU with what copies to it, beside what Roofline has of its ceilings.
struct GpuProfile {
  std::string name;
  double multiprocessors = 0, l2_cache = 0, memory = 0;  // count, bytes; 0: not known
  double whole_multiprocessors = 0;                      // of the GPU that this is a part of; 0: it is whole
  double pcie_generation = 0, pcie_width = 0;
  CostOverSize copy_in, copy_out;  // of ordinary (pageable) memory
  CostOverSize allocate, release;
};

// A machine: its processor and one of its GPUs. Counts and bytes are 0 where they are not known.
struct Profile {
  std::string machine;                         // its name; never a feature
  std::string processor;                       // its model; never a feature
  double sockets = 0, cores = 0, threads = 0;  // threads: OpenMP's
  double l1_cache = 0, l2_cache = 0, last_level_cache = 0, memory = 0;
  std::optional<GpuProfile> gpu;
  std::vector<Ceiling> ceilings;  // of "cpu" and of the GPU as "gpu0"

  // Made of `ceilings`: of one core, of all, of the GPU.
  Roofline one_core{{}, ""}, all_cores{{}, ""}, on_gpu{{}, ""};
};

// Of a session's environment and ceilings; `gpu` is its device ("gpu0"). Without that device there is no GPU.
Profile profile_of(const Session& session, const std::string& gpu = "gpu0");

// Fills in what is made of `ceilings`, after whoever changed them.
void digest(Profile* profile);

// What makes two machines one to a prediction: processor, GPU and the link between them. Hosts' names do not
// count.
std::string hardware_of(const Profile& profile);

// The same without its threads, of the whole GPU: what parts of one machine have in common, so that none may
// teach what another is asked.
std::string whole_hardware_of(const Profile& profile);
std::string whole_hardware_of(const std::string& hardware);  // of what hardware_of gave

// What hardware_of gave of several machines, those that differ in their threads alone as one, in the order of
// their first: "Xeon, 4, 16 threads; NVIDIA H200".
std::vector<std::string> joined_by_threads(const std::vector<std::string>& hardware);

// "8 of 16 cores" where OpenMP has fewer threads than the host has cores, "33 of 132 multiprocessors" where
// that is what there is of the GPU; empty for a whole machine.
std::string partition_of(const Profile& profile);

// As one JSON object. Reading throws UserError where the text is none.
std::string to_json(const Profile& profile);
Profile profile_from_json(const std::string& text);

// One feature of a profile. `value` is NaN where it is not known.
struct ProfileColumn {
  std::string name;
  const char* unit;  // "bytes", "bytes/s", "FLOP/s", "s"; "" for counts
  double value;
};

// All of them, in the same order for every machine: sizes, then rates at named footprints.
std::vector<ProfileColumn> profile_columns(const Profile& profile);

}  // namespace sextant::predict
