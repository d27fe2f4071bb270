// How a drafted kernel is launched.
#pragma once

#include <string>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// Blocks and threads by what the kernel's conditions and constants say, else by a guess of a thread for each
// of `results` elements. A step's numbers of threads are constants, but for block_size.
struct LaunchText {
  std::string text;
  bool guessed = false;  // the number of blocks
};
LaunchText launch_text(const DraftParts& parts, const DraftFunction& function, const std::string& results,
                       bool is_step);

}  // namespace sextant::own
