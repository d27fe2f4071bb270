// The lines of a draft that ask what the source leaves open.
#include <algorithm>

#include "own/draft/draft_text.hpp"

namespace sextant::own {

// Returns true if comparisons of computed real numbers decide whole numbers among the results, or if results
// of functions such as exp are rounded to whole numbers. Single elements may then differ.
bool Draft::has_outliers() const {
  if (!has_reals_) return false;
  return std::any_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return one.written && arrays_.is_whole(one) && !is_temporary(one) &&
           (one.decided == Decided::compared || (one.decided == Decided::rounded && is_elementary()));
  });
}

bool Draft::is_elementary() const {
  return std::any_of(functions_.begin(), functions_.end(),
                     [](const DraftFunction& one) { return one.signature.elementary; });
}

// Returns the reason why the description cannot be loaded. If a function crashes, the reason names the arrays
// whose lengths or indices are guesses.
std::string Draft::problem_text() const {
  if (asked_.problem.find("was killed by signal") == std::string::npos) return asked_.problem;
  std::string names;
  for (const DraftArray& one : parts_.arrays)
    if (one.has_unknown || !one.chosen_by.empty()) names += (names.empty() ? "" : ", ") + one.name;
  return names.empty() ? asked_.problem
                       : "a host function crashes at small sizes. Correct the lengths of " + names +
                             ", or the fills of the arrays that hold their indices";
}

// Returns the lines that ask what the source leaves open.
std::vector<std::string> Draft::questions() const {
  std::vector<std::string> all = parts_.questions;
  if (!asked_.problem.empty()) all.insert(all.begin(), "it cannot be loaded yet: " + problem_text());
  bool sorted = false, searches = false;
  for (const DraftArray& one : parts_.arrays) {
    sorted = sorted || one.sorted;
    if (!one.written || is_temporary(one)) continue;
    if (arrays_.is_whole(one) && one.decided == Decided::rounded && !is_elementary())
      all.push_back(one.name +
                    " gets computed numbers that are rounded: does tolerance need outliers = 0.001?");
    if (!arrays_.is_whole(one) && one.decided == Decided::compared)
      all.push_back("comparisons of computed numbers decide values of " + one.name +
                    ": does tolerance need outliers = 0.001?");
  }
  for (const DraftFunction& one : functions_)
    for (const char* name : {"search", "bound", "merge"})
      searches = searches || lower(bare_name(one.signature)).find(name) != std::string::npos;
  if (searches && !sorted)
    all.emplace_back("must an array be sorted? fill = { low = 0, high = 256, sorted = true }");
  return all;
}

}  // namespace sextant::own
