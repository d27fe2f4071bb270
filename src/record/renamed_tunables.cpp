#include "record/renamed_tunables.hpp"

#include <algorithm>
#include <sstream>
#include <unordered_map>

namespace sextant {

extern const char* const renamed_tunables_csv;  // generated from src/record/renamed_tunables.csv

namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

std::vector<RenamedTunable> read_list() {
  std::istringstream lines(renamed_tunables_csv);
  std::vector<RenamedTunable> list;
  std::string line, kernels, variants, before, now;
  std::getline(lines, line);  // skips the header line
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (std::string* cell : {&kernels, &variants, &before, &now}) std::getline(cells, *cell, ',');
    list.push_back({words(kernels), words(variants), before, now});
  }
  return list;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Entries of the list, by old name.
using Index = std::unordered_map<std::string, std::vector<const RenamedTunable*>>;

Index index_list() {
  Index index;
  for (const RenamedTunable& one : renamed_tunables()) index[one.before].push_back(&one);
  return index;
}

}  // namespace

const std::vector<RenamedTunable>& renamed_tunables() {
  static const std::vector<RenamedTunable> list = read_list();
  return list;
}

const std::string& current_tunable(const std::string& kernel, const std::string& variant,
                                   const std::string& name) {
  static const Index index = index_list();
  if (const auto found = index.find(name); found != index.end())
    for (const RenamedTunable* one : found->second)
      if (has(one->kernels, kernel) && (one->variants.empty() || has(one->variants, variant)))
        return one->now;
  return name;
}

void rename_tunables(const std::string& kernel, const std::string& variant, Tuning* tuning) {
  for (auto& [name, value] : *tuning) name = current_tunable(kernel, variant, name);
}

}  // namespace sextant
