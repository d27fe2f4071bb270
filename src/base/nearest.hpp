// Did you mean …?: the valid names nearest to a wrong one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sextant {

// Insertions, deletions, replacements and swaps of neighbours that turn one text into the other (restricted
// Damerau-Levenshtein distance), letters compared without case.
int edit_distance(std::string_view a, std::string_view b);

// The up to `most` names nearest to `wrong`, best first; names that begin with it count as near. Empty if
// none is close enough to be what was meant.
std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names,
                                 std::size_t most = 3);

// " Did you mean `a`, `b` or `c`?" or an empty text.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names);

}  // namespace sextant
