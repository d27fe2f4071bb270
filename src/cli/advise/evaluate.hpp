// sextant advise --evaluate: scores ways of choosing on measured data.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct EvaluateOptions {
  std::vector<std::string> files;
  std::string split = "kernel-out";
  double risk = 0.05;
  bool trees = false, json = false;
  bool families = false,
       residuals = false;  // Instead of all scores: by family, or where losses occur.
};

// Prints the scores of all selectors. Throws UserError if a file or split is invalid, or if training is not
// possible.
void evaluate_advice(const EvaluateOptions& options);

}  // namespace sextant
