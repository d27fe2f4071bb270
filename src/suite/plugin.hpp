// The interface of a shared library of user kernels. The library exports one constant, `sextant_kernels`. Its
// compatibility is checked before any function is called. The build generates it (sextant_add_kernels).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

// One source file with variants of a kernel. The build generates these entries.
struct VariantFile {
  const char* path;  // relative to the kernel's folder, such as cuda.cu
  Model model;
  // Returns the variants. Null if they are in a separate library of the folder, which is opened on first use.
  std::vector<Variant> (*make)();
  std::vector<const char*> names;  // variant names without the model, in the file's order
};

// One folder with a kernel.cpp and source files of variants.
struct KernelFolder {
  const char* name;
  std::vector<Kernel> (*kernels)();
  std::vector<VariantFile> files;
  // Parent folder in this project: kernels, programs, npb or patterns. "own" for user kernels.
  const char* suite = "own";
};

// A variant that the build left out, with the reason and the source file.
struct LeftOutEntry {
  const char *folder, *variant, *reason, *path;
};

// Version of the data layout. Increase it if one of these structs or a type of their members changes: Kernel,
// Variant, Call, Problem, KernelFolder, VariantFile. tests/suite/plugin_test.cpp records the member offsets
// of each version.
inline constexpr std::uint32_t forms_layout = 9;

// Describes a library of user kernels. The loader compares the members in order and stops at the first
// mismatch. Add new members at the end of their group; magic, layout and size must keep their offsets.
struct Plugin {
  char magic[8];         // always "sextant"
  std::uint32_t layout;  // value of forms_layout at compile time
  std::uint32_t size;    // sizeof(Plugin) in bytes; the next members are the sizes of the structs in bytes
  std::uint32_t kernel, variant, call, problem, folder, entry;
  std::uint32_t cxx11_abi;  // _GLIBCXX_USE_CXX11_ABI
  std::uint32_t cxx_abi;    // __GXX_ABI_VERSION

  const char* compiler;       // name and version of the compiler
  const char* flags;          // compiler flags per language, in one line
  const char* version;        // version of Sextant at compile time
  const char* parts;          // colon-separated names of files that must be next to the library; may be ""
  std::int32_t cuda_runtime;  // CUDART_VERSION, or 0 without CUDA

  std::vector<KernelFolder> (*folders)();
  const LeftOutEntry* left_out;
  std::size_t left_out_count;
  // Returns the text of the pending error of the library's CUDA runtime, or null. The pointer itself is null
  // without CUDA.
  const char* (*last_gpu_error)();
};

inline constexpr const char* plugin_symbol = "sextant_kernels";

// Returns a Plugin with the struct sizes and ABI of this compiler. The caller sets the texts and functions.
constexpr Plugin plugin_header() {
  Plugin plugin{};
  constexpr char magic[8] = "sextant";
  for (std::size_t i = 0; i < sizeof magic; ++i) plugin.magic[i] = magic[i];
  plugin.layout = forms_layout;
  plugin.size = sizeof(Plugin);
  plugin.kernel = sizeof(Kernel);
  plugin.variant = sizeof(Variant);
  plugin.call = sizeof(Call);
  plugin.problem = sizeof(Problem);
  plugin.folder = sizeof(KernelFolder);
  plugin.entry = sizeof(VariantFile);
#ifdef _GLIBCXX_USE_CXX11_ABI
  plugin.cxx11_abi = _GLIBCXX_USE_CXX11_ABI;
#endif
#ifdef __GXX_ABI_VERSION
  plugin.cxx_abi = __GXX_ABI_VERSION;
#endif
  plugin.compiler = plugin.flags = plugin.version = plugin.parts = "";
  return plugin;
}

}  // namespace sextant
