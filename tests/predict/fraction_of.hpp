// Returns a selector's score by name.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// Returns the fraction that the selector reaches. Fails the test and returns 0 if there is none.
inline double fraction_of(const std::vector<Score>& scores, const std::string& name) {
  for (const Score& score : scores)
    if (score.selector == name) return score.fraction;
  ADD_FAILURE() << "no " << name;
  return 0;
}

}  // namespace sextant::predict
