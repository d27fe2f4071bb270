// Option values with units, as text; each throws UserError that says what is allowed.
#pragma once

#include <cstddef>
#include <string>

#include "plan/shard.hpp"

namespace sextant {

// "90", "90s", "500ms", "10m", "10min", "1.5h", "1h30m": seconds, more than none. `option` is named in the
// error.
double parse_duration(const std::string& text, const std::string& option);

// A share as every option takes it: a percentage, with or without its sign ("5", "5%", "0.5 %"), above
// `least` and at most `most` (both as parts of 1). 0.05 is 0.05 %; other forms (5x, 1/20) are refused.
struct ShareRange {
  double least = 0;
  bool with_least = false;  // `least` itself is allowed
  double most = 1;
  bool ask_below_one = false;  // refuse a number below 1 without a sign, which may mean 0.8 % or 80 %
};
double parse_share(const std::string& text, const std::string& option, const ShareRange& range = {});

// "--threshold: 5 %": how a share was understood, for standard error.
std::string understood_share(const std::string& option, double share);

struct SampleRange {
  int minimum = 0, maximum = 0;
};
// "20" or "10:500"; the default maximum stays unless it is below the minimum.
SampleRange parse_samples(const std::string& text, int default_maximum);

// What a search may cost: "200" evaluations or "33%" of a space's points, "10m" of time, or both: "200,10m".
// 0: no limit of that kind.
struct TuneBudget {
  std::size_t evaluations = 0;
  double share = 0;
  double seconds = 0;
};
TuneBudget parse_tune_budget(const std::string& text);

Shard parse_shard(const std::string& text);  // "2/4"

}  // namespace sextant
