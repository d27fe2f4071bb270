// Programs that are run to their end: compilers, a scheduler's commands.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Ended {
  bool started = false, timed_out = false;
  int code = -1;    // its exit code; -1: it did not end by itself
  int signal = 0;   // that ended it; 0: none
  std::string log;  // what it wrote, to both of its outputs
  bool well() const { return started && !timed_out && code == 0; }
};

// Runs `command` (looked up in PATH) without input and in a process group of its own, which is killed as a
// whole after `seconds`.
Ended run_to_end(const std::vector<std::string>& command, double seconds);

// The words of a command that a variable such as CXX holds: "ccache g++". A name with blanks that is a file
// is one word.
std::vector<std::string> words_of(const std::string& command);

// The command as a shell takes it.
std::string shell_text(const std::vector<std::string>& command);

}  // namespace sextant
