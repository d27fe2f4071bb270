// Names of the counters that tell how many threads a CPU case used.
#pragma once

namespace sextant {

// Number of OpenMP threads. For other libraries 1 if only the calling thread worked.
inline constexpr const char* threads_ran = "threads_ran";
// Processor time of the process divided by elapsed time, for variants that call a library.
inline constexpr const char* processors_busy = "processors_busy";

}  // namespace sextant
