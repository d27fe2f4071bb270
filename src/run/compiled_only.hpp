// CUDA code of loaded files where no GPU runs it: it is compiled all the same, so that mistakes are found.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

// What CUDA code is compiled for where no GPU says otherwise.
inline constexpr const char* arch_without_gpu = "sm_80";

class CompiledOnly {
 public:
  // Compiles what these cases would run on a GPU that is not there, each image once.
  CompiledOnly(const std::vector<Case>& cases, const Environment& environment);

  // A case that was skipped, and whose code does not compile, has failed.
  Measurement judged(Measurement measurement) const;
  // "2 CUDA variants were compiled for sm_80, and not run: there is no GPU"; empty: there are none.
  std::string text() const;
  std::size_t variants() const { return variants_; }

 private:
  std::size_t variants_ = 0;
  std::map<std::string, std::string> problems_;  // of what does not compile, by image
  std::string lacking_;                          // the compiler that is not there
};

}  // namespace sextant
