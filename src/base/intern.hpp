// Makes permanent C strings of names that are read at run time.
#pragma once

#include <string>

namespace sextant {

// Returns a copy of `text` that is never freed. Equal texts give the same pointer.
const char* intern(const std::string& text);

}  // namespace sextant
