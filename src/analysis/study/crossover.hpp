// From which size on a model is faster than what it replaces.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

struct Crossover {
  enum class Kind : std::uint8_t {
    always,   // faster at every size
    never,    // at no size beyond noise
    between,  // slower or tied up to one size, faster from the next on
    until,    // faster up to one size, not from the next on
    mixed,    // changes more than once
  };
  std::string column, against;  // against: "the best CPU version", or "serial"
  Kind kind = Kind::never;
  std::string from, to;  // the sizes around the change (between, until); always, never, mixed: first and last
  // Where the ratio of the medians passes 1, by interpolation in the logarithms of N and ratio; 0: nowhere,
  // more than once, or not between two sizes with N.
  double estimate = 0;
  std::size_t wins = 0, median_wins = 0, sizes = 0;
};

// Each accelerated column of a group against the best CPU version, and OpenMP against the best serial one.
// Sizes whose ratio has an interval that holds 1 are tied, not faster. With transfers: whole passes.
std::vector<Crossover> crossovers(const StudyGroup& group, bool with_transfers);

// "cuda is faster than the best CPU version from 130560 on, not yet at 7936; by the medians from about 21000"
std::string sentence_of(const Crossover& crossover);

}  // namespace sextant
