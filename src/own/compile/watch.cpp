#include "own/compile/watch.hpp"

namespace sextant::own {
namespace {

constexpr const char* copying[] = {"memset", "memcpy", "memmove"};

// Returns a function that the compiler calls before an access: "__asan_load4_noabort".
std::string reporter(const std::string& kind, const std::string& bytes) {
  const bool any = bytes == "N";
  return "SEXTANT_UNWATCHED void __asan_" + kind + bytes + "_noabort(const void* at" +
         (any ? ", unsigned long bytes" : "") + ") { SEXTANT_WATCH(at, " + (any ? "bytes" : bytes) + ", " +
         (kind == "store" ? "1" : "0") + "); }\n";
}

std::string copier(const std::string& name, const std::string& source, bool reads) {
  const std::string parameters = "(void* to, " + source + " from, unsigned long bytes)";
  return "void* __real_" + name + parameters + ";\nSEXTANT_UNWATCHED void* __wrap_" + name + parameters +
         " {\n  SEXTANT_WATCH(to, bytes, 1);\n" + (reads ? "  SEXTANT_WATCH(from, bytes, 0);\n" : "") +
         "  return __real_" + name + "(to, from, bytes);\n}\n";
}

}  // namespace

std::vector<std::string> watch_flags(bool clang) {
  std::vector<std::string> flags = {"-O1", "-fsanitize=kernel-address"};
  for (const char* one : {"instrumentation-with-call-threshold=0", "stack=0", "globals=0"}) {
    if (clang) flags.emplace_back("-mllvm");
    flags.push_back((clang ? "-asan-" : "--param=asan-") + std::string(one));
  }
  return flags;
}

std::vector<std::string> watch_linker_flags(bool nvcc) {
  std::vector<std::string> flags;
  for (const char* one : copying) {
    if (nvcc) flags.emplace_back("-Xlinker");
    flags.push_back((nvcc ? "--wrap=" : "-Wl,--wrap=") + std::string(one));
  }
  return flags;
}

std::string watch_text() {
  std::string text =
      "extern \"C\" {\n"
      "__attribute__((visibility(\"default\"))) void (*sextant_watch)(const void*, unsigned long, int);\n"
      "#define SEXTANT_UNWATCHED __attribute__((no_sanitize(\"kernel-address\"), visibility(\"hidden\")))\n"
      "#define SEXTANT_WATCH(at, bytes, writes) if (sextant_watch) sextant_watch(at, bytes, writes)\n"
      "SEXTANT_UNWATCHED void __asan_handle_no_return() {}\n";
  for (const char* kind : {"load", "store"})
    for (const char* bytes : {"1", "2", "4", "8", "16", "N"}) text += reporter(kind, bytes);
  text += copier("memset", "int", false) + copier("memcpy", "const void*", true) +
          copier("memmove", "const void*", true);
  return text + "}\n";
}

}  // namespace sextant::own
