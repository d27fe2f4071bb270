#include "analysis/groups.hpp"

#include <algorithm>

namespace sextant {

std::vector<StudyGroup> study_groups(const std::vector<StudyRow>& rows) {
  std::vector<StudyGroup> groups;
  for (const StudyRow& row : rows) {
    const StudyRow* last = groups.empty() ? nullptr : groups.back().back();
    if (!last || last->machine != row.machine || last->kernel != row.kernel || last->type != row.type ||
        last->cache != row.cache)
      groups.emplace_back();
    groups.back().push_back(&row);
  }
  std::erase_if(groups, [](const StudyGroup& group) {
    return std::all_of(group.begin(), group.end(), [](const StudyRow* row) { return row->best.empty(); });
  });
  return groups;
}

std::string title_of(const StudyRow& row) {
  std::string title = row.kernel + ", " + name_of(row.type);
  if (row.cache == CacheMode::cold) title += ", cold caches";
  if (!row.machine.empty()) title += ", on " + row.machine;
  return row.group.empty() ? title : row.group + ": " + title;
}

std::vector<std::string> columns_of(const StudyGroup& group) {
  std::vector<std::string> columns;
  for (const char* column : study_columns)
    if (std::any_of(group.begin(), group.end(),
                    [&](const StudyRow* row) { return row->best.contains(column); }))
      columns.emplace_back(column);
  return columns;
}

bool counts_flops(const Summary& s) {
  constexpr double arithmetic_intensity = 4;
  return s.flop_rate && (!s.bandwidth || *s.flop_rate > arithmetic_intensity * *s.bandwidth);
}

}  // namespace sextant
