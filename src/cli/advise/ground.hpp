// What advice stands on: a model, a machine's profile, what was measured.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"
#include "predict/model.hpp"
#include "predict/predictor.hpp"

namespace sextant {

struct AdviceSources {
  std::string model_file;          // empty: the program's own
  std::string profile;             // a file; empty: of this machine
  std::vector<std::string> files;  // results files
  bool fresh = false;              // the machine's profile is measured again
  std::string data = "fresh";      // --data: which call times of the files
};

struct AdviceGround {
  predict::AdviceModel model;
  predict::Profile profile;
  predict::DataSet data;
  std::optional<Environment> environment;  // of this machine, where it was asked for
};

// Reads, and measures the profile where nobody knows it: seconds, said on standard error; it is kept in the
// user's cache folder. Throws UserError for a file that is not what it should be.
AdviceGround advice_ground(const AdviceSources& sources);

// Predictions by all that the ground has; the ground has to outlive it.
predict::Predictor predictor_of(const AdviceGround& ground);

}  // namespace sextant
