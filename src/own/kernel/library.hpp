// Libraries of kernels (suite/plugin.hpp): opened once what they say of themselves was read and found fit.
#pragma once

#include <string>

#include "suite/plugin.hpp"

namespace sextant {

// Why this program must not call what `plugin` offers, a sentence that begins with the file's name; empty if
// it may.
std::string refusal(const Plugin& plugin, const std::string& file);

struct Library {
  const Plugin* plugin = nullptr;
  std::string code;  // hash of the file and its parts, 16 hexadecimal digits
};

// Opens the library for the process's life. Runs its static constructors and nothing else. Throws UserError.
Library open_library(const std::string& path);

}  // namespace sextant
