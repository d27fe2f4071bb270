#include "trace/cupti_library.hpp"

#include <cuda_runtime_api.h>

namespace sextant {
namespace {

// Returns possible paths of libcupti. The CUDA major release of this build comes first, and the loader's
// search path comes before the toolkit's folders.
std::vector<std::string> names() {
  const std::string release = std::to_string(CUDART_VERSION / 1000);
  std::vector<std::string> names;
  for (const std::string& file : {"libcupti.so." + release, std::string("libcupti.so"),
                                  std::string("libcupti.so.13"), std::string("libcupti.so.12")})
    for (const char* folder :
         {"", SEXTANT_CUDA_LIBRARY_FOLDER "/", SEXTANT_CUDA_FOLDER "/extras/CUPTI/lib64/",
          "/usr/local/cuda/lib64/", "/usr/local/cuda/extras/CUPTI/lib64/", "/usr/lib/x86_64-linux-gnu/",
          "/opt/cuda/lib64/", "/opt/cuda/extras/CUPTI/lib64/"})
      names.push_back(folder + file);
  return names;
}

}  // namespace

DynamicLibrary& cupti_library() {
  // never destroyed, because CUPTI may call back until the process ends
  static DynamicLibrary& library = *new DynamicLibrary(names());
  return library;
}

}  // namespace sextant
