// Compiles CUDA code of loaded files on a machine without a GPU, so that compile errors are found there, too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// The target architecture if there is no GPU to name one.
inline constexpr const char* arch_without_gpu = "sm_80";

class CompiledOnly {
 public:
  // Compiles the code of the cases whose GPU is missing, each image once.
  CompiledOnly(const std::vector<Case>& cases, const Environment& environment);

  // Turns a skipped case into a failed one if its code does not compile.
  Measurement judged(Measurement measurement) const;
  // Returns a text such as "2 CUDA variants were compiled for sm_80, and not run: there is no GPU". It is
  // empty if there are no such variants.
  std::string text() const;
  std::size_t variants() const { return variants_; }

 private:
  std::size_t variants_ = 0;
  // Compiler messages of code that does not compile, by image.
  std::map<std::string, std::string> problems_;
  std::string lacking_;  // Message about a missing compiler.
};

}  // namespace sextant
