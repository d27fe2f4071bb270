// Counts cases that are skipped because their GPU is missing. They share one line, unless the selection names
// variants or devices.
#pragma once

#include <set>
#include <string>

#include "plan/selection.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class WithoutGpu {
 public:
  // `listed`: each case gets its row regardless, as in JSON.
  WithoutGpu(const Selection& selection, Environment environment, bool listed);

  // True if the case's GPU is missing, so that it is counted instead of printed as a row.
  bool takes(const Case& what);
  bool takes(const Measurement& measurement) {
    return measurement.status == Status::skipped && takes(measurement.what);
  }
  // Returns a text such as "2 GPU variants skipped: no GPU here (-v cuda names each)", or an empty text.
  std::string text() const;
  std::size_t variants() const { return variants_.size(); }

 private:
  Environment environment_;
  bool listed_;
  std::set<std::string> variants_, models_;  // Variants with the names of their kernels.
};

}  // namespace sextant
