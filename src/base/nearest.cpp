#include "base/nearest.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

namespace sextant {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool begins_with(std::string_view text, std::string_view prefix) {
  return text.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), text.begin(),
                                                    [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int replace = last[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::vector<std::string> nearest(std::string_view wrong, const std::vector<std::string>& names,
                                 std::size_t most) {
  std::vector<std::pair<int, std::string>> ranked;
  const int limit = std::max(2, static_cast<int>(wrong.size()) / 3);
  for (const std::string& name : names) {
    const int distance = wrong.size() >= 2 && begins_with(name, wrong) ? 1 : edit_distance(wrong, name);
    // Any two texts of one or two letters are at most two edits apart. A distance as large as the longer text
    // therefore does not count as similar.
    if (distance <= limit && distance < static_cast<int>(std::max(wrong.size(), name.size())))
      ranked.emplace_back(distance, name);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> best;
  for (const auto& [distance, name] : ranked)
    if (best.size() < most && std::find(best.begin(), best.end(), name) == best.end()) best.push_back(name);
  return best;
}

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& names) {
  const std::vector<std::string> near = nearest(wrong, names);
  if (near.empty()) return {};
  std::string text = " Did you mean `" + near[0] + "`";
  for (std::size_t i = 1; i < near.size(); ++i)
    text += (i + 1 == near.size() ? " or `" : ", `") + near[i] + "`";
  return text + "?";
}

}  // namespace sextant
