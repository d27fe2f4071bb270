// Parts of a plan, for several machines.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "record/case.hpp"

namespace sextant {

struct Shard {
  std::size_t index = 1, count = 1;  // index from 1
};

// The cases of one part, in their order: whole problems, so that a baseline and what is compared with it stay
// together, unless there are too few of them to go round. The parts of one plan have each case once.
std::vector<Case> shard_of(const std::vector<Case>& cases, const Shard& shard);

// What to know of so many parts of these cases: where they do not keep problems whole, that, and how many do.
// Empty: they do.
std::string note_on_parts(const std::vector<Case>& cases, std::size_t count);

}  // namespace sextant
