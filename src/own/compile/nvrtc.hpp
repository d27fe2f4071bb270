// Opens NVRTC on first use. The functions are declared here, so that a build without the CUDA toolkit can use
// NVRTC.
#pragma once

#include <string>
#include <vector>

#include "base/dynamic_library.hpp"

namespace sextant::own {

// Functions of nvrtc.h. They return 0 on success.
struct Nvrtc {
  using Program = struct NvrtcProgram*;

  DynamicLibrary library;
  int (*version)(int* major, int* minor);
  int (*create)(Program*, const char* source, const char* name, int headers, const char* const*,
                const char* const*);
  int (*add_name)(Program, const char* name);
  int (*compile)(Program, int options, const char* const*);
  int (*lowered_name)(Program, const char* name, const char** lowered);
  int (*log_size)(Program, std::size_t*);
  int (*log)(Program, char*);
  int (*cubin_size)(Program, std::size_t*);
  int (*cubin)(Program, char*);

  Nvrtc();
  std::string version_text() const;
};

const Nvrtc& nvrtc();

// Returns the folders of the CUDA toolkit's headers; empty if there is no toolkit.
const std::vector<std::string>& cuda_include_folders();

}  // namespace sextant::own
