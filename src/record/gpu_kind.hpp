// Identifies the kind of a GPU. Measurements on GPUs of one kind can be compared.
#pragma once

#include <string>

#include "record/environment.hpp"

namespace sextant {

// Returns name, memory and power limit of `device` ("gpu0"), separated by "|". Returns "" for a CPU and for a
// GPU without a description.
inline std::string gpu_kind(const Environment& environment, const std::string& device) {
  const std::string name = device == "cpu" ? "" : value_of(environment, device + ".name");
  return name.empty() ? name
                      : name + "|" + value_of(environment, device + ".memory") + "|" +
                            value_of(environment, device + ".power_limit");
}

}  // namespace sextant
