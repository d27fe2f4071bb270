// Opens shared libraries of kernels (suite/plugin.hpp) after a compatibility check.
#pragma once

#include <string>

#include "suite/plugin.hpp"

namespace sextant {

// Returns why this program must not call the functions of `plugin`, as a sentence that begins with the file
// name. Empty if they are compatible.
std::string refusal(const Plugin& plugin, const std::string& file);

struct Library {
  const Plugin* plugin = nullptr;
  std::string code;  // hash of the library file and of files that belong to it, 16 hexadecimal digits
};

// Opens the library until the process ends. Opening runs only the library's static constructors. Throws
// UserError.
Library open_library(const std::string& path);

}  // namespace sextant
