// Libraries that are loaded when first needed, so that the program starts fast and runs without them.
#pragma once

#include <dlfcn.h>

#include <initializer_list>
#include <string>

namespace sextant {

// A loaded library, or why none of the names could be loaded. Never unloaded: such libraries leave threads
// and handlers behind.
struct DynamicLibrary {
  void* handle = nullptr;
  std::string problem;  // empty if loaded and every symbol asked for was found

  // Loads the first of `names` that can be. `package` is what a user installs to have it.
  DynamicLibrary(std::initializer_list<const char*> names, const char* package) {
    std::string first_message;
    for (const char* name : names) {
      handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
      if (handle) return;
      const char* message = dlerror();
      if (first_message.empty() && message) first_message = message;
    }
    problem = std::string("cannot load ") + *names.begin() + " (" + first_message + "): install " + package +
              " or put its folder into LD_LIBRARY_PATH";
  }

  // The function `name` as `*function`, null and noted in `problem` if the library has none.
  template <typename Function>
  void find(const char* name, Function** function) {
    *function = handle ? reinterpret_cast<Function*>(dlsym(handle, name)) : nullptr;
    if (handle && !*function && problem.empty()) problem = std::string("the library has no ") + name;
  }
};

}  // namespace sextant
