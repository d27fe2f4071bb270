// GPUs whose cases the host executes. The program has none; tests install some
// (tests/stand_ins/stand_ins.cpp).
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// Their names, by index.
using HostGpus = std::vector<std::string> (*)();

// From here on `gpus` is asked for them. Call it before threads start.
void install_host_gpus(HostGpus gpus);

// Empty unless a test has installed some.
std::vector<std::string> host_gpus();

// Adds them to the environment in place of the machine's GPUs.
void describe_host_gpus(Environment* environment);

}  // namespace sextant
