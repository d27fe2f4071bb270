// Finds the valid names that are most similar to a mistyped one, for "Did you mean …?".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// Returns the restricted Damerau-Levenshtein distance: the number of insertions, deletions, replacements and
// swaps of adjacent letters. Case is ignored.
int edit_distance(std::string_view a, std::string_view b);

// Returns up to `most` names similar to `wrong`, best first. Names that begin with `wrong` are similar. Empty
// if no name is similar enough.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names,
                                 std::size_t most = 3);

// Returns " Did you mean `a`, `b` or `c`?", or an empty text if no name is similar.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace sextant
