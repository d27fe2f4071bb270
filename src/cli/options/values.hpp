// Parses option values with units. Each function throws UserError with a message that lists the allowed
// forms.
#pragma once

#include <cstddef>
#include <string>

#include "plan/shard.hpp"

namespace sextant {

// Parses a positive duration and returns it in seconds: "90", "90s", "500ms", "10m", "10min", "1.5h",
// "1h30m". Error messages name `option`.
double parse_duration(const std::string& text, const std::string& option);

// The allowed range of a percentage, as a fraction of 1: above `least` and at most `most`. The user types per
// cent, with or without the sign ("5", "5%", "0.5 %"). The text 0.05 therefore means 0.05 %. Other forms (5x,
// 1/20) are refused.
struct ShareRange {
  double least = 0;
  bool with_least = false;  // True to allow `least` itself.
  double most = 1;
  // True to refuse a number below 1 without a sign, because 0.8 may mean 0.8 % or 80 %.
  bool ask_below_one = false;
};
double parse_share(const std::string& text, const std::string& option, const ShareRange& range = {});

// Returns a message for standard error that repeats a percentage as Sextant understood it: "--threshold: 5
// %".
std::string understood_share(const std::string& option, double share);

struct SampleRange {
  int minimum = 0, maximum = 0;
};
// Parses "20" or "10:500", the minimum and maximum number of samples. Without a maximum in the text, the
// maximum is `default_maximum`, or the minimum if that is larger.
SampleRange parse_samples(const std::string& text, int default_maximum);

// The limits of a search. The text form is a number of evaluations ("200" or "33%" of a space's points), a
// time ("10m"), or both ("200,10m"). 0 means no limit.
struct TuneBudget {
  std::size_t evaluations = 0;
  double share = 0;
  double seconds = 0;
};
TuneBudget parse_tune_budget(const std::string& text);

Shard parse_shard(const std::string& text);  // Parses shard 2 of 4: "2/4".

}  // namespace sextant
