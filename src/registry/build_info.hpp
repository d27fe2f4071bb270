// Version and build options of this program.
#pragma once

namespace sextant {

struct BuildInfo {
  const char* version;  // 0.1.0
  // Full hash, with "-modified" if files were changed; "unknown" outside a git repository.
  const char* git_revision;
  const char* build_type;  // Release, …
  const char* sanitizers;  // "" for none
};

const BuildInfo& build_info();

}  // namespace sextant
