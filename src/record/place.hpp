// Parses the text that says on which devices a case runs:
// - cpu or gpu1: one process on that device
// - 4xcpu: four processes (MPI ranks), each with an equal number of the machine's cores
// - 4xgpu: four processes with one GPU each
// - gpu0-3: one process that drives the GPUs 0 to 3 as a group
// - gpu0:4: one process that runs four partitions of the problem on one GPU
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

struct Place {
  bool on_gpu = false;
  int device = 0;   // index of the GPU, or of the first GPU of a group; 0 for ranks and the CPU
  int ranks = 0;    // number of processes (MPI ranks); 0: a single process
  int devices = 0;  // number of GPUs of a device group; 0: not a device group
  int sharing = 1;  // number of partitions per GPU of the group
  bool is_team() const { return devices > 0; }
  bool in_parts() const { return ranks > 0 || is_team(); }
  int parts() const { return ranks > 0 ? ranks : is_team() ? devices * sharing : 1; }
};

inline constexpr int most_ranks = 99'999;

// Returns nothing if the text is not valid.
std::optional<Place> place_of(const std::string& text);

// These functions return 1, 0 or false for an invalid device.
int parts_of(const std::string& device);
int ranks_of(const std::string& device);
// Returns the number of ranks or partitions, or 0 if a single process uses one device.
int parts_together_of(const std::string& device);
bool is_on_cpu(const std::string& device);
// Returns the index of a single GPU: 2 for "gpu2", -1 for "cpu", -2 for any other text.
int gpu_index(const std::string& device);

// Returns true if the machine in `environment` has the device.
bool has_device(const Environment& environment, const std::string& device);

// Splits a list such as "cpu,2xcpu" at its commas.
std::vector<std::string> places_in(const std::string& list);

// Suffix of a problem's name in weak scaling, where every partition has the named size.
inline constexpr const char* each_part = " each";
bool is_weak(const std::string& problem_class);

}  // namespace sextant
