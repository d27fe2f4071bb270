// Runs short-lived child processes to completion, such as compilers and scheduler commands.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct Ended {
  bool started = false, timed_out = false;
  int code = -1;    // exit code; -1: it did not exit normally
  int signal = 0;   // the signal that terminated it; 0: none
  std::string log;  // output of the process on stdout and stderr
  bool well() const { return started && !timed_out && code == 0; }
};

// Runs `command` (looked up in PATH) without input. After `seconds` it kills the command and its child
// processes.
Ended run_to_end(const std::vector<std::string>& command, double seconds);

// Splits a command line such as "ccache g++" into words. The path of an existing executable stays one word,
// even if it contains blanks.
std::vector<std::string> words_of(const std::string& command);

// Returns the command as text with shell quoting.
std::string shell_text(const std::vector<std::string>& command);

}  // namespace sextant
