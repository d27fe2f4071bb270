#include "own/kernel/folder.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "base/child.hpp"
#include "base/error.hpp"

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

constexpr double build_seconds = 1800;

std::string content_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// Returns the folder in which CMake's find_package(sextant) finds the package of this program.
std::string package_folder() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  const fs::path package = (program.parent_path() / SEXTANT_PACKAGE_FROM_PROGRAM).lexically_normal();
  if (!fs::exists(package / "sextantConfig.cmake"))
    throw UserError("there is no " + (package / "sextantConfig.cmake").string() +
                        ", which is needed to build a folder of kernels. Install Sextant again.",
                    ExitCode::missing);
  return package.string();
}

void run(const std::vector<std::string>& command, const std::string& folder, const std::string& what) {
  const Ended ended = run_to_end(command, build_seconds);
  if (!ended.started)
    throw UserError("building " + folder +
                        " needs cmake, which cannot be started. Install cmake, or add its folder to PATH.",
                    ExitCode::missing);
  if (!ended.well())
    throw UserError(folder + " " + what + ":\n" + ended.log + "\nThe command: " + shell_text(command));
}

// Configures the build folder with CMake, unless this installation of Sextant has already done so.
void configure(const fs::path& folder, const fs::path& out) {
  const std::string package = package_folder();
  const fs::path marker = out / "package.txt";
  if (fs::exists(out / "CMakeCache.txt") && content_of(marker) == package) return;
  std::vector<std::string> command{"cmake", "-S",         folder.string(),
                                   "-B",    out.string(), "-Dsextant_DIR=" + package};
  // Use the compiler that built this program, because code from another compiler may be incompatible. A
  // compiler that the folder or the user chooses has priority.
  if (!fs::exists(out / "CMakeCache.txt") && !std::getenv("CXX") && fs::exists(SEXTANT_CXX_COMPILER))
    command.push_back("-DCMAKE_CXX_COMPILER=" SEXTANT_CXX_COMPILER);
  run(command, folder.string(), "cannot be configured");
  std::ofstream(marker) << package;
}

}  // namespace

std::string built_library(const std::string& name) {
  const fs::path folder = fs::canonical(name), out = folder / ".sextant";
  if (!fs::exists(folder / "CMakeLists.txt"))
    throw UserError(
        name +
        " has no CMakeLists.txt that calls sextant_add_kernels. `sextant new NAME` creates such a folder.");
  configure(folder, out);
  run({"cmake", "--build", out.string(), "--parallel"}, name, "does not build");
  std::vector<std::string> libraries;
  for (const fs::directory_entry& entry : fs::directory_iterator(out))
    if (entry.path().filename().string().ends_with(".sextant.so")) libraries.push_back(entry.path().string());
  if (libraries.empty())
    throw UserError(name + "'s CMakeLists.txt builds no library. Call sextant_add_kernels in it.");
  if (libraries.size() > 1)
    throw UserError(out.string() + " holds more than one library. Name one of them, or remove the old ones.");
  return libraries.front();
}

}  // namespace sextant::own
