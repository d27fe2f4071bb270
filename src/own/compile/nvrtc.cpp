#include "own/compile/nvrtc.hpp"

#include <cstdlib>
#include <filesystem>
#include <sstream>

namespace sextant::own {
namespace {

namespace fs = std::filesystem;

// Returns the folder of CUDA's headers: the one of the build, or else the one that belongs to nvcc's folder.
// Empty if there is none.
fs::path cuda_include() {
#ifdef SEXTANT_CUDA_INCLUDE
  return SEXTANT_CUDA_INCLUDE;
#else
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::error_code error;
    const fs::path nvcc = fs::canonical(fs::path(folder) / "nvcc", error);
    if (error) continue;
    const fs::path include = nvcc.parent_path().parent_path() / "include";
    if (fs::exists(include / "cuda_runtime.h", error)) return include;
  }
  return {};
#endif
}

std::vector<std::string> library_names() {
#ifdef SEXTANT_NVRTC
  std::vector<std::string> names = {SEXTANT_NVRTC, "libnvrtc.so"};
#else
  std::vector<std::string> names = {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"};
#endif
  if (!cuda_include_folders().empty())
    names.push_back((fs::path(cuda_include_folders().front()) / ".." / "lib64" / "libnvrtc.so").string());
  return names;
}

}  // namespace

Nvrtc::Nvrtc() : library(library_names(), "the CUDA toolkit's NVRTC") {
  library.find("nvrtcVersion", &version);
  library.find("nvrtcCreateProgram", &create);
  library.find("nvrtcAddNameExpression", &add_name);
  library.find("nvrtcCompileProgram", &compile);
  library.find("nvrtcGetLoweredName", &lowered_name);
  library.find("nvrtcGetProgramLogSize", &log_size);
  library.find("nvrtcGetProgramLog", &log);
  library.find("nvrtcGetCUBINSize", &cubin_size);
  library.find("nvrtcGetCUBIN", &cubin);
}

std::string Nvrtc::version_text() const {
  int major = 0, minor = 0;
  version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

const Nvrtc& nvrtc() {
  static const Nvrtc functions;
  return functions;
}

const std::vector<std::string>& cuda_include_folders() {
  static const std::vector<std::string> folders = [] {
    const std::string include = cuda_include().string();
    return include.empty() ? std::vector<std::string>()
                           : std::vector<std::string>{include, include + "/cccl"};
  }();
  return folders;
}

}  // namespace sextant::own
