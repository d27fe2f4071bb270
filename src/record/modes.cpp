#include "record/modes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "record/statistics.hpp"

namespace sextant {
namespace {

constexpr double least_gap = 0.03;

using Indices = std::vector<std::size_t>;

// Computes the dip of sorted values. Distances are in units of 1 / n until dip() divides them.
class DipComputation {
 public:
  explicit DipComputation(std::span<const double> sorted)
      : x_(sorted), minorant_(sorted.size()), majorant_(sorted.size()) {
    fit_minorant();
    fit_majorant();
  }

  double compute() {
    std::size_t low = 0, high = x_.size() - 1;
    double dip = 1;
    while (true) {
      const Indices below = touching_minorant(low, high), above = touching_majorant(low, high);
      std::size_t in_below = below.size() - 1, in_above = above.size() - 1;
      const double distance = largest_distance(below, above, &in_below, &in_above);
      if (distance < dip) break;
      dip = std::max({dip, convex_part(below, in_below), concave_part(above, in_above)});
      if (low == below[in_below] && high == above[in_above]) break;
      low = below[in_below];
      high = above[in_above];
    }
    return dip;
  }

 private:
  double rise(std::size_t from, std::size_t to) const { return static_cast<double>(to - from); }

  // minorant_[i] is the index before i on the greatest convex minorant of the values up to i.
  void fit_minorant() {
    for (std::size_t i = 1; i < x_.size(); ++i) {
      std::size_t m = i - 1;
      while (m > 0) {
        const std::size_t before = minorant_[m];
        if ((x_[i] - x_[m]) * rise(before, m) < (x_[m] - x_[before]) * rise(m, i)) break;
        m = before;
      }
      minorant_[i] = m;
    }
  }

  // majorant_[i] is the index after i on the least concave majorant of the values from i on.
  void fit_majorant() {
    const std::size_t last = x_.size() - 1;
    majorant_[last] = last;
    for (std::size_t i = last; i-- > 0;) {
      std::size_t m = i + 1;
      while (m < last) {
        const std::size_t after = majorant_[m];
        if ((x_[m] - x_[i]) * rise(m, after) < (x_[after] - x_[m]) * rise(i, m)) break;
        m = after;
      }
      majorant_[i] = m;
    }
  }

  // indices at which the minorant touches the distribution, from high to low
  Indices touching_minorant(std::size_t low, std::size_t high) const {
    Indices touching = {high};
    while (touching.back() > low) touching.push_back(minorant_[touching.back()]);
    return touching;
  }
  // indices at which the majorant touches the distribution, from low to high
  Indices touching_majorant(std::size_t low, std::size_t high) const {
    Indices touching = {low};
    while (touching.back() < high) touching.push_back(majorant_[touching.back()]);
    return touching;
  }

  // Returns the largest distance between the minorant and the majorant. The indices receive the position of
  // the touching points that enclose the modal interval.
  double largest_distance(const Indices& below, const Indices& above, std::size_t* in_below,
                          std::size_t* in_above) const {
    if (below.size() == 2 && above.size() == 2) return 1;
    double largest = 0;
    std::size_t i = below.size() - 2, j = 1;
    while (true) {
      const std::size_t b = below[i], a = above[j];
      double distance = 0;
      const bool next_is_above = b > a;
      if (next_is_above) {
        const std::size_t from = below[i + 1];
        distance = static_cast<double>(a) - static_cast<double>(from) + 1 -
                   (x_[a] - x_[from]) * rise(from, b) / (x_[b] - x_[from]);
        ++j;
      } else {
        const std::size_t from = above[j - 1];
        distance = (x_[b] - x_[from]) * rise(from, a) / (x_[a] - x_[from]) -
                   (static_cast<double>(b) - static_cast<double>(from) - 1);
        i = i == 0 ? below.size() : i - 1;  // below.size(): past the last point
      }
      const std::size_t next = i == below.size() ? 0 : i + 1;
      if (distance >= largest) {
        largest = distance;
        *in_below = next;
        *in_above = next_is_above ? j - 1 : j;
      }
      if (i == below.size()) i = 0;
      j = std::min(j, above.size() - 1);
      if (below[i] == above[j]) return largest;
    }
  }

