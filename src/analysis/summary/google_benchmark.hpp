// Writes measurements in Google Benchmark's JSON format, for its compare.py and for dashboards.
#pragma once

#include <string>
#include <vector>

#include "analysis/summary/summary.hpp"

namespace sextant {

// Maximum number of samples written as repetitions. The aggregates use all samples.
inline constexpr std::size_t most_repetitions = 25;

// Writes every correct, timed and current measurement. Its name is
// kernel/variant/type/size[/tuning][/cold][/gpuN][/machine]. The parts in brackets occur only if they
// distinguish measurements. Times are call times in nanoseconds. cpu_time equals real_time, because processor
// time is not measured. Cases without times are listed in the context under "left_out".
std::string to_google_benchmark(const std::vector<Summary>& summaries);

}  // namespace sextant
