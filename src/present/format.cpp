#include "present/format.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/plural.hpp"

namespace sextant {
namespace {

// Formats with three significant digits, without an exponent for 0.1 <= value < 10 000.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return fmt::format("{:.0f}", value);
  if (size >= 9.995) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

// Uses the largest unit in which the number is at least 1. The number is rounded first, so 999.6 becomes 1.00
// of the next unit.
template <std::size_t Count>
std::string scaled(double value, double base, const std::array<const char*, Count>& names) {
  std::size_t step = 0;
  while (step + 1 < Count && std::abs(value) >= base - 0.5) {
    value /= base;
    ++step;
  }
  return three_digits(value) + " " + names[step];
}

}  // namespace

std::string format_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "-";
  if (seconds >= 0.9995) return three_digits(seconds) + " s";
  return scaled(seconds * 1e9, 1000, std::array{"ns", "µs", "ms"});
}

std::string format_duration(double seconds) {
  if (!(seconds < 1e9)) return "-";
  const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string format_bytes(double bytes) {
  if (!std::isfinite(bytes)) return "-";
  if (bytes < 1024) return fmt::format("{:.0f} B", bytes);
  constexpr std::array names = {"B", "KiB", "MiB", "GiB", "TiB"};
  // A whole number of units is printed without decimals: 4 KiB.
  for (std::size_t step = names.size(); --step > 0;) {
    const double count = bytes / std::pow(1024, static_cast<double>(step));
    if (count >= 1 && count == std::floor(count)) return fmt::format("{:.0f} {}", count, names[step]);
    if (count >= 1) break;
  }
  return scaled(bytes, 1024, names);
}

std::string format_bandwidth(double rate) {
  if (!std::isfinite(rate)) return "-";
  return scaled(rate, 1000, std::array{"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
}

std::string format_joules(double joules) {
  if (!std::isfinite(joules)) return "-";
  return scaled(joules * 1e9, 1000, std::array{"nJ", "µJ", "mJ", "J", "kJ", "MJ"});
}

std::string format_flop_rate(double rate) {
  if (!std::isfinite(rate)) return "-";
  return scaled(rate, 1000, std::array{"FLOP/s", "kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"});
}

std::string format_integer_rate(double rate) {
  if (!std::isfinite(rate)) return "-";
  return scaled(rate, 1000, std::array{"op/s", "kop/s", "Mop/s", "Gop/s", "Top/s", "Pop/s"});
}

std::string format_ratio(double ratio) {
  if (!std::isfinite(ratio)) return "-";
  if (ratio > 0 && ratio < 0.0995)
    return fmt::format("{:.2g}x", ratio);  // 0.0021x, which two decimals would show as 0.00x
  return three_digits(ratio) + "x";
}

std::string format_percent(double share) {
  return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "-";
}

std::string format_significant(double value) {
  if (std::isnan(value)) return "-";
  if (value == std::rint(value) && std::abs(value) < 1e7) return fmt::format("{:.0f}", value);
  return fmt::format("{:.3g}", value);
}

std::string extents_text(const Extents& extents) {
  std::string text = std::to_string(extents.x);
  if (extents.y > 1 || extents.z > 1) text += "x" + std::to_string(extents.y);
  if (extents.z > 1) text += "x" + std::to_string(extents.z);
  return text;
}

std::string noise_text(const Interval& interval) {
  if (interval.samples == 0) return {};
  if (interval.samples < min_interval_samples) return plural(interval.samples, "sample");
  const double share = noise(interval);
  if (!(share < too_noisy)) return format_seconds(interval.low) + " to " + format_seconds(interval.high);
  return "± " + format_percent(share);
}

std::string uncertainty_text(const Interval& interval) {
  if (interval.samples < min_interval_samples) return interval.samples == 0 ? "" : "few";
  if (noise(interval) < too_noisy) return format_percent(noise(interval));
  if (!(interval.low > 0)) return "unknown";
  constexpr double most = 1000;
  const double factor = std::max(interval.high / interval.median, interval.median / interval.low);
  return factor > most ? "> 1000x" : "≤ " + format_ratio(factor);
}

std::size_t display_width(const std::string& text) {
  std::size_t width = 0;
  for (const char c : text)
    // Counts every byte except continuation bytes of UTF-8.
    if ((static_cast<unsigned char>(c) & 0xC0) != 0x80) ++width;
  return width;
}

}  // namespace sextant
