// Values that a study published. The report shows them next to measured values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/study/study.hpp"

namespace sextant::report {

// Source: L. Navarro Lorente's thesis on micro-kernels in CUDA and OpenACC. It compares an RTX 3080 with one
// core of an i5-2400 (gcc -O2), in float.
inline constexpr const char* published_source =
    "L. Navarro Lorente's thesis: RTX 3080 against one core of an i5-2400 (gcc -O2), float";

// Return the published speed-up of the row's kernel at the row's N, or nothing. `column` is "cuda" or
// "openacc".
std::optional<double> published_speedup(const StudyRow& row, const std::string& column);
std::optional<double> published_speedup_with_transfers(const StudyRow& row, const std::string& column);
// Returns the seconds to copy all arrays to the device and back. The study gives one value for all kernels.
std::optional<double> published_transfer_time(const std::string& column, std::int64_t n);
// Returns the published best number of threads per block, such as "16x16", or "".
std::string published_block(const StudyRow& row, const std::string& column);

}  // namespace sextant::report
