// Compiles the variants of user kernels: one image (library or cubin) for each type and combination of
// macros.
#pragma once

#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// Returns the text of a variant's sources, including files from their own folder and the variant's include
// folders. The text is part of an image's cache key.
std::string source_text(const Description& description, const DescribedVariant& variant);

// Returns for each tunable whether the compiler gets it as a macro. That is the case if its choices are
// texts, or if a source contains its name as a word. Tunables that are arguments or compiler flags are no
// macros.
std::vector<bool> macros_of(const Description& description, const DescribedVariant& variant);

struct Instance {
  const Description& description;
  const DescribedVariant& variant;
  ElementType type = ElementType::float32;
  const int* tuning = nullptr;  // the values of the tunables, in their order
  // True for the reference, which is compiled without fast math and without vectorization.
  bool reference = false;
  // True for code that reports every access to memory, see watch_text().
  bool watched = false;
  std::string arch = {};  // GPU architecture for a variant that launches kernels itself: "sm_90"
};

struct Image {
  std::string path;     // path of the library or cubin; empty if there is no image
  std::string problem;  // the compiler's first error, and the command to repeat it
  bool llvm = false;    // true if the library uses LLVM's OpenMP runtime
};

// Compiles a shared library for a host variant, or for a CUDA variant that launches kernels itself, with
// these C functions:
//   void sextant_step(int which, void* const* arrays, const double* scalars, const long long* values)
//                            calls the function of step `which`
//   void sextant_prepare()   exists only if the variant has a function `prepare`
//   const char* sextant_problem()   returns the last CUDA error, or null; only for a variant that launches
//                            kernels itself
// `values` has one element per expression argument, in their order. The compiler is $CXX or g++, with a limit
// of 30 seconds. An image in the cache is not compiled again.
Image compile_host(const Instance& instance);
// Returns the path of the AddressSanitizer library of compile_host's compiler; empty if it has none.
std::string address_sanitizer_library();
// Returns the source file that compile_host compiles.
std::string shim(const Instance& instance);

// Returns the names and values of the macros with which an instance is compiled.
std::vector<std::pair<std::string, std::string>> defines_of(const Instance& instance);
// Returns the compiler options that come from the description and from tunables that are compiler flags. They
// follow Sextant's own options.
std::vector<std::string> options_of(const Instance& instance);

// Returns the name of an instance in messages and in the cache: "saxpy serial.plain float block_size=64".
std::string label_of(const Instance& instance);

// Returns the first error in a compiler's log and the number of errors. The description's folder is removed
// from paths.
std::string first_error(const std::string& log, const std::string& folder);

// The GPU for which a process without an open GPU compiles CUDA variants.
struct CompileTarget {
  int gpu = 0;       // index of the GPU, if `arch` is empty
  std::string arch;  // "sm_90", for a GPU that this machine does not have
};
CompileTarget& compile_target();

inline constexpr double compile_seconds = 60;  // time limit of a compiler

}  // namespace sextant::own
