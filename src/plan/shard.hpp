// Splits the cases of a run into shards, which different machines can measure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct Shard {
  std::size_t index = 1, count = 1;  // `index` counts from 1 to `count`
};

// Returns the cases of one shard in their order. Each case is in exactly one shard. All cases of a problem
// are in the same shard, so that variants are measured with their baseline. Only if there are too few
// problems, their cases are split.
std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard);

// Returns a warning if `count` shards split problems, with the largest number that does not; else "".
std::string note_on_parts(const std::vector<Case>& cases, std::size_t count);

}  // namespace sextant