  // Returns the largest distance between the distribution and its minorant, below the modal interval.
  double convex_part(const Indices& below, std::size_t in_below) const {
    double largest = 0;
    for (std::size_t k = in_below; k + 1 < below.size(); ++k) {
      const std::size_t begin = below[k + 1], end = below[k];
      double most = 1;
      if (end - begin > 1 && x_[end] > x_[begin])
        for (std::size_t i = begin; i <= end; ++i)
          most = std::max(
              most, rise(begin, i) + 1 - (x_[i] - x_[begin]) * rise(begin, end) / (x_[end] - x_[begin]));
      largest = std::max(largest, most);
    }
    return largest;
  }

  // Returns the largest distance between the distribution and its majorant, above the modal interval.
  double concave_part(const Indices& above, std::size_t in_above) const {
    double largest = 0;
    for (std::size_t k = in_above; k + 1 < above.size(); ++k) {
      const std::size_t begin = above[k], end = above[k + 1];
      double most = 1;
      if (end - begin > 1 && x_[end] > x_[begin])
        for (std::size_t i = begin; i <= end; ++i)
          most = std::max(
              most, (x_[i] - x_[begin]) * rise(begin, end) / (x_[end] - x_[begin]) - (rise(begin, i) - 1));
      largest = std::max(largest, most);
    }
    return largest;
  }

  std::span<const double> x_;
  Indices minorant_, majorant_;
};

double median_of(std::span<const double> values) { return median_interval(values).median; }

// Returns the position that splits the sorted values into two groups with the smallest sum of squares.
std::size_t best_split(std::span<const double> sorted) {
  double sum = 0, all = 0;
  for (const double value : sorted) all += value;
  std::size_t best = 1;
  double most = 0;
  const auto n = static_cast<double>(sorted.size());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    sum += sorted[i - 1];
    const auto left = static_cast<double>(i);
    const double between = sum / left - (all - sum) / (n - left), weight = left * (n - left);
    if (const double squares = weight * between * between; squares > most) most = squares, best = i;
  }
  return best;
}

std::string seconds_text(double seconds) {
  char text[32];
  const auto [unit, scale] = seconds < 1e-3 ? std::pair("µs", 1e6)
                             : seconds < 1  ? std::pair("ms", 1e3)
                                            : std::pair("s", 1.0);
  std::snprintf(text, sizeof text, "%.3g %s", seconds * scale, unit);
  return text;
}

std::string megahertz_text(double clock) { return std::to_string(std::lround(clock * 1e-6)) + " MHz"; }

// Returns the clock of each group of samples, of all processes.
std::vector<double> clocks_of(const Measurement& m) {
  std::vector<double> clocks;
  for (const SampledState& state : m.states)
    for (const SampleGroup& group : state.groups)
      if (group.clock) clocks.push_back(*group.clock);
  return clocks;
}

}  // namespace

double critical_dip(std::size_t n) {
  // Fitted to 100 000 simulated samples each of 10 to 1000 values, within 2 %.
  const double root = std::sqrt(static_cast<double>(n));
  return (0.64 - 0.43 / root) / root;
}

double dip(std::span<const double> sorted) {
  const auto n = static_cast<double>(sorted.size());
  if (sorted.size() < 2 || !(sorted.front() < sorted.back())) return 1 / (2 * n);
  return DipComputation(sorted).compute() / (2 * n);
}

std::optional<TwoModes> two_modes(std::span<const double> values) {
  if (values.size() < min_mode_values) return std::nullopt;
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  if (!(sorted.front() > 0) || dip(sorted) <= critical_dip(sorted.size())) return std::nullopt;
  const std::size_t split = best_split(sorted);
  const std::span<const double> all(sorted), low = all.first(split), high = all.subspan(split);
  if (median_of(high) < (1 + least_gap) * median_of(low)) return std::nullopt;
  TwoModes modes{median_of(low), median_of(high),
                 static_cast<double>(low.size()) / static_cast<double>(sorted.size())};
  if (modes.share < 0.5) modes = {modes.second, modes.first, 1 - modes.share};
  return modes;
}

std::string modes_text(const Measurement& m) {
  const auto text_of = [](const TwoModes& modes, const auto& value_text) {
    const auto percent = std::lround(100 * modes.share);
    return std::to_string(percent) + " % at " + value_text(modes.first) + ", " +
           std::to_string(100 - percent) + " % at " + value_text(modes.second);
  };
  if (const auto clocks = two_modes(clocks_of(m))) return text_of(*clocks, megahertz_text);
  if (const auto times = two_modes(m.call_times)) return text_of(*times, seconds_text);
  return {};
}

}  // namespace sextant
