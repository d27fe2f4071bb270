// The kernels and variants of this build and those loaded at run time. CMake generates the build's list from
// the kernel folders.
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
  // Folder in kernels/, programs/, … or the name that loading assigned; empty for test kernels.
  std::string folder = {};
  // kernels, programs, npb or patterns; own for a loaded library; may be empty.
  std::string suite = {};
  std::string loaded_from = {};  // the file it was loaded from; empty for kernels of the build
  bool unchecked = false;        // the kernel has no reference, so that any result passes
  // If one of its own variants is the reference: that variant and its precision.
  std::string checked_by = {};
  ChoiceTexts texts = {};
  // Maps a variant to its file in the folder; "" if it has none.
  std::map<std::string, std::string> files = {};
};

// A programming model in this build: whether it was built, why not, and its compiler.
struct ModelBuild {
  Model model;
  bool built;
  std::string reason;    // why the model is left out; empty if built
  std::string compiler;  // name and version
  std::string flags;
};

// Kernels keep their addresses for the lifetime of the process, even if more are added.
const std::deque<RegisteredKernel>& registry();
const std::vector<ModelBuild>& model_builds();

// A variant in the source that is not available, with the reason: the build left it out, or its library
// cannot be opened.
struct LeftOut {
  std::string folder, variant, reason;
  std::string file = {};  // relative to the kernel's folder
};
const std::vector<LeftOut>& left_out();
void add_left_out(LeftOut left_out);

const RegisteredKernel* find_kernel(std::string_view name);
// Returns null if the kernel has no variant of that name. Throws UserError as described at
// open_offloaded_when_used.
const Variant* find_variant(const RegisteredKernel& kernel, std::string_view name);

// Delays the loading of offloaded variants in measuring processes. The registry then knows only their names
// and models until find_variant asks for one. This avoids compiling device code of unused libraries. Call it
// before any other function here. find_variant then throws UserError if a library cannot be opened.
void open_offloaded_when_used();

// Returns true if find_variant would now open a library. The driver then compiles the library's device code,
// now or when the device starts, which takes seconds.
bool opens_a_library(const RegisteredKernel& kernel, std::string_view name);

// Returns true if the variant runs on a GPU, regardless of the memory space of its arrays. Offloaded and CUDA
// variants that copy their own data have MemorySpace::host; their call time is the end-to-end time.
// Partitioned variants run where their model does.
inline bool needs_gpu(const Variant& variant) {
  const bool on_host =
      variant.memory_space == MemorySpace::host || variant.memory_space == MemorySpace::partitioned;
  return !on_host || is_offloaded(variant.model) || variant.model == Model::cuda;
}

// Returns the path of a file in the kernel's folder: "kernels/triad/cuda.cu", or "mine/cuda.cu" for a loaded
// library.
std::string source_path(const RegisteredKernel& kernel, const std::string& file);
// Returns the path of the variant's file. For a kernel loaded from one source file, this is that file's name.
// Empty if no file is known.
std::string source_path_of_variant(const RegisteredKernel& kernel, const std::string& variant);

// Adds a loaded kernel or a test's kernel to the registry of this process.
void add_to_registry(RegisteredKernel kernel);

// Returns the folder's kernels, each with the folder's variants. The file of a variant determines its model.
std::vector<RegisteredKernel> registered(const KernelFolder& folder);

namespace detail {
std::vector<KernelFolder> folders();       // generated
std::vector<LeftOut> left_out_of_build();  // generated
}  // namespace detail

}  // namespace sextant
