// Figures that the source study published. They are shown next to measured figures and never mixed with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/study/study.hpp"

namespace sextant::report {

// L. Navarro Lorente's thesis on micro-kernels in CUDA and OpenACC. It compares an RTX 3080 with one core of
// an i5-2400 (gcc -O2), in float.
inline constexpr const char* published_source =
    "L. Navarro Lorente's thesis: RTX 3080 against one core of an i5-2400 (gcc -O2), float";

// The speed-ups that the study published for the row's kernel at the row's N, from the kernel's description.
// `column` is "cuda" or "openacc". Nothing if there are none.
std::optional<double> published_speedup(const StudyRow& row, const std::string& column);
std::optional<double> published_speedup_with_transfers(const StudyRow& row, const std::string& column);
// Seconds to copy the whole working set to the device and back. The study gives the same value for all
// kernels.
std::optional<double> published_transfer_time(const std::string& column, std::int64_t n);
// The best number of threads per block according to the study, such as "16x16"; empty if not published.
std::string published_block(const StudyRow& row, const std::string& column);

}  // namespace sextant::report
