// Drafts descriptions from sources.
#pragma once

#include <string>

#include "own/draft/signature.hpp"

namespace sextant::own {

// Options of draft_of.
struct DraftAsked {
  std::string prefix;   // prefix of the kernel's name, which is the file's name otherwise
  std::string no_host;  // why host functions are left out; empty if they are not
};
std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked);
std::string draft_of(const std::string& source, const std::string& file);  // reads the functions itself

// Returns the source with the OpenMP directive of the drafted OpenMP variant, inside an #ifdef for that
// variant. Returns the source unchanged if the draft has no such variant.
std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
