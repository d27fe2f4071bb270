// Numbers as people read them. The only place where seconds and bytes get prefixes.
#pragma once

#include <cstdint>
#include <string>

#include "record/statistics.hpp"
#include "suite/problem.hpp"

namespace sextant {

// Three significant digits and a prefix: 1.23 µs, 45.6 ms. NaN: "-".
std::string format_seconds(double seconds);
// Time left or a limit: "3 s", "2 min 05 s", "1 h 10 min".
std::string format_duration(double seconds);
std::string format_bytes(double bytes);        // 31 KiB, 1.50 GiB
std::string format_bandwidth(double rate);     // decimal, as datasheets do: 4.35 TB/s, 812 GB/s
std::string format_flop_rate(double rate);     // 12.3 GFLOP/s
std::string format_integer_rate(double rate);  // 12.3 Gop/s
std::string format_ratio(double ratio);        // 12.3x, 0.98x, 0.0021x
std::string format_percent(double share);      // 0.123 -> 12.3 %
std::string format_significant(double value);  // 0.00123, 12.3, 4.56e-09

// The extents that a kernel's loops run over: "3333333", "1024x1024", "100x37x53".
std::string extents_text(const Extents& extents);

// From here on a share of noise is not printed: "± 119438 %" says less than the interval itself.
inline constexpr double too_noisy = 0.995;

// How well a median is known: "± 1.2 %"; "noisy, 47 ms to 1.2 s" where its interval is as wide as the median;
// "3 samples" where there are too few to say; nothing without samples.
std::string noise_text(const Interval& interval);

// Columns that a UTF-8 text takes on a terminal, counting a code point as one.
std::size_t display_width(const std::string& text);

}  // namespace sextant
