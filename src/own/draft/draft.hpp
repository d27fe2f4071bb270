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
// Returns a description of the file's functions as a comment for the head of the file. Facts that the source
// does not state are guessed and marked. Throws UserError if there is no function to describe, if the file
// has a description, or if libclang is missing.
std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked);
std::string draft_of(const std::string& source, const std::string& file);  // reads the functions itself

// calls functions_of
std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
