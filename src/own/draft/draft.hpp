// Descriptions drafted from sources.
#pragma once

#include <string>

namespace sextant::own {

// A description of the file's functions, the comment with all its lines, to stand at the head of the file. What cannot
// be known is guessed and marked with a comment. Throws UserError: there is no function to describe, there is a description, or there is
// no libclang.
std::string draft_of(const std::string& source, const std::string& file);

// The source with the directive that the draft's form with threads needs, fenced to be there for that variant alone; the
// source as it is where the draft has no such form.
std::string with_directive(const std::string& source, const std::string& file);

}  // namespace sextant::own
