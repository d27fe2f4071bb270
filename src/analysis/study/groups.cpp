#include "analysis/study/groups.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace sextant {

std::vector<StudyGroup> study_groups(const std::vector<StudyRow>& rows) {
  std::vector<StudyGroup> groups;
  for (const StudyRow& row : rows) {
    const StudyRow* last = groups.empty() ? nullptr : groups.back().back();
    if (!last || last->machine != row.machine || last->kernel != row.kernel || last->type != row.type ||
        last->cache != row.cache || last->fill != row.fill || last->threads != row.threads)
      groups.emplace_back();
    groups.back().push_back(&row);
  }
  std::erase_if(groups, [](const StudyGroup& group) {
    return std::all_of(group.begin(), group.end(), [](const StudyRow* row) { return row->best.empty(); });
  });
  return groups;
}

std::string title_of(const StudyRow& row) {
  std::string title = row.kernel + ", " + name_of(row.type) + conditions_of(row);
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

namespace {

// Returns the names of problem classes (such as S, W, A) of all kernels without duplicates. The longest list
// comes first, followed by names that only shorter lists contain.
std::vector<std::string> named_problems(const std::vector<const StudyRow*>& rows) {
  std::vector<const std::vector<std::string>*> lists;
  for (const StudyRow* row : rows)
    if (row->description && std::find(lists.begin(), lists.end(), &row->description->problems) == lists.end())
      lists.push_back(&row->description->problems);
  std::stable_sort(lists.begin(), lists.end(),
                   [](const auto* a, const auto* b) { return a->size() > b->size(); });
  std::vector<std::string> names;
  for (const std::vector<std::string>* list : lists)
    for (const std::string& name : *list)
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

}  // namespace

std::vector<std::string> sizes_of(const std::vector<const StudyRow*>& rows) {
  const std::vector<std::string> named = named_problems(rows);
  using Key = std::tuple<int, std::int64_t, std::string>;
  std::map<std::string, Key> keys;
  for (const StudyRow* row : rows) {
    const std::string& name = row->size;
    const auto place = std::find(named.begin(), named.end(), name);
    const bool shape = !name.empty() && name.front() >= '0' && name.front() <= '9';
    const Key key = row->plain()           ? Key{0, row->n, ""}
                    : shape                ? Key{1, row->points, name}
                    : place != named.end() ? Key{2, place - named.begin(), ""}
                                           : Key{3, 0, name};
    const auto [found, fresh] = keys.try_emplace(name, key);
    if (!fresh) found->second = std::min(found->second, key);
  }
  std::vector<std::pair<Key, std::string>> order;
  for (const auto& [name, key] : keys) order.emplace_back(key, name);
  std::sort(order.begin(), order.end());
  std::vector<std::string> names;
  for (const auto& [key, name] : order) names.push_back(name);
  return names;
}

bool counts_flops(const Summary& s) {
  constexpr double arithmetic_intensity = 4;
  return s.flop_rate && (!s.bandwidth || *s.flop_rate > arithmetic_intensity * *s.bandwidth);
}

}  // namespace sextant
