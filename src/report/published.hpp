// Figures that the source study published: shown beside the measured ones, never mixed with them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "analysis/study/study.hpp"

namespace sextant::report {

// L. Navarro Lorente's thesis on micro-kernels in CUDA and OpenACC: an RTX 3080 against one core of an
// i5-2400 (gcc -O2), floats.
inline constexpr const char* published_source =
    "L. Navarro Lorente's thesis: RTX 3080 against one core of an i5-2400 (gcc -O2), float";

// The study's figures for the row's kernel, as its description has them, at the row's N; column: cuda or
// openacc.
std::optional<double> published_speedup(const StudyRow& row, const std::string& column);
std::optional<double> published_speedup_with_transfers(const StudyRow& row, const std::string& column);
// Of the whole working set, both ways, in seconds: the same for every kernel.
std::optional<double> published_transfer_time(const std::string& column, std::int64_t n);
// Best threads per block, "16x16"; empty if not published.
std::string published_block(const StudyRow& row, const std::string& column);

}  // namespace sextant::report
