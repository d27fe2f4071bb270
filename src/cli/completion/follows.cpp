#include "cli/completion/follows.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sextant::completion {
namespace {

constexpr std::pair<const char*, const char*> asked_by_options[] = {
    {"--kernels", "kernels"}, {"--variants", "variants"}, {"--sizes", "classes"},
    {"--device", "devices"},  {"--devices", "devices"},   {"--suite", "suites"}};

}  // namespace

Values values_after(const OptionText& option) {
  Values values;
  for (const auto& [name, kind] : asked_by_options)
    if (std::find(option.names.begin(), option.names.end(), name) != option.names.end()) values.ask = kind;
  if (!values.ask.empty()) return values;
  values.words = option.choices;
  const auto is_value = [&](const char* part) { return option.value.find(part) != std::string::npos; };
  values.files = values.words.empty() && (is_value("FILE") || is_value("FOLDER") || is_value("PATH"));
  return values;
}

std::vector<OptionText> shown_options(const Command& command) {
  std::vector<OptionText> options = command.options();
  std::erase_if(options, [](const OptionText& option) { return option.group.empty(); });
  return options;
}

std::string in_short(const std::string& help) {
  std::string text = help.substr(0, help.find_first_of(":;("));
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string with_blanks(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, " "));
}

std::string filled(std::string text, const std::vector<std::pair<std::string, std::string>>& marks) {
  for (const auto& [mark, with] : marks) text.replace(text.find(mark), mark.size(), with);
  return text;
}

}  // namespace sextant::completion
