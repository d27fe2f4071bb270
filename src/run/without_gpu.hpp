// What is skipped because its GPU is not there: counted in one line, unless the selection names variants or
// devices.
#pragma once

#include <set>
#include <string>

#include "plan/selection.hpp"
#include "record/environment.hpp"
#include "record/measurement.hpp"

namespace sextant {

class WithoutGpu {
 public:
  // `listed`: each has its row all the same, as in JSON.
  WithoutGpu(const Selection& selection, Environment environment, bool listed);

  // Whether the case's GPU is not there, and it goes into the line in place of a row.
  bool takes(const Case& what);
  bool takes(const Measurement& measurement) {
    return measurement.status == Status::skipped && takes(measurement.what);
  }
  // "2 GPU variants skipped: no GPU here (-v cuda names each)"; empty: none was.
  std::string text() const;
  std::size_t variants() const { return variants_.size(); }

 private:
  Environment environment_;
  bool listed_;
  std::set<std::string> variants_, models_;  // of a kernel, with its name
};

}  // namespace sextant
