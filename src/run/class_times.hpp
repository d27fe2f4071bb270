// What named problems (S, W, A, …) will take, by what smaller ones of the same kernel took in the same form.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

// Where the case's named problem is among its kernel's, which go from small to large; 0 where it is none of
// them.
std::size_t class_index(const Case& what);

class ClassTimes {
 public:
  // A result, of this run or of one that it continues; of the latter those that came to their end alone. Of
  // several tunings the fastest counts.
  void add(const Measurement& measurement);

  // Why a call would take more than so many seconds: by the largest problem below it that came to its end, in
  // proportion to their operations, or because one below was not done within them. Empty: it would not, or it
  // is not known, as where it has more than a thousand times the operations.
  std::string why_too_long(const Case& what, double limit) const;

 private:
  struct Took {
    Case what;
    double seconds;  // negative: it was not done
  };
  std::map<std::string, std::map<std::size_t, Took>> took_;  // by form and device, and by class_index
};

}  // namespace sextant
