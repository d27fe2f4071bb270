// Which checks are not worth a try: a variant that was not done in time at smaller problems hangs, or is too
// slow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class LateBefore {
 public:
  void add(const Measurement& measurement);
  // Why the case is not begun: twice it was not done in time with the same tuning at problems that are no
  // larger in any direction. Else empty.
  std::string why_not(const Case& what) const;

 private:
  std::map<std::string, std::vector<Case>> late_;  // by what they have in common but the size
};

}  // namespace sextant
