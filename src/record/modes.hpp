// Detects whether values form two separate groups, such as times at two clocks of a GPU.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "record/measurement.hpp"

namespace sextant {

// Returns Hartigan's dip statistic: the largest distance between the empirical distribution function of the
// values and the nearest unimodal one. It is 1 / (2 n) to 1/4. Algorithm of Hartigan, "Computation of the dip
// statistic to test for unimodality", 1985, with the corrections of the R package diptest. `sorted` must be
// in ascending order and not empty.
double dip(std::span<const double> sorted);

// Returns the dip that n uniform values exceed with a probability of 1 %.
double critical_dip(std::size_t n);

// Fewest values for which two groups are sought.
inline constexpr std::size_t min_mode_values = 10;

// Two groups of values. `share` is the fraction of the values in the first group (0 to 1).
struct TwoModes {
  double first = 0, second = 0;  // medians of the groups; the group with more values is the first
  double share = 0;
};

// Returns the two groups if the dip test finds more than one mode, and if the groups are at least 3 % apart.
std::optional<TwoModes> two_modes(std::span<const double> values);

// Describes the modes of a measurement's clocks or else of its call times: "61 % at 1980 MHz, 39 % at 1710
// MHz". Empty if there is only one mode, or if there are too few samples.
std::string modes_text(const Measurement& measurement);

}  // namespace sextant
