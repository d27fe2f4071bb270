// Parses the text that says where a case runs:
// - cpu or gpu1: One process on that device.
// - 4xcpu: Four processes (ranks), each with an equal number of the machine's cores.
// - 4xgpu: Four processes with one GPU each.
// - gpu0-3: The GPUs 0 to 3, driven by one process as a device group.
// - gpu0:4: A device group of four partitions on one GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

struct Place {
  bool on_gpu = false;
  int device = 0;   // Index of the GPU, or of a group's first GPU; 0 for ranks and the CPU.
  int ranks = 0;    // Number of processes; 0: a single process without ranks.
  int devices = 0;  // GPUs of a device group; 0: not a device group.
  int sharing = 1;  // Partitions per GPU of the group.
  bool is_team() const { return devices > 0; }
  bool in_parts() const { return ranks > 0 || is_team(); }
  int parts() const { return ranks > 0 ? ranks : is_team() ? devices * sharing : 1; }
};

inline constexpr int most_ranks = 99'999;

// Returns nothing if `text` is not valid.
std::optional<Place> place_of(const std::string& text);

// These functions take a device text. For an invalid text they return 1, 0 or false.
int parts_of(const std::string& device);
int ranks_of(const std::string& device);
// Number of ranks or partitions; 0 if a single process uses one device.
int parts_together_of(const std::string& device);
bool is_on_cpu(const std::string& device);

// True if the machine that the environment describes has the device.
bool has_device(const Environment& environment, const std::string& device);

// Splits a list such as "cpu,2xcpu" at its commas.
std::vector<std::string> places_in(const std::string& list);

// Suffix of a problem's name for weak scaling: each part has the size that the name states.
inline constexpr const char* each_part = " each";
bool is_weak(const std::string& problem_class);

}  // namespace sextant
