#include "machine/stand_in.hpp"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace sextant {
namespace {

std::vector<std::string> listed_in(const char* text) {
  std::vector<std::string> words;
  std::istringstream list(text ? text : "");
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

// As CUDA reads its list: up to what is no number, and nothing if a number stands there twice.
std::vector<std::size_t> numbers_in(const char* text) {
  std::vector<std::size_t> numbers;
  for (const std::string& word : listed_in(text)) {
    char* end = nullptr;
    const long number = std::strtol(word.c_str(), &end, 10);
    if (end == word.c_str() || number < 0) break;
    numbers.push_back(static_cast<std::size_t>(number));
  }
  std::vector<std::size_t> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end() ? numbers
                                                                          : std::vector<std::size_t>();
}

}  // namespace

std::vector<std::string> stand_in_gpus() {
  const std::vector<std::string> all = listed_in(std::getenv("SEXTANT_STAND_IN_GPUS"));
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible) return all;
  std::vector<std::string> seen;
  for (const std::size_t number : numbers_in(visible)) {
    if (number >= all.size()) break;
    seen.push_back(all[number]);
  }
  return seen;
}

void describe_stand_in_gpus(Environment* environment) {
  const std::vector<std::string> names = stand_in_gpus();
  if (names.empty()) return;
  std::erase_if(*environment, [](const auto& entry) { return entry.first.starts_with("gpu"); });
  (*environment)["gpus"] = std::to_string(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    (*environment)[gpu + ".name"] = "stand-in " + names[i];
    (*environment)[gpu + ".memory"] = std::to_string(std::int64_t{1} << 30);
    (*environment)[gpu + ".power_limit"] = "100";
  }
}

}  // namespace sextant
