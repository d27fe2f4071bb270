// Descriptions drafted from sources.
#pragma once

#include <string>

#include "own/draft/signature.hpp"

namespace sextant::own {

// A description of the file's functions, the comment with all its lines, to stand at the head of the file.
// What cannot be known is guessed and marked with a comment. Throws UserError: there is no function to
// describe, there is a description, or there is no libclang.
struct DraftAsked {
  std::string prefix;   // of the kernel's name, which is else the file's
  std::string no_host;  // why functions of the host are left out beside kernels; empty: they are not
};
std::string draft_of(const std::string& source, const std::string& file, SourceFunctions found,
                     const DraftAsked& asked);
std::string draft_of(const std::string& source, const std::string& file);  // reads it

// The source with the directive that the draft's form with threads needs, fenced to be there for that variant
// alone; the source as it is where the draft has no such form.
std::string with_directive(const std::string& source, const std::string& file, SourceFunctions found);

}  // namespace sextant::own
