// Splits the cases of a run into shards, which different machines measure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct Shard {
  std::size_t index = 1, count = 1;  // `index` counts from 1 to `count`
};

// Returns the cases of one shard in their order. Each case is in exactly one shard. A shard gets all cases of
// a problem, so that a baseline stays with the variants that are compared with it. Only if there are too few
// problems, their cases are split.
std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard);

// Returns a warning if `count` shards split problems, with the largest number of shards that does not.
// Otherwise it returns an empty text.
std::string note_on_parts(const std::vector<Case>& cases, std::size_t count);

}  // namespace sextant
