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

// Returns the message as a whole sentence, which a sentence with the user's next step can follow.
inline std::string as_sentence(std::string message) {
  while (message.ends_with('\n') || message.ends_with(' ')) message.pop_back();
  return message + (message.ends_with('.') || message.ends_with('?') ? "" : ".");
}

// Calls `act` and returns its result. Adds the sentence `step` to the message of a UserError that it throws.
template <typename Act>
auto adding_step(const std::string& step, const Act& act) {
  try {
    return act();
  } catch (const UserError& error) {
    throw UserError(as_sentence(error.what()) + " " + step, error.code);
  }
}

}  // namespace sextant
