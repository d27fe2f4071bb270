// Formats numbers for people. No other file chooses the prefixes of seconds and bytes.
#pragma once

#include <cstdint>
#include <string>

#include "record/statistics.hpp"
#include "suite/problem.hpp"

namespace sextant {

// Formats with three significant digits and a prefix: 1.23 µs, 45.6 ms. NaN: "-".
std::string format_seconds(double seconds);
// Formats a remaining time or a time limit: "3 s", "2 min 05 s", "1 h 10 min".
std::string format_duration(double seconds);
std::string format_bytes(double bytes);        // 31 KiB, 1.50 GiB
std::string format_bandwidth(double rate);     // decimal prefixes, as in datasheets: 4.35 TB/s, 812 GB/s
std::string format_flop_rate(double rate);     // 12.3 GFLOP/s
std::string format_integer_rate(double rate);  // 12.3 Gop/s
std::string format_joules(double joules);      // 45.6 mJ, 1.23 kJ
std::string format_ratio(double ratio);        // 12.3x, 0.98x, 0.0021x
std::string format_percent(double share);      // 0.123 -> 12.3 %
std::string format_significant(double value);  // 0.00123, 12.3, 4.56e-09

// Formats the extents of a kernel's loops: "3333333", "1024x1024", "100x37x53".
std::string extents_text(const Extents& extents);

// Relative noise from this value on is not printed as a percentage. Instead of "± 119438 %", the output shows
// the interval.
inline constexpr double too_noisy = 0.995;

// Formats the uncertainty of a median: "± 1.2 %". If the interval is about as wide as the median, the text is
// the interval: "47 ms to 1.2 s". With too few samples for an interval, it is "3 samples". It is empty
// without samples.
std::string noise_text(const Interval& interval);

// Formats the uncertainty of a median in few characters: "1.2 %" for its relative half width. If the interval
// is about as wide as the median, the text is a factor, "≤ 3.40x". It is the larger ratio of the median and a
// bound. The text is "few" with too few samples for an interval, and "unknown" if the interval reaches down
// to zero.
std::string uncertainty_text(const Interval& interval);

// Width of a UTF-8 text in terminal columns. Every code point counts as one column.
std::size_t display_width(const std::string& text);

}  // namespace sextant
