// sextant advise --evaluate: how well ways of choosing do on what was measured.
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
       residuals = false;  // of each family, where losses are: in place of all selectors' scores
};

// Prints the scores of all selectors. Throws UserError for a file, a split, or training that is not possible.
void evaluate_advice(const EvaluateOptions& options);

}  // namespace sextant
