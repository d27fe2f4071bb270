// Lists the kernels and variants of this build, and those that were loaded at run time. CMake generates the
// list of the build from the kernel folders.
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
  // Name of the folder in kernels/, programs/, …, or a name that was assigned when the kernel was loaded.
  // Empty for test kernels.
  std::string folder = {};
  // Top folder: kernels, programs, npb or patterns; "own" for a loaded library; may be empty.
  std::string suite = {};
  std::string loaded_from = {};  // file from which the kernel was loaded; empty for kernels of the build
  bool unchecked = false;        // the kernel has no reference, so that any result passes
  // If one of the kernel's own variants is its reference: the name of that variant and its precision.
  std::string checked_by = {};
  ChoiceTexts texts = {};
  // By variant: its file in the folder; "" if it has none.
  std::map<std::string, std::string> files = {};
};

// A programming model in this build: whether it was built, why not, and its compiler.
struct ModelBuild {
  Model model;
  bool built;
  std::string reason;    // why the model is not in the build; empty if it is
  std::string compiler;  // name and version of its compiler
  std::string flags;
};

// The kernels. Their addresses stay valid for the lifetime of the process, even if more kernels are added.
const std::deque<RegisteredKernel>& registry();
const std::vector<ModelBuild>& model_builds();

// A variant that exists in the source but is not available, with the reason: the build excluded it, or its
// library cannot be opened.
struct LeftOut {
  std::string folder, variant, reason;
  std::string file = {};  // path relative to the kernel's folder
};
const std::vector<LeftOut>& left_out();
void add_left_out(LeftOut left_out);

const RegisteredKernel* find_kernel(std::string_view name);
// Returns null if the kernel has no variant of that name. Throws UserError in the case that
// open_offloaded_when_used describes.
const Variant* find_variant(const RegisteredKernel& kernel, std::string_view name);

// Delays the loading of offloaded variants, for measuring processes. The registry then knows only their names
// and models until find_variant is called for one of them. This avoids compiling device code of unused
// libraries. Call it before any other function of this file. find_variant then throws UserError if a library
// cannot be opened.
void open_offloaded_when_used();

// Returns true if find_variant would open a library. The driver then compiles the library's device code, at
// once or when the device starts. This takes seconds.
bool opens_a_library(const RegisteredKernel& kernel, std::string_view name);

// Returns true if the variant runs on a GPU, whatever the memory space of its arrays. Offloaded and CUDA
// variants that copy their own data have MemorySpace::host, and their call time is the end-to-end time.
// Variants that split a problem over ranks or GPUs run where their model runs.
inline bool needs_gpu(const Variant& variant) {
  const bool on_host =
      variant.memory_space == MemorySpace::host || variant.memory_space == MemorySpace::partitioned;
  return !on_host || is_offloaded(variant.model) || variant.model == Model::cuda;
}

// Returns the path of a file in the kernel's folder: "kernels/triad/cuda.cu". For a loaded library:
// "mine/cuda.cu".
std::string source_path(const RegisteredKernel& kernel, const std::string& file);
// Returns the path of the file that defines the variant. For a kernel that was loaded from one source file,
// it is that file's name. Empty if the file is unknown.
std::string source_path_of_variant(const RegisteredKernel& kernel, const std::string& variant);

// Adds a kernel to the registry of this process: a loaded one, or one of a test.
void add_to_registry(RegisteredKernel kernel);

// Returns the kernels of the folder, each with all variants of the folder. A variant's model is that of its
// file.
std::vector<RegisteredKernel> registered(const KernelFolder& folder);

namespace detail {
std::vector<KernelFolder> folders();       // CMake generates this function
std::vector<LeftOut> left_out_of_build();  // CMake generates this function
}  // namespace detail

}  // namespace sextant
