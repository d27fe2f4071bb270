// sextant advise --evaluate: scores methods of choosing an option on measured data.
#pragma once

#include <string>
#include <vector>

namespace sextant {

struct EvaluateOptions {
  std::vector<std::string> files;
  std::string split = "kernel-out";
  double risk = 0.05;
  bool fit = false, json = false;
  // Instead of all scores, print scores by kernel family, or the problems with losses.
  bool families = false, residuals = false;
  bool as_used = false;    // Print scores_as_used() instead.
  std::string model_file;  // Its model; empty for the built-in model.
};

// Prints the scores of all selectors (methods of choosing). Throws UserError if a file or split is invalid,
// or if training is not possible.
void evaluate_advice(const EvaluateOptions& options);

}  // namespace sextant
