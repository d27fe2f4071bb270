#include "own/kernel/load.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "device/device.hpp"
#include "own/kernel/described_kernel.hpp"
#include "own/kernel/library.hpp"
#include "registry/registry.hpp"

namespace sextant {
namespace {

namespace fs = std::filesystem;

std::deque<Loaded>& storage() {
  static std::deque<Loaded> all;
  return all;
}

std::string file_of(const std::string& path) { return fs::path(path).filename().string(); }

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

void require_free_name(const std::string& name, const std::string& path) {
  if (!is_name(name))
    throw UserError(file_of(path) + " names a kernel `" + name +
                    "`, which is not a valid name. Use letters, digits and _ only.");
  const RegisteredKernel* taken = find_kernel(name);
  if (!taken) return;
  const std::string whose = taken->loaded_from.empty()   ? "which this build already has"
                            : taken->loaded_from == path ? "and defines it twice"
                                                         : "as does " + file_of(taken->loaded_from);
  throw UserError(file_of(path) + " defines `" + name + "`, " + whose + ". Name the kernel my_" + name +
                  ", or load it with --as my_" + name + ".");
}

// Sets the origin of a loaded kernel. Also sets its group and its sizes if it has none.
void make_own(RegisteredKernel* entry, const std::string& path) {
  Kernel& kernel = entry->kernel;
  if (kernel.group.empty()) kernel.group = "own";
  kernel.presentation.study = {};
  if (kernel.sizes.empty() && kernel.classes.empty())
    kernel.sizes = {std::int64_t{1} << 16, std::int64_t{1} << 20, std::int64_t{1} << 24};
  entry->folder = path + ':' + entry->folder;
  entry->loaded_from = path;
}

void take_name(const own::Asked& asked, const std::string& path, std::vector<RegisteredKernel>* kernels) {
  if (!asked.reference.empty() || !asked.tolerance.empty() || asked.unchecked)
    throw UserError(file_of(path) +
                    " is a library, and its kernels have their own references. Leave --reference, "
                    "--tolerance and --unchecked out.");
  if (asked.name.empty()) return;
  if (kernels->size() > 1)
    throw UserError("--as " + asked.name + " names one kernel, but " + file_of(path) + " holds " +
                    std::to_string(kernels->size()) + " kernels. Leave --as out.");
  kernels->front().kernel.name = asked.name;
}

Loaded load_library(const std::string& path, const own::Asked& asked) {
  const Library library = open_library(path);
  const Plugin& plugin = *library.plugin;
  Loaded loaded{path, "library", library.code, plugin.compiler, {}, asked};
  if (*plugin.flags) loaded.made_with += std::string(" ") + plugin.flags;
  std::vector<RegisteredKernel> kernels;
  for (const KernelFolder& folder : plugin.folders())
    for (RegisteredKernel& entry : registered(folder)) kernels.push_back(std::move(entry));
  if (kernels.empty())
    throw UserError(file_of(path) +
                    " holds no kernel. Its folder needs a file kernel.cpp, which `sextant new NAME` writes.");
  take_name(asked, path, &kernels);
  for (RegisteredKernel& entry : kernels) {
    require_free_name(entry.kernel.name, path);
    loaded.kernels.push_back(entry.kernel.name);
    make_own(&entry, path);
    add_to_registry(std::move(entry));
  }
  for (std::size_t i = 0; i < plugin.left_out_count; ++i) {
    const LeftOutEntry& one = plugin.left_out[i];
    add_left_out({path + ':' + one.folder, one.variant, one.reason, one.path});
  }
  if (plugin.last_gpu_error) ask_for_gpu_errors(plugin.last_gpu_error);
  return loaded;
}

bool describes_itself(const fs::path& path) {
  for (const char* ending : {".cu", ".cpp", ".cc", ".toml", ".json"})
    if (path.extension() == ending) return true;
  return false;
}

// Returns a text for the results file that names the reference with which the kernel's results are checked.
std::string checked_by(const own::Description& description) {
  if (!description.reference) return ", not checked";
  const own::DescribedReference& reference = *description.reference;
  const std::string name =
      reference.variant.empty()
          ? reference.function.function + " of " + file_of(reference.function.compilation.files.front())
          : "its " + reference.variant;
  const std::string precision = own::precision_of(description);
  return ", checked against " + name + (precision.empty() ? "" : " " + precision);
}

Loaded load_description(const std::string& path, const own::Asked& asked) {
  own::Description description = adding_step("docs/how-to/own-kernel.md shows the form of a description.",
                                             [&] { return own::read_description(path); });
  if (asked != own::Asked{}) own::complete(asked, &description);
  Loaded loaded{
      path, "description", own::code_of(description), "compiled when it runs", {description.name}, asked,
  };
  loaded.made_with += checked_by(description);
  require_free_name(description.name, path);
  RegisteredKernel entry = own::described(description);
  make_own(&entry, path);
  add_to_registry(std::move(entry));
  return loaded;
}

}  // namespace

std::string path_to_load(const std::string& path) {
  std::error_code error;
  const fs::path found = fs::canonical(path, error);
  if (error)
    throw UserError("there is no file " + path + " to load" +
                    (path.ends_with(".so")
                         ? ". The CMake function sextant_add_kernels builds a library from a folder."
                         : ". Name an existing file, folder or library."));
  if (fs::is_directory(found))
    throw UserError(path + " is a folder. Name the library that sextant_add_kernels built from the folder.");
  if (found.extension() != ".so" && !describes_itself(found))
    throw UserError(
        path + " is neither a kernel library (.so) nor a file with a description (.cu, .cpp, .toml, .json)");
  return found.string();
}

const Loaded& load(const std::string& path, const std::string& code, const own::Asked& asked) {
  const std::string found = path_to_load(path);
  for (const Loaded& one : storage())
    if (one.path == found) return one;
  Loaded loaded = describes_itself(found) ? load_description(found, asked) : load_library(found, asked);
  if (!code.empty() && loaded.code != code)
    throw UserError(file_of(found) + " changed while this command ran. Run the command again.");
  return storage().emplace_back(std::move(loaded));
}

const std::deque<Loaded>& loaded() { return storage(); }

void record_loads(Environment* environment) {
  for (const Loaded& one : storage())
    for (const std::string& kernel : one.kernels)
      (*environment)["plugin." + kernel] =
          one.code + " " + one.kind + " " + file_of(one.path) + ", " + one.made_with;
}

}  // namespace sextant
