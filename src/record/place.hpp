// Where a case runs, as the text that its device is: cpu, gpu1; 4xcpu: that many processes (ranks), each with
// its share of the machine's cores; 4xgpu: with a GPU each; gpu0-3: the GPUs 0 to 3 of one process (a team);
// gpu0:4: a team of four parts on one GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

struct Place {
  bool on_gpu = false;
  int device = 0;   // the GPU's number, a team's first; of ranks and of the CPU: 0
  int ranks = 0;    // processes; 0: the case runs in one that has no others beside it
  int devices = 0;  // GPUs of a team; 0: it is none
  int sharing = 1;  // parts on each of them
  bool is_team() const { return devices > 0; }
  bool in_parts() const { return ranks > 0 || is_team(); }
  int parts() const { return ranks > 0 ? ranks : is_team() ? devices * sharing : 1; }
};

inline constexpr int most_ranks = 99'999;

// None: it is no place.
std::optional<Place> place_of(const std::string& text);

// Of a device's text; of one that is no place: 1, 0 and false.
int parts_of(const std::string& device);
int ranks_of(const std::string& device);
int parts_together_of(const std::string& device);  // parts, of ranks or of a team; 0: it is no place of parts
bool is_on_cpu(const std::string& device);

// Whether the machine of this environment has the device.
bool has_device(const Environment& environment, const std::string& device);

// "cpu,2xcpu" taken apart at its commas.
std::vector<std::string> places_in(const std::string& list);

// What says of a problem's name that each part has as much as the name says: weak scaling.
inline constexpr const char* each_part = " each";
bool is_weak(const std::string& problem_class);

}  // namespace sextant
