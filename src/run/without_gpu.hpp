// Counts cases that are skipped because their GPU is missing. One line reports all of them, unless the user
// selected devices, GPU models or variants explicitly.
#pragma once

#include <set>
#include <string>

#include "plan/selection.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class WithoutGpu {
 public:
  // If `listed` is true, each case is printed as its own row, as in JSON output.
  WithoutGpu(const Selection& selection, Environment environment, bool listed);

  // True if the case's GPU is missing, so that it is counted instead of printed as a row.
  bool takes(const Case& what);
  bool takes(const Measurement& measurement) {
    return measurement.status == Status::skipped && takes(measurement.what);
  }
  // Returns a text such as "2 GPU variants skipped: this machine has no GPU (…)", or an empty text.
  std::string text() const;
  std::size_t variants() const { return variants_.size(); }

 private:
  Environment environment_;
  bool listed_;
  bool listed_libraries_;                    // like listed_, for cases of the model `library`
  std::set<std::string> variants_, models_;  // names of kernels with variants, and of models
};

}  // namespace sextant
