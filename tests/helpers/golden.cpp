#include "golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <utility>

namespace sextant::test {

void expect_golden(const std::string& text, const std::string& name) {
  const std::size_t slash = name.find('/');
  const std::filesystem::path path =
      SEXTANT_SOURCE_DIR "/tests/" + name.substr(0, slash) + "/golden" + name.substr(slash) + ".txt";
  if (std::getenv("SEXTANT_REGENERATE")) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream want;
  want << file.rdbuf();
  EXPECT_TRUE(file) << path << " cannot be read";
  EXPECT_EQ(text, want.str()) << path << " holds another text. SEXTANT_REGENERATE=1 writes it anew.";
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

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += by.size())
    text.replace(at, part.size(), by);
  return text;
}

}  // namespace sextant::test
