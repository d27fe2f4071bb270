#include "cli/options/invocation.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/child.hpp"
#include "base/error.hpp"

namespace sextant {

void require_writable_place(const std::string& path) {
  namespace fs = std::filesystem;
  if (path.empty()) throw UserError("--output needs a file name.");
  std::error_code error;
  if (fs::is_directory(path, error))
    throw UserError("`" + path + "` is a folder. Name a file in it, such as -o " +
                    (fs::path(path) / "results.sextant").string());
  const fs::path folder = fs::absolute(path, error).parent_path();
  if (!fs::is_directory(folder, error))
    throw UserError("there is no folder " + folder.string() + " to write `" + path +
                    "` into. Create the folder with `mkdir -p " + folder.string() + "`.");
}

std::string command_line(const std::string& left_out) {
  std::string text, argument;
  for (const char* name : {"OMP_NUM_THREADS", "OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY",
                           "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE", "SEXTANT_MULTIPROCESSORS"})
    if (const char* value = std::getenv(name)) text += std::string(name) + "=" + shell_text({value}) + " ";
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  for (bool first = true; std::getline(file, argument, '\0'); first = false)
    if (left_out.empty() || argument != left_out) text += (first ? "" : " ") + shell_text({argument});
  return text;
}

}  // namespace sextant
