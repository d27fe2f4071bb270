// Finds the problem size from which a model is faster than its reference.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"

namespace sextant {

struct Crossover {
  enum class Kind : std::uint8_t {
    always,   // the model is faster than its reference at every size
    never,    // not faster beyond noise at any size
    between,  // slower or tied up to one size, faster from the next on
    until,    // faster up to one size, not faster from the next on
    mixed,    // faster and not faster alternate more than once
  };
  std::string column, against;  // `against` is the reference: "the best CPU version" or "serial"
  Kind kind = Kind::never;
  // The two sizes between which the result changes. For always, never and mixed: the first and last size.
  std::string from, to;
  // N at which the ratio of medians passes 1, interpolated in log N and log ratio. It is 0 if the ratio never
  // passes 1, passes it several times, or passes it next to a size without an N.
  double estimate = 0;
  std::size_t wins = 0, median_wins = 0, sizes = 0;
};

// Compares each device model of a group with the best CPU version, and OpenMP and stdpar with serial code. If
// the interval of the time ratio contains 1, the size counts as tied. With transfers, end-to-end times are
// compared.
std::vector<Crossover> crossovers(const StudyGroup& group, bool with_transfers);

// Describes a crossover: "cuda is faster than the best CPU version from 130560 on, not yet at 7936; by the
// medians from about 21000".
std::string sentence_of(const Crossover& crossover);

}  // namespace sextant
