#include "own/draft/clang/clang_library.hpp"

#include <dlfcn.h>

#include "base/error.hpp"

namespace sextant::own {
namespace {

void* open_library() {
  for (const char* name : {SEXTANT_LIBCLANG, "libclang.so.1", "libclang.so"})
    if (void* handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) return handle;
  throw UserError(std::string("reading a source file needs libclang, which is not installed. There is no ") +
                  SEXTANT_LIBCLANG + ". Install it with `apt-get install libclang-dev`.");
}

ClangLibrary opened() {
  void* handle = open_library();
  ClangLibrary library;
  const auto find = [&](const char* name, auto* to) {
    *to = reinterpret_cast<std::remove_pointer_t<decltype(to)>>(dlsym(handle, name));
    if (!*to)
      throw UserError(std::string("libclang is too old, because it has no function ") + name +
                      ". Install version 9 or later.");
  };
#define SEXTANT_CLANG_FIND(name) find(#name, &library.name);
  SEXTANT_CLANG_FUNCTIONS(SEXTANT_CLANG_FIND)
#undef SEXTANT_CLANG_FIND
  return library;
}

}  // namespace

std::string ClangLibrary::text(CXString string) const {
  const char* characters = clang_getCString(string);
  std::string copy = characters ? characters : "";
  clang_disposeString(string);
  return copy;
}

const ClangLibrary& clang_library() {
  static const ClangLibrary library = opened();
  return library;
}

}  // namespace sextant::own
