// Parses option values with units. Each function throws UserError, which lists the allowed forms.
#pragma once

#include <cstddef>
#include <string>

#include "plan/shard.hpp"

namespace sextant {

// Parses a positive duration into seconds: "90", "90s", "500ms", "10m", "10min", "1.5h", "1h30m". The error
// names `option`.
double parse_duration(const std::string& text, const std::string& option);

// The allowed range of a share, as a fraction of 1: above `least` and at most `most`. Shares are given in per
// cent, with or without the sign ("5", "5%", "0.5 %"). The text 0.05 means 0.05 %; other forms (5x, 1/20) are
// refused.
struct ShareRange {
  double least = 0;
  bool with_least = false;  // Allow `least` itself.
  double most = 1;
  // Refuse a number below 1 without a sign, because 0.8 may mean 0.8 % or 80 %.
  bool ask_below_one = false;
};
double parse_share(const std::string& text, const std::string& option, const ShareRange& range = {});

// Returns a message on how a share was understood, for standard error: "--threshold: 5 %".
std::string understood_share(const std::string& option, double share);

struct SampleRange {
  int minimum = 0, maximum = 0;
};
// Parses "20" or "10:500". The maximum is the default, or the minimum if that is larger.
SampleRange parse_samples(const std::string& text, int default_maximum);

// The limits of a search: "200" evaluations or "33%" of a space's points, "10m" of time, or both as
// "200,10m". 0 means no limit.
struct TuneBudget {
  std::size_t evaluations = 0;
  double share = 0;
  double seconds = 0;
};
TuneBudget parse_tune_budget(const std::string& text);

Shard parse_shard(const std::string& text);  // "2/4"

}  // namespace sextant
