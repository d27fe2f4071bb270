// Simulated GPUs for tests. Their cases run on the host.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// A function that returns the names of the simulated GPUs, by index.
using HostGpus = std::vector<std::string> (*)();

// Installs the function that names the simulated GPUs. Call it before any thread starts.
void install_host_gpus(HostGpus gpus);

// Returns the names of the simulated GPUs. Empty unless a test has installed them.
std::vector<std::string> host_gpus();

// Replaces the machine's GPUs in the environment by the simulated ones.
void describe_host_gpus(Environment* environment);

}  // namespace sextant
