// Names of the counters that say on how many threads a case on the CPU ran.
#pragma once

namespace sextant {

// Number of threads of OpenMP's team; for other libraries 1 if only the calling thread ran.
inline constexpr const char* threads_ran = "threads_ran";
// Processor time of the whole process per wall-clock time, while a library's variant ran.
inline constexpr const char* processors_busy = "processors_busy";

}  // namespace sextant
