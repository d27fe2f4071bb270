#include "cli/new/folder.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/error.hpp"
#include "registry/registry.hpp"

namespace sextant {

// The text of CONTRIBUTING.md, which is embedded in the program.
extern const char* const contributing_guide;

namespace {

namespace fs = std::filesystem;

const std::string example = "square";

// Returns the files of the example in CONTRIBUTING.md. A line that consists of `kernels/square/FILE` in back
// quotes names the file in the code block after it.
std::map<std::string, std::string> example_files() {
  const std::string begin = "`kernels/" + example + "/";
  std::map<std::string, std::string> files;
  std::istringstream text(contributing_guide);
  std::string line, name;
  for (bool inside = false; std::getline(text, line);) {
    if (inside && line == "```")
      inside = false, name.clear();
    else if (inside)
      files[name] += line + "\n";
    else if (line.starts_with(begin) && line.ends_with('`'))
      name = line.substr(begin.size(), line.size() - begin.size() - 1);
    else if (line == "```cpp")
      inside = !name.empty();
  }
  return files;
}

std::string with_name(std::string text, const std::string& name) {
  for (std::size_t at = 0; (at = text.find(example, at)) != std::string::npos; at += name.size())
    text.replace(at, example.size(), name);
  // This line is removed, because user kernels belong to the group `own`.
  const std::string group = "  kernel.group = \"stream\";\n";
  if (const std::size_t at = text.find(group); at != std::string::npos) text.erase(at, group.size());
  return text;
}

void require_name(const std::string& name) {
  bool good = !name.empty() && std::islower(static_cast<unsigned char>(name[0]));
  for (const char c : name) good &= (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  if (!good)
    throw UserError("`" + name +
                    "` is not a valid kernel name. Use a-z, 0-9 and _, and begin with a letter.");
  if (find_kernel(name))
    throw UserError("this build already has a kernel `" + name + "`. Choose another name, such as my_" +
                    name + ".");
}

void write(const fs::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  if (!file.flush())
    throw UserError("cannot write " + path.string() + ". Check the free space and the folder's permissions.");
}

}  // namespace

void write_kernel_folder(const std::string& path) {
  fs::path folder = fs::path(path).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();
  const std::string name = folder.filename().string();
  require_name(name);
  std::error_code error;
  if (fs::exists(folder))
    throw UserError(folder.string() + " exists already. Choose another name, or remove the folder.");
  if (!fs::create_directories(folder, error))
    throw UserError("cannot create the folder " + folder.string() + " (" + error.message() +
                    "). Choose a place that you may write to.");
  const std::map<std::string, std::string> files = example_files();
  for (const char* file : {"kernel.cpp", "serial.cpp", "openmp.cpp", "cuda.cu"})
    write(folder / file, with_name(files.at(file), name));
  write(folder / "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.25)\nproject(" + name +
            " LANGUAGES CXX)\nfind_package(sextant REQUIRED)\nsextant_add_kernels(" + name + " .)\n");
}

}  // namespace sextant
