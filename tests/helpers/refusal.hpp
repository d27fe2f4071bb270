// Returns the error message of an action that must be rejected.
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"

namespace sextant::test {

// Returns the message of the UserError that `action` throws, or "accepted" if it throws none.
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace sextant::test
