// Option values with units, as text; each throws UserError that says what is allowed.
#pragma once

#include <cstddef>
#include <string>

namespace sextant {

// "90", "90s", "500ms", "10m", "10min", "1.5h", "1h30m": seconds, more than none. `option` is named in the
// error.
double parse_duration(const std::string& text, const std::string& option);

// "1%", "0.5 %" or "0.01": a share, more than 0 and at most 1.
double parse_share(const std::string& text, const std::string& option);

struct SampleRange {
  int minimum = 0, maximum = 0;
};
// "20" or "10:500"; the default maximum stays unless it is below the minimum.
SampleRange parse_samples(const std::string& text, int default_maximum);

struct Shard {
  std::size_t index = 1, count = 1;  // index from 1
};
Shard parse_shard(const std::string& text);  // "2/4"

}  // namespace sextant
