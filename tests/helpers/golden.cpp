#include "golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <tuple>
#include <utility>

namespace sextant::test {
namespace {

// Splits `text` at a section: the text up to the heading and including it, the section, and the rest.
std::tuple<std::string, std::string, std::string> cut(const std::string& text, const std::string& heading) {
  const std::size_t at = ("\n" + text).find("\n" + heading);
  if (at == std::string::npos) return {text + heading, "", ""};
  const std::size_t begin = at + heading.size(), next = text.find("\n#### ", begin);
  const std::size_t end = next == std::string::npos ? text.size() : next + 1;
  return {text.substr(0, begin), text.substr(begin, end - begin), text.substr(end)};
}

}  // namespace

void expect_golden(std::string text, const std::string& name) {
  const std::size_t slash = name.find('/'), colon = name.find(':');
  const std::filesystem::path path = SEXTANT_SOURCE_DIR "/tests/" + name.substr(0, slash) + "/golden" +
                                     name.substr(slash, colon - slash) + ".txt";
  ASSERT_NE(text, "") << "nothing to compare with " << name;
  std::ifstream file(path, std::ios::binary);
  const std::string all((std::istreambuf_iterator<char>(file)), {});  // empty if there is no such file
  std::string before, want = all, after;
  if (colon != std::string::npos) {
    if (text.back() != '\n') text += '\n';
    std::tie(before, want, after) = cut(all, "#### " + name.substr(colon + 1) + "\n");
  }
  if (text == want) return;
  if (std::getenv("SEXTANT_REGENERATE")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << before << text << after;
    ADD_FAILURE() << path << " is written anew: look at the difference";
    return;
  }
  EXPECT_EQ(text, want) << path << " holds another text. SEXTANT_REGENERATE=1 writes it anew.";
}

std::string without_numbers(std::string text) {
  static const std::pair<std::regex, const char*> replacements[] = {
      {std::regex("[0-9]+(\\.[0-9]+)?(e[-+][0-9]+)?"), "0"},
      {std::regex(" +"), " "},
      {std::regex("0 (n|µ|m)s"), "0 s"},
      {std::regex("0 [kMGT](B|FLOP)/s"), "0 $1/s"},
      {std::regex("ok, [^\n]*"), "ok"}};
  for (const auto& [expression, replacement] : replacements)
    text = std::regex_replace(text, expression, replacement);
  return text;
}

std::string lines(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part + "\n";
  return text;
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

}  // namespace sextant::test
