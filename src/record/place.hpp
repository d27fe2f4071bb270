// Where a case runs, as the text that its device is: cpu, gpu1; 4xcpu, 8xgpu: that many processes (ranks), each with its
// share of the machine's cores or with a GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sextant {

struct Place {
  bool on_gpu = false;
  int device = 0;  // the GPU's number; of ranks and of the CPU: 0
  int ranks = 0;   // processes; 0: the case runs in one that has no others beside it
  int parts() const { return ranks > 0 ? ranks : 1; }
};

inline constexpr int most_ranks = 99'999;

// None: it is no place.
std::optional<Place> place_of(const std::string& text);

// Of a device's text; of one that is no place: 1, 0 and false.
int parts_of(const std::string& device);
int ranks_of(const std::string& device);
bool is_on_cpu(const std::string& device);

// "cpu,2xcpu" taken apart at its commas.
std::vector<std::string> places_in(const std::string& list);

// What says of a problem's name that each part has as much as the name says: weak scaling.
inline constexpr const char* each_part = " each";
bool is_weak(const std::string& problem_class);

}  // namespace sextant
