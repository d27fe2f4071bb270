#include "own/draft/defining_files.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>

#include "own/draft/tokens.hpp"

namespace sextant::own {
namespace {

// Returns true if the tokens define a function of this name for the device.
bool define_on_device(const Tokens& tokens, const std::string& name) {
  bool device = false;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const std::string& text = tokens[i].text;
    if (text == ";" || text == "{" || text == "}") device = false;
    device = device || text == "__device__";
    if (!device || text != name || tokens[i + 1].text != "(") continue;
    const std::size_t end = behind(tokens, i + 1, "(", ")");
    if (end < tokens.size() && tokens[end].text == "{") return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> files_around(const std::string& file) {
  namespace fs = std::filesystem;
  std::vector<std::string> headers, others;
  const fs::path folder = fs::absolute(file).parent_path();
  std::error_code error;
  for (const fs::path& place : {folder, folder.parent_path()})
    for (const fs::directory_entry& entry : fs::directory_iterator(place, error)) {
      const std::string ending = entry.path().extension();
      const bool header = ending == ".h" || ending == ".hpp" || ending == ".cuh" || ending == ".hh";
      if (entry.is_regular_file(error) && (header || ending == ".c") && entry.file_size(error) < 200'000)
        (header ? headers : others).push_back(entry.path().string());
    }
  std::sort(headers.begin(), headers.end());
  headers.insert(headers.end(), others.begin(), others.end());
  return headers;
}

std::string file_that_defines(const std::string& name, const std::vector<std::string>& files) {
  const std::regex definition("typedef[^;{}]*\\b" + name + "\\s*;|\\}\\s*" + name + "\\s*;|using\\s+" + name +
                              "\\s*=|#\\s*define\\s+" + name + "\\s|(struct|class|enum)\\s+" + name +
                              "\\s*\\{");
  for (const std::string& file : files) {
    std::ifstream stream(file);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (text.find(name) != std::string::npos && std::regex_search(text, definition)) return file;
  }
  return "";
}

std::string file_with_function(const std::string& name, const std::string& file) {
  namespace fs = std::filesystem;
  std::vector<std::string> files;
  std::error_code error;
  const fs::path source = fs::absolute(file);
  for (const fs::directory_entry& entry : fs::directory_iterator(source.parent_path(), error)) {
    const std::string ending = entry.path().extension();
    if ((ending == ".cu" || ending == ".cuh") && entry.path().filename() != source.filename() &&
        entry.is_regular_file(error) && entry.file_size(error) < 200'000)
      files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  for (const std::string& one : files) {
    std::ifstream stream(one);
    const std::string text(std::istreambuf_iterator<char>(stream), {});
    if (text.find(name) == std::string::npos ||
        text.find("\"" + source.filename().string() + "\"") != std::string::npos)
      continue;
    const Tokens tokens = tokens_of(text);
    if (!has(tokens, 0, tokens.size(), "main") && define_on_device(tokens, name)) return one;
  }
  return "";
}

}  // namespace sextant::own
