// Collects the data behind advice: a model, a machine's profile and measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"
#include "predict/model.hpp"
#include "predict/predictor.hpp"

namespace sextant {

struct AdviceSources {
  std::string model_file;          // Empty: the built-in model.
  std::string profile;             // A file; empty: the profile of this machine.
  std::vector<std::string> files;  // Results files.
  bool fresh = false;              // Measure the machine's profile again.
  std::string data = "fresh";      // --data: which call times of the files to use.
};

struct AdviceGround {
  predict::AdviceModel model;
  predict::Profile profile;
  predict::DataSet data;
  std::optional<Environment> environment;  // Environment of this machine, if its profile was requested.
};

// Reads the sources. Measures the profile if it is not stored, which takes seconds, prints a message and
// writes it to the user's cache folder. Throws UserError if a file is invalid.
AdviceGround advice_ground(const AdviceSources& sources);

// Returns a predictor that uses everything in `ground`, which must outlive it.
predict::Predictor predictor_of(const AdviceGround& ground);

}  // namespace sextant
