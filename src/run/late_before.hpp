// Skips checks of a variant that timed out for smaller problems, because it hangs or is too slow.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "record/measurement.hpp"

namespace sextant {

class LateBefore {
 public:
  void add(const Measurement& measurement);
  // Returns why the case is skipped, or an empty text. A case is skipped if the same variant and tuning timed
  // out for two problems that are no larger in any dimension.
  std::string why_not(const Case& what) const;

 private:
  // timed-out cases, by a key of all their properties except the size
  std::map<std::string, std::vector<Case>> late_;
};

}  // namespace sextant
