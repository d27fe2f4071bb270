#include "device/shared_library.hpp"

#include <dlfcn.h>

namespace sextant {

SharedLibrary::SharedLibrary(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    handle_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_) return;
    if (const char* message = dlerror()) error_ = message;
  }
}

void* SharedLibrary::address(const char* symbol) const { return handle_ ? dlsym(handle_, symbol) : nullptr; }

}  // namespace sextant
