// Provides a selector's score by name for tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

// Fails the test and returns 0 if no score has that name.
inline double fraction_of(const std::vector<Score>& scores, const std::string& name) {
  for (const Score& score : scores)
    if (score.selector == name) return score.fraction;
  ADD_FAILURE() << "no " << name;
  return 0;
}

}  // namespace sextant::predict
