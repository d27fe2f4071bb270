// Provides fake GPUs on machines without any. SEXTANT_STAND_IN_GPUS=alpha,alpha,beta names gpu0, gpu1 and
// gpu2. Their cases run on the host; only directive-based variants and the tests' own variants are possible.
#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "machine/host_gpus.hpp"

namespace sextant {
namespace {

std::vector<std::string> listed_in(const char* text) {
  std::vector<std::string> words;
  std::istringstream list(text ? text : "");
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

// Reads a list of GPUs as CUDA does: it ends at the first entry that is no number, and it is empty if a
// number appears twice.
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

// Returns the fake GPUs that CUDA_VISIBLE_DEVICES makes visible; all if it is not set.
std::vector<std::string> stand_ins() {
  std::vector<std::string> all = listed_in(std::getenv("SEXTANT_STAND_IN_GPUS"));
  for (std::string& name : all) name = "stand-in " + name;
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (!visible) return all;
  std::vector<std::string> seen;
  for (const std::size_t number : numbers_in(visible)) {
    if (number >= all.size()) break;
    seen.push_back(all[number]);
  }
  return seen;
}

[[maybe_unused]] const bool are_installed = (install_host_gpus(stand_ins), true);

}  // namespace
}  // namespace sextant
