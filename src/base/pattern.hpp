// Regular expressions that users type to select by name.
#pragma once

#include <regex>
#include <string>

namespace sextant {

// The pattern of `option`, to be matched against whole names. Throws UserError for what is no regular expression
// (ECMAScript's), and for what may take for ever to match: more than 200 characters, a repetition of a group that
// repeats or chooses itself, as in (a*)* or (a|ab)+, a count above 100, a reference to a group.
std::regex compiled_pattern(const std::string& pattern, const std::string& option);

}  // namespace sextant
