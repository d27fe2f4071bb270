// Compiles the CUDA code of loaded user kernels on a machine without a GPU, so that compile errors are found
// there, too.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// The GPU architecture for which code is compiled if there is no GPU.
inline constexpr const char* arch_without_gpu = "sm_80";

class CompiledOnly {
 public:
  // Compiles the code of the cases whose GPU is missing. Cases with the same code are compiled once.
  CompiledOnly(const std::vector<Case>& cases, const Environment& environment);

  // Turns the skipped measurement of a case into a failed one if its code does not compile.
  Measurement judged(Measurement measurement) const;
  // Returns a text such as "2 CUDA variants were compiled for sm_80, but not run: this machine has no GPU".
  // It is empty if there are no such variants.
  std::string text() const;
  std::size_t variants() const { return variants_; }

 private:
  std::size_t variants_ = 0;
  // compiler messages of code that does not compile, by image_key()
  std::map<std::string, std::string> problems_;
  std::string lacking_;  // message if the compiler is missing
};

}  // namespace sextant
