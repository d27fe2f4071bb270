// What a user is told when something is refused.
#pragma once

#include <functional>
#include <string>

#include "base/error.hpp"

namespace sextant::test {

// The message of the UserError that `action` throws; "accepted" if it throws none.
inline std::string refusal(const std::function<void()>& action) {
  try {
    action();
  } catch (const UserError& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace sextant::test
