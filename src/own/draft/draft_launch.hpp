// Drafts the launch dimensions of a CUDA kernel: block and grid.
#pragma once

#include <string>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// Drafted lines for block and grid, derived from the kernel's conditions and constants. Without these, the
// draft assumes one thread per element of the array `results`. If the kernel is one step of a sequence, all
// block sizes except block_size are constants.
struct LaunchText {
  std::string text;
  bool guessed = false;  // the number of blocks is a guess
};
// Returns the list of block sizes to try on one axis. It starts with the block size of the file's own launch,
// unless that is 0.
std::string block_sizes_to_try(std::int64_t launched);

// Returns the text for the number of threads per block on an axis: a number, or the name of a tunable.
std::string threads_text(const Signature& kernel, std::size_t axis, bool is_step);

LaunchText launch_text(const DraftParts& parts, const DraftFunction& function, const std::string& results,
                       bool is_step);

}  // namespace sextant::own
