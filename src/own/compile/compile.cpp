// Functions that the compilation of host and device variants share.
#include "own/compile/compile.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/error.hpp"
#include "own/compile/cache.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_files = 4096;

// Returns the name in a line `#include "name"` or `#include <name>`, or an empty text.
std::string included_name(const std::string& line, bool* quoted) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos || line[first] != '#') return "";
  const std::size_t word = line.find_first_not_of(" \t", first + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return "";
  const std::size_t open = line.find_first_of("\"<", word + 7);
  if (open == std::string::npos) return "";
  *quoted = line[open] == '"';
  const std::size_t close = line.find(*quoted ? '"' : '>', open + 1);
  return close == std::string::npos ? "" : line.substr(open + 1, close - open - 1);
}

// Collects the text of a source file. It includes the text of the files that the source includes from its own
// folder and from `folders`.
struct Sources {
  std::vector<fs::path> folders;
  std::set<fs::path> seen;
  std::string text;

  void add(const fs::path& path) {
    std::string own;
    if (seen.size() >= most_files || !seen.insert(path).second || !read_file(path, &own)) return;
    text += own;
    text += '\n';
    std::istringstream lines(own);
    for (std::string line; std::getline(lines, line);) {
      bool quoted = false;
      if (const std::string name = included_name(line, &quoted); !name.empty())
        add_included(name, quoted ? path.parent_path() : fs::path());
    }
  }

  void add_included(const std::string& name, const fs::path& own_folder) {
    std::vector<fs::path> places = folders;
    if (!own_folder.empty()) places.insert(places.begin(), own_folder);
    for (const fs::path& folder : places)
      if (fs::is_regular_file(folder / name)) return add(fs::weakly_canonical(folder / name));
  }
};

// Returns the include folders of a variant: those of the key `include` and those of its options -I.
std::vector<fs::path> include_folders(const Description& description, const DescribedVariant& variant) {
  std::vector<fs::path> folders;
  for (const std::string& one : variant.compilation.include)
    folders.push_back(fs::absolute(fs::path(description.folder)) / one);
  for (const std::string& one : variant.compilation.options)
    if (one.starts_with("-I") && one.size() > 2) folders.emplace_back(one.substr(2));
  return folders;
}

bool mentions(const std::string& text, const std::string& word) {
  const auto part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !part(text[at - 1])) && (end == text.size() || !part(text[end]))) return true;
  }
  return false;
}

// Removes the description comment. The comment names every tunable, so a search for tunables in the code must
// skip it.
std::string without_description(std::string text) {
  if (!has_description(text)) return text;
  const std::size_t begin = text.find("/* sextant");
  const std::size_t end = begin == std::string::npos ? begin : text.find("*/", begin);
  return end == std::string::npos ? text : text.erase(begin, end + 2 - begin);
}

}  // namespace

std::string source_text(const Description& description, const DescribedVariant& variant) {
  Sources sources{include_folders(description, variant), {}, ""};
  for (const std::string& one : variant.compilation.files) {
    const fs::path path = fs::path(description.folder) / one;
    if (!fs::is_regular_file(path))
      throw UserError(variant.place.prefix() + variant.name + " names the file " + one +
                      ", but there is no " + path.string() + ". Write the file, or name another one.");
    sources.add(fs::weakly_canonical(path));
  }
  return sources.text;
}

std::vector<bool> macros_of(const Description& description, const DescribedVariant& variant) {
  const std::string text = without_description(source_text(description, variant));
  const std::size_t first = description.size_names().size();
  const auto is_argument = [&](std::size_t tunable) {
    for (const DescribedStep* step : variant.steps())
      for (const DescribedArgument& one : step->arguments)
        if (one.value.uses(first + tunable)) return true;
    return false;
  };
  std::vector<bool> macros;
  for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
    const DescribedTunable& one = variant.tunables[i];
    macros.push_back(!one.flag && !is_argument(i) && (!one.texts.empty() || mentions(text, one.name)));
  }
  return macros;
}

std::vector<std::pair<std::string, std::string>> defines_of(const Instance& instance) {
  static constexpr const char* models[] = {"SERIAL",  "OPENMP", "OPENACC", "CUDA",
                                           "LIBRARY", "STDPAR", "TARGET"};
  const DescribedVariant& variant = instance.variant;
  std::vector<std::pair<std::string, std::string>> defines = {
      {std::string("SEXTANT_MODEL_") + models[static_cast<std::size_t>(variant.model)], "1"}};
  const std::vector<bool> macros = macros_of(instance.description, variant);
  for (std::size_t i = 0; i < variant.tunables.size(); ++i) {
    if (!macros[i]) continue;
    const DescribedTunable& one = variant.tunables[i];
    const int choice = instance.tuning[i];
    defines.emplace_back(
        one.name, one.texts.empty() ? std::to_string(choice) : one.texts[static_cast<std::size_t>(choice)]);
  }
  for (const std::string& one : variant.compilation.defines) {
    const std::size_t equal = one.find('=');
    defines.emplace_back(one.substr(0, equal), equal == std::string::npos ? "1" : one.substr(equal + 1));
  }
  return defines;
}

std::vector<std::string> options_of(const Instance& instance) {
  std::vector<std::string> options;
  const DescribedVariant& variant = instance.variant;
  for (const std::string& one : variant.compilation.include)
    options.push_back(
        "-I" + (fs::absolute(fs::path(instance.description.folder)) / one).lexically_normal().string());
  const auto add = [&](const std::string& text) {  // one text may contain several options
    std::istringstream words(text);
    for (std::string word; words >> word;) options.push_back(word);
  };
  for (const std::string& one : variant.compilation.options) add(one);
  for (std::size_t i = 0; i < variant.tunables.size(); ++i)
    if (variant.tunables[i].flag)
      add(variant.tunables[i].texts[static_cast<std::size_t>(instance.tuning[i])]);
  return options;
}

std::string label_of(const Instance& instance) {
  std::string label = instance.description.name + " " + instance.variant.name + " " + name_of(instance.type);
  for (const auto& [name, value] : defines_of(instance))
    if (!name.starts_with("SEXTANT_MODEL_")) label += " " + name + "=" + value;
  return label;
}

CompileTarget& compile_target() {
  static CompileTarget target;
  return target;
}

std::string first_error(const std::string& log, const std::string& folder) {
  std::istringstream lines(log);
  std::string first, last;
  int errors = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) last = line;
    if (line.find("error:") == std::string::npos && line.find(": error") == std::string::npos) continue;
    if (errors++ == 0) first = line;
  }
  if (first.empty()) first = last.empty() ? "the compiler printed no message" : last;
  const std::string prefix = folder.empty() ? "" : folder + "/";
  for (std::size_t at = 0; !prefix.empty() && (at = first.find(prefix)) != std::string::npos;)
    first.erase(at, prefix.size());
  return errors > 1 ? first + " (the first of " + std::to_string(errors) + " errors)" : first;
}

}  // namespace sextant::own
