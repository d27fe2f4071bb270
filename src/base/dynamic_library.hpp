// Opens libraries on first use, so that the program starts fast and also runs without them.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

#include "base/processor_state.hpp"

namespace sextant {

// A shared library, or the reason why it could not be opened. It is never closed, because its threads and
// handlers may still run.
struct DynamicLibrary {
  void* handle = nullptr;
  std::string problem;  // empty if the library was opened and had every requested function

  // Opens the first of `names` (file names or paths) that can be opened. The error message tells the user to
  // install `package`.
  explicit DynamicLibrary(const std::vector<std::string>& names, const std::string& package = "") {
    const KeptProcessorState kept;
    std::string first_message;
    for (const std::string& name : names) {
      handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (handle) return;
      const char* message = dlerror();
      if (first_message.empty() && message) first_message = message;
    }
    problem = "cannot load " + names.front() + " (" + first_message + ")";
    if (!package.empty()) problem += ": install " + package + " or add its folder to LD_LIBRARY_PATH";
  }

  bool found() const { return handle != nullptr; }

  // Sets *function to the function `name`. If the library lacks it, *function is null, `problem` says so and
  // the result is false.
  template <typename Function>
  bool find(const char* name, Function** function) {
    *function = handle ? reinterpret_cast<Function*>(dlsym(handle, name)) : nullptr;
    if (handle && !*function && problem.empty()) problem = std::string("the library has no ") + name;
    return *function != nullptr;
  }
};

}  // namespace sextant
