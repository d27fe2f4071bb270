// What a library of kernels exports: one constant, `sextant_kernels`, which says what it was built for before
// any of its functions is called. Libraries get it from the build (sextant_add_kernels), nobody writes it by
// hand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

// A file of variants, as the generated list of a build has it.
struct VariantFile {
  const char* path;  // within the folder: cuda.cu
  Model model;
  std::vector<Variant> (*make)();  // null: in a library of the folder's, which is opened when it is needed
  std::vector<const char*> names;  // of its variants, without the model; as they stand in the file
};

// One folder with its kernel.cpp and files of variants.
struct KernelFolder {
  const char* name;
  std::vector<Kernel> (*kernels)();
  std::vector<VariantFile> files;
  const char* suite =
      "own";  // the folder it lies in, of the project's own: kernels, programs, npb or patterns
};

// A variant that a build left out, why, and the file it stands in.
struct LeftOutEntry {
  const char *folder, *variant, *reason, *path;
};

// Raised when a member of a form changes its place: Kernel, Variant, Call, Problem or anything in them,
// KernelFolder and VariantFile. tests/suite/plugin_test.cpp holds the places of each number.
inline constexpr std::uint32_t forms_layout = 8;

// Read from top to bottom; a member is looked at only where all before it are as they should be, so new ones
// go to the end of their group, and magic, layout and size stay where they are.
struct Plugin {
  char magic[8];         // "sextant"
  std::uint32_t layout;  // forms_layout
  std::uint32_t size;    // of this struct; this and the next, bytes
  std::uint32_t kernel, variant, call, problem, folder, entry;
  std::uint32_t cxx11_abi;  // _GLIBCXX_USE_CXX11_ABI
  std::uint32_t cxx_abi;    // __GXX_ABI_VERSION

  const char* compiler;       // name and version
  const char* flags;          // of each role, one line
  const char* version;        // of the Sextant whose headers it was built with
  const char* parts;          // files that belong to it and lie beside it, with colons between; "" if none
  std::int32_t cuda_runtime;  // CUDART_VERSION, 0 without CUDA

  std::vector<KernelFolder> (*folders)();
  const LeftOutEntry* left_out;
  std::size_t left_out_count;
  // The error of the library's own CUDA run time that nobody has asked for, as text, or null; null without
  // CUDA.
  const char* (*last_gpu_error)();
};

inline constexpr const char* plugin_symbol = "sextant_kernels";

// What this compiler makes of the headers; texts and functions are to be filled in.
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
