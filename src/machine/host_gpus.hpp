// Simulated GPUs, whose cases the host executes. Only tests install them (tests/stand_ins/stand_ins.cpp).
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// Returns the names of the simulated GPUs, by index.
using HostGpus = std::vector<std::string> (*)();

// Installs the function that names the simulated GPUs. Call it before any thread starts.
void install_host_gpus(HostGpus gpus);

// Empty unless a test has installed simulated GPUs.
std::vector<std::string> host_gpus();

// Replaces the machine's GPUs by the simulated ones in the environment.
void describe_host_gpus(Environment* environment);

}  // namespace sextant
