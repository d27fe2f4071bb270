// Stand-ins for GPUs: for tests on machines without any. SEXTANT_STAND_IN_GPUS=alpha,alpha,beta makes gpu0, gpu1 and gpu2 of
// those names, whose cases run on the host: variants with directives, and a test's own.
#pragma once

#include <string>
#include <vector>

#include "record/environment.hpp"

namespace sextant {

// Their names, by index, those alone that CUDA_VISIBLE_DEVICES lets be seen if it is set; empty unless the variable asks for some.
std::vector<std::string> stand_in_gpus();

// Adds them to the environment in place of the machine's GPUs.
void describe_stand_in_gpus(Environment* environment);

}  // namespace sextant
