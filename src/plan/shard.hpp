// Splits a plan into parts for several machines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct Shard {
  std::size_t index = 1, count = 1;  // index starts at 1
};

// Returns the cases of one part in their order. Each case is in exactly one part. A part gets whole problems,
// so that a baseline stays with the variants compared with it, unless there are too few problems.
std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard);

// Returns a warning if `count` parts split problems, with the largest number of parts that does not. Else
// empty.
std::string note_on_parts(const std::vector<Case>& cases, std::size_t count);

}  // namespace sextant
