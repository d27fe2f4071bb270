#include "own/draft/draft_names.hpp"

#include <algorithm>
#include <cctype>

namespace sextant::own {
namespace {

// Names that already have a meaning in expressions, in launches or in a drafted description.
const std::set<std::string> reserved = {"N",    "T",        "eps",        "and",     "or",      "not",
                                        "true", "false",    "in",         "if",      "else",    "step",
                                        "min",  "max",      "abs",        "pow2",    "log2",    "sqrt",
                                        "cbrt", "ceil_div", "block_size", "block_x", "block_y", "block_z"};

}  // namespace

const std::string& DraftNames::shown(const std::string& name, const std::string& kind) {
  std::string& known = names_[{name, kind}];
  if (!known.empty()) return known;
  std::string base = name.substr(0, 60), found = base;
  if (reserved.contains(found) && name.size() == 1)
    found = base = std::string(1, static_cast<char>(std::tolower(static_cast<unsigned char>(name[0]))));
  for (int i = 1; reserved.contains(found) || taken_.contains(found); ++i)
    found = base + "_" + std::to_string(i);
  taken_.insert(found);
  return known = found;
}

}  // namespace sextant::own
