// Lists the kernels and variants of this build and those loaded at run time. CMake generates the list of the
// build from the kernel folders.
#pragma once

#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "suite/choice_texts.hpp"
#include "suite/kernel.hpp"
#include "suite/plugin.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct RegisteredKernel {
  Kernel kernel;
  std::vector<Variant> variants;  // sorted by model, then by name
  // Folder in kernels/, programs/, …, or the name of a loaded kernel. Empty for test kernels.
  std::string folder = {};
  // Top folder: kernels, programs, npb or patterns. It is "own" for a loaded library, and may be empty.
  std::string suite = {};
  std::string loaded_from = {};  // file from which the kernel was loaded; empty for kernels of the build
  bool unchecked = false;        // true if the kernel has no reference, so that any result passes
  // Name and precision of the kernel's own variant that serves as reference; empty if there is none.
  std::string checked_by = {};
  ChoiceTexts texts = {};
  // source file in the folder by variant; may be ""
  std::map<std::string, std::string> files = {};
};

// A programming model, and whether this build includes it.
struct ModelBuild {
  Model model;
  bool built;
  std::string reason;    // why the build lacks the model; else empty
  std::string compiler;  // name and version of its compiler
  std::string flags;
};

// Returns all kernels. Their addresses stay valid, even if kernels are added.
const std::deque<RegisteredKernel>& registry();
const std::vector<ModelBuild>& model_builds();

// A variant of the source code that is not available, and the reason: it was not built, or its library cannot
// be opened.
struct LeftOut {
  std::string folder, variant, reason;
  std::string file = {};  // path relative to the kernel's folder
};
const std::vector<LeftOut>& left_out();
void add_left_out(LeftOut left_out);

const RegisteredKernel* find_kernel(std::string_view name);
// Returns null if the kernel has no such variant. May throw UserError after open_offloaded_when_used.
const Variant* find_variant(const RegisteredKernel& kernel, std::string_view name);

// Makes find_variant open the library of an offloaded variant on first use. Until then the registry knows
// only the variant's name and model. It avoids compiling device code that is not used. Call it before any
// other function of this file. find_variant then throws UserError if the library cannot be opened.
void open_offloaded_when_used();

// Returns true if find_variant would open a library. The driver then compiles its device code, which takes
// seconds.
bool opens_a_library(const RegisteredKernel& kernel, std::string_view name);

// Returns true if the variant runs on a GPU. This includes variants that take host arrays and copy the data
// themselves. Variants that partition a problem run where their model runs.
inline bool needs_gpu(const Variant& variant) {
  const bool on_host =
      variant.memory_space == MemorySpace::host || variant.memory_space == MemorySpace::partitioned;
  return !on_host || is_offloaded(variant.model) || variant.model == Model::cuda;
}

// Returns the path of a file in the kernel's folder, such as "kernels/triad/cuda.cu". For a loaded library it
// is "mine/cuda.cu".
std::string source_path(const RegisteredKernel& kernel, const std::string& file);
// Returns the path of the file that defines the variant. For a kernel that was loaded from one source file,
// returns that file's name. Empty if unknown.
std::string source_path_of_variant(const RegisteredKernel& kernel, const std::string& variant);

// Adds a loaded kernel or a test kernel to the registry of this process.
void add_to_registry(RegisteredKernel kernel);

// Returns the kernels of the folder, each with all variants of the folder. A variant's model is that of its
// source file.
std::vector<RegisteredKernel> registered(const KernelFolder& folder);

namespace detail {
std::vector<KernelFolder> folders();       // CMake generates this function
std::vector<LeftOut> left_out_of_build();  // CMake generates this function
}  // namespace detail

}  // namespace sextant
