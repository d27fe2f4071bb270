// From a described variant to something that can be run: one image for each type and combination of macros.
#pragma once

#include <string>
#include <vector>

#include "own/description/description.hpp"

namespace sextant::own {

// What a variant's sources say as text: they and the files that they include from beside them and from the
// variant's include folders. Part of what an image is kept under.
std::string source_text(const Description& description, const DescribedVariant& variant);

// For each tunable whether it is a macro: a source mentions it as a word, or its choices are texts. What is
// passed as an argument is a launch value, as is what no source mentions; flags are the compiler's options.
std::vector<bool> macros_of(const Description& description, const DescribedVariant& variant);

struct Instance {
  const Description& description;
  const DescribedVariant& variant;
  ElementType type = ElementType::float32;
  const int* tuning = nullptr;  // one value a tunable
  bool reference = false;       // what is right: neither fast nor vectorised
};

struct Image {
  std::string path;     // of the library or cubin; empty: there is none, and
  std::string problem;  // why: the compiler's first error, and the command to repeat
  bool llvm = false;    // its OpenMP is LLVM's
};

// A library that has, with C's names,
//   void sextant_step(int which, void* const* arrays, const double* scalars, const long long* values)   calls
//   a step's function void sextant_prepare()   if the variant has something to prepare
// `values`: one for each argument that is an expression, in their order. Compiled unless it is in the cache,
// by $CXX or g++, within 30 seconds.
Image compile_host(const Instance& instance);
// AddressSanitizer's library of the compiler that compile_host takes; empty: it has none.
std::string address_sanitizer_library();
// The source that is compiled for it.
std::string shim(const Instance& instance);

// Lines `NAME VALUE` for macros.
std::vector<std::pair<std::string, std::string>> defines_of(const Instance& instance);
// Options of flags and of the description, after those of Sextant.
std::vector<std::string> options_of(const Instance& instance);

// What names one instance in messages and in the cache: "saxpy serial.plain float block_size=64".
std::string label_of(const Instance& instance);

// The first error in a compiler's log and how many there are, with the folder of the description left out.
std::string first_error(const std::string& log, const std::string& folder);

// For which GPU CUDA variants are compiled by a process that has none open.
struct CompileTarget {
  int gpu = 0;       // its index, or
  std::string arch;  // "sm_90", where it is not of this machine
};
CompileTarget& compile_target();

inline constexpr double compile_seconds = 30;  // how long a compiler may take

}  // namespace sextant::own
