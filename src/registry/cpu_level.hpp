// The instruction-set level of the CPU variants that this process loaded.
#pragma once

namespace sextant {

// Returns the level of the loaded library ("x86-64-v3") in a build with SEXTANT_CPU_LEVELS, else "".
const char* cpu_level();

}  // namespace sextant
