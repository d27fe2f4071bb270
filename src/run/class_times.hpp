// Predicts the times of named problems (such as the NAS classes S, W, A). It scales the times of smaller
// named problems of the same kernel and variant.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

// Returns the index of the case's named problem in its kernel's list, which usually goes from small to large.
// Returns 0 if the problem is not in the list.
std::size_t class_index(const Case& what);

class ClassTimes {
 public:
  // Adds a result of this run, or a completed result of an earlier run that it continues. If a problem was
  // measured with several tunings, the fastest counts.
  void add(const Measurement& measurement);

  // Returns why a case is expected to exceed `limit` seconds, or an empty text. The estimate scales the time
  // of the largest smaller problem that completed by the ratio of operations. A smaller problem that timed
  // out is also a reason. If the ratio is above 1000, there is no estimate and the text is empty.
  std::string why_too_long(const Case& what, double limit) const;

 private:
  struct Took {
    Case what;
    double seconds;  // seconds of the case; negative: it timed out
  };
  // Keys: a text of kernel, variant, type and device, then class_index().
  std::map<std::string, std::map<std::size_t, Took>> took_;
};

}  // namespace sextant
