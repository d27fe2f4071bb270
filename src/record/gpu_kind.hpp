// What makes two GPUs of a machine the same to a measurement.
#pragma once

#include <string>

#include "record/environment.hpp"

namespace sextant {

// Name, memory and power limit of a session's "gpu0", as far as it says; empty for what is no GPU, or not
// known.
inline std::string gpu_kind(const Environment& environment, const std::string& device) {
  const std::string name = device == "cpu" ? "" : value_of(environment, device + ".name");
  return name.empty() ? name
                      : name + "|" + value_of(environment, device + ".memory") + "|" +
                            value_of(environment, device + ".power_limit");
}

}  // namespace sextant
