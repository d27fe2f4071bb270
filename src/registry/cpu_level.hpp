// For which processors the CPU's variants of this process are.
#pragma once

namespace sextant {

// In a build with SEXTANT_CPU_LEVELS the level whose library was loaded: "x86-64-v3"; else "".
const char* cpu_level();

}  // namespace sextant
