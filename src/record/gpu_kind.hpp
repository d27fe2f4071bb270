// Compares the GPUs of sessions: GPUs with the same text of `gpu_kind` count as equal for measurements.
#pragma once

#include <string>

#include "record/environment.hpp"

namespace sextant {

// Returns name, memory and power limit of `device` ("gpu0"), separated by "|". The text is empty for a CPU
// and for a GPU that the session does not describe.
inline std::string gpu_kind(const Environment& environment, const std::string& device) {
  const std::string name = device == "cpu" ? "" : value_of(environment, device + ".name");
  return name.empty() ? name
                      : name + "|" + value_of(environment, device + ".memory") + "|" +
                            value_of(environment, device + ".power_limit");
}

}  // namespace sextant
