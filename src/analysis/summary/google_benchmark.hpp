// Measurements in the layout of Google Benchmark's JSON, for its compare.py and the dashboards that read it.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Samples of a case that are written as repetitions; the aggregates are of all of them.
inline constexpr std::size_t most_repetitions = 25;

// Every correct, timed and current measurement under the name kernel/variant/type/size[/tuning][/cold][/gpuN]
// [/machine]: what is in brackets only where it is needed. Call times in nanoseconds; cpu_time is the same,
// because the processor's own time is not measured. Cases without times are listed in the context as
// "left_out".
std::string to_google_benchmark(const std::vector<Summary>& summaries);

}  // namespace sextant
