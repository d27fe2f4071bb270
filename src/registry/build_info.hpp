// Version and build options of this program.
#pragma once

namespace sextant {

struct BuildInfo {
  const char* version;  // version of the program, such as 0.1.0
  // Full commit hash, with "-modified" if files were changed; "unknown" outside a git repository.
  const char* git_revision;
  const char* build_type;  // CMake build type: Release, …
  const char* sanitizers;  // names of the enabled sanitizers; "" for none
};

const BuildInfo& build_info();

}  // namespace sextant
