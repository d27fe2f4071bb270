#include "own/description/description.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "own/description/description_reader.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

constexpr std::string_view opening = "/*", word = "sextant";

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

// Returns the position after the word `sextant` that opens the description comment; npos if there is none.
std::size_t begin_of_description(std::string_view source) {
  for (std::size_t at = source.find(opening); at != std::string_view::npos;
       at = source.find(opening, at + 1)) {
    std::size_t first = at + opening.size();
    while (first < source.size() && (source[first] == ' ' || source[first] == '\t' || source[first] == '*'))
      ++first;
    if (source.substr(first, word.size()) != word) continue;
    first += word.size();
    if (first >= source.size() || is_blank(source[first])) return first;
  }
  return std::string_view::npos;
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path))
    throw UserError("cannot read " + path.string() + ". Check the permissions of the file.");
  return {std::istreambuf_iterator<char>(file), {}};
}

// By default, `files` is the source that contains the description, or the source of the same name.
void complete_files(const std::string& path, Description* description) {
  const std::filesystem::path file = path;
  const bool of_source = file.extension() != ".json" && file.extension() != ".toml";
  const auto complete = [&](DescribedVariant& variant) {
    if (!variant.compilation.files.empty()) return;
    if (!of_source)
      refuse(variant.place, "the variant " + variant.name +
                                " names no source files. Add the key files, such as files = [\"saxpy.cu\"].");
    variant.compilation.files = {file.filename().string()};
  };
  for (DescribedVariant& variant : description->variants) complete(variant);
  if (description->reference && description->reference->variant.empty())
    complete(description->reference->function);
  description->folder = file.parent_path().string();
}

}  // namespace

std::int64_t DescribedArray::elements(const std::vector<std::int64_t>& values) const {
  std::int64_t all = 0;
  if (__builtin_mul_overflow(length.at(values), type ? type->members : 1, &all))
    refuse(place, "the length of the array " + name + " exceeds 64 bits");
  return all;
}

std::vector<std::string> Description::size_names() const {
  std::vector<std::string> names = {"N"};
  names.insert(names.end(), shape.begin(), shape.end());
  for (const NamedExpression& one : sizes) names.push_back(one.name);
  return names;
}

std::vector<std::string> Description::names_for(const DescribedVariant& variant) const {
  std::vector<std::string> names = size_names();
  for (const DescribedTunable& one : variant.tunables) names.push_back(one.name);
  return names;
}

std::vector<std::string> Description::names_for_steps(const DescribedVariant& variant) const {
  std::vector<std::string> names = names_for(variant);
  names.emplace_back("step");
  return names;
}

std::vector<const DescribedStep*> DescribedVariant::steps() const {
  std::vector<const DescribedStep*> all = {this};
  for (const DescribedStep& one : later) all.push_back(&one);
  return all;
}

bool Description::has_floating_results() const {
  const bool floating =
      std::any_of(types.begin(), types.end(), [](ElementType type) { return !is_whole(type); });
  return std::any_of(arrays.begin(), arrays.end(), [&](const DescribedArray& one) {
    return one.role != Role::in && (one.type ? !is_whole(one.type->element) : floating);
  });
}

bool has_description(const std::string& source) { return begin_of_description(source) != std::string::npos; }

Description description_of(const std::string& toml, const std::string& file) {
  return read_description_tree(parse_toml(toml, file), file);
}

Description description_in(const std::string& source, const std::string& file) {
  const std::size_t begin = begin_of_description(source);
  if (begin == std::string::npos)
    throw UserError(file +
                    " does not describe its kernel: no comment begins with `/* sextant`. `sextant new " +
                    file + "` writes such a comment from the functions of the file.");
  const std::size_t end = source.find("*/", begin);
  const auto line = static_cast<int>(
      1 + std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(begin), '\n'));
  if (end == std::string::npos) refuse({file, line}, "the comment that begins in this line has no end");
  // Replaces all text before the description by blanks, so that lines and columns in messages match the file.
  std::string toml(source, 0, end);
  std::replace_if(
      toml.begin(), toml.begin() + static_cast<std::ptrdiff_t>(begin), [](char c) { return c != '\n'; }, ' ');
  return description_of(toml, file);
}

Description read_description(const std::string& path) {
  const std::filesystem::path file = path;
  if (!std::filesystem::exists(file))
    throw UserError("there is no file " + path + ". Write the file, or name another one.");
  const std::string text = text_of_file(file);
  Description description;
  std::filesystem::path sibling = file;
  sibling.replace_extension(".toml");
  if (file.extension() == ".json") {
    description = description_t1(text, path);
  } else if (file.extension() == ".toml") {
    description = description_of(text, path);
  } else if (!has_description(text) && std::filesystem::exists(sibling)) {
    description = description_of(text_of_file(sibling), sibling.string());
  } else {
    description = description_in(text, path);
  }
  complete_files(path, &description);
  return description;
}

Description read_description(const std::string& path, const std::string& source) {
  Description description = description_in(source, path);
  complete_files(path, &description);
  return description;
}

}  // namespace sextant::own
