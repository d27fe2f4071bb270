// The exception type for errors that users can fix, and the program's exit codes. A message says what is
// wrong, where, and how to fix it.
#pragma once

#include <stdexcept>
#include <string>

namespace sextant {

enum class ExitCode : int {
  ok = 0,
  internal = 1,
  usage = 2,
  check_failed = 3,
  regression = 4,
  missing = 5,  // a required device or programming model is missing
  budget = 6,
  interrupted = 130,
};

struct UserError : std::runtime_error {
  explicit UserError(const std::string& message, ExitCode code_ = ExitCode::usage)
      : std::runtime_error(message), code(code_) {}
  ExitCode code;
};

}  // namespace sextant
