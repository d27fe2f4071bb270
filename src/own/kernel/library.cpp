#include "own/kernel/library.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/processor_state.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;

const char* const again = ". Build the library again, as `sextant run --load FOLDER` does.";

std::string number(std::uint64_t value) { return std::to_string(value); }

std::string wrong_size(const std::string& file, const Plugin& plugin) {
  constexpr Plugin here = plugin_header();
  const struct {
    const char* form;
    std::uint32_t theirs, ours;
  } forms[] = {{"Kernel", plugin.kernel, here.kernel},
               {"Variant", plugin.variant, here.variant},
               {"Call", plugin.call, here.call},
               {"Problem", plugin.problem, here.problem},
               {"KernelFolder", plugin.folder, here.folder},
               {"VariantFile", plugin.entry, here.entry}};
  for (const auto& one : forms)
    if (one.theirs != one.ours)
      return file + " has a " + one.form + " of " + number(one.theirs) +
             " bytes, but in this program it has " + number(one.ours) + " bytes" + again;
  return {};
}

std::string wrong_abi(const std::string& file, const Plugin& plugin) {
  constexpr Plugin here = plugin_header();
  const std::string theirs = file + " was built by " + (plugin.compiler ? plugin.compiler : "?") + " with ";
  const std::string remedy = ". Build the library with the compiler that built this program.";
  if (plugin.cxx11_abi != here.cxx11_abi)
    return theirs + "_GLIBCXX_USE_CXX11_ABI=" + number(plugin.cxx11_abi) + ", but this program has " +
           number(here.cxx11_abi) + remedy;
  if (plugin.cxx_abi != here.cxx_abi)
    return theirs + "the C++ ABI " + number(plugin.cxx_abi) + ", but this program was built by " +
           __VERSION__ + " with " + number(here.cxx_abi) + remedy;
  return {};
}

// Adds the contents of a file to a 64-bit FNV-1a hash (Fowler, Noll, Vo). The hash distinguishes builds and
// gives no protection against manipulation.
void add_to_hash(const std::string& path, std::uint64_t* hash) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UserError("cannot read " + path + again);
  char chunk[65536];
  while (file.read(chunk, sizeof chunk), file.gcount() > 0)
    for (std::streamsize i = 0; i < file.gcount(); ++i) {
      *hash ^= static_cast<unsigned char>(chunk[i]);
      *hash *= 0x100000001B3u;
    }
}

std::string code_of_files(const std::string& path, std::string parts) {
  std::uint64_t hash = 0xCBF29CE484222325u;
  add_to_hash(path, &hash);
  while (!parts.empty()) {
    const std::size_t end = std::min(parts.find(':'), parts.size());
    add_to_hash((fs::path(path).parent_path() / parts.substr(0, end)).string(), &hash);
    parts.erase(0, end + 1);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace

std::string refusal(const Plugin& plugin, const std::string& file) {
  constexpr Plugin here = plugin_header();
  if (std::memcmp(plugin.magic, here.magic, sizeof here.magic) != 0)
    return file + " is not a kernel library: its " + plugin_symbol +
           " does not begin with the expected bytes" + again;
  if (plugin.layout != here.layout)
    return file + " was built for version " + number(plugin.layout) +
           " of Sextant's kernel interface, but this program has version " + number(here.layout) + again;
  if (plugin.size != here.size)
    return file + " has a header of " + number(plugin.size) + " bytes, but this program expects " +
           number(here.size) + again;
  if (std::string why = wrong_size(file, plugin); !why.empty()) return why;
  if (std::string why = wrong_abi(file, plugin); !why.empty()) return why;
  if (!plugin.compiler || !plugin.flags || !plugin.version || !plugin.parts || !plugin.folders ||
      (plugin.left_out_count > 0 && !plugin.left_out))
    return file + " has an incomplete header" + again;
  return {};
}

Library open_library(const std::string& path) {
  const std::string file = fs::path(path).filename().string();
  const KeptProcessorState kept;
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char* message = dlerror();
    throw UserError("cannot load " + file + " (" + (message ? message : "?") + ")" + again);
  }
  Library library;
  library.plugin = static_cast<const Plugin*>(dlsym(handle, plugin_symbol));
  if (!library.plugin)
    throw UserError(file + " is not a kernel library: it has no " + plugin_symbol +
                    ". The CMake function sextant_add_kernels builds a library from a folder.");
  if (const std::string why = refusal(*library.plugin, file); !why.empty()) throw UserError(why);
  library.code = code_of_files(path, library.plugin->parts);
  return library;
}

}  // namespace sextant
