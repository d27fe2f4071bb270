// Names that are read at run time and wanted as constants: they live as long as the process.
#pragma once

#include <string>

namespace sextant {

// A copy of `text` that is never freed; equal texts give the same pointer.
const char* intern(const std::string& text);

}  // namespace sextant
