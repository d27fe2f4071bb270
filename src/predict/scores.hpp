// From a selector's answers to its score, for evaluate.cpp.
#pragma once

#include <string>
#include <vector>

#include "predict/evaluate.hpp"

namespace sextant::predict {

struct JudgedAnswer {
  Contest contest;
  Answer answer;
};

Score score_of(const std::string& selector, const DataSet& data, const std::vector<JudgedAnswer>& judged);

}  // namespace sextant::predict
