// Collects the data on which advice is based: a model, the profile of a machine, and measurements.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "predict/data_set.hpp"
#include "predict/model.hpp"
#include "predict/predictor.hpp"

namespace sextant {

struct AdviceSources {
  std::string model_file;          // File of the model; empty for the built-in model.
  std::string profile;             // File of a machine's profile; empty for this machine.
  std::vector<std::string> files;  // Results files.
  bool fresh = false;              // True to measure this machine's profile again.
  std::string data = "fresh";      // Value of --data: which call times of the files to use.
};

struct AdviceGround {
  predict::AdviceModel model;
  predict::Profile profile;
  predict::DataSet data;
  std::optional<Environment> environment;  // Environment of this machine, if its profile was requested.
  Results probes;                          // Measurements that no file holds; they are part of `data`.
};

// Reads the model, the profile and the files that `sources` names. If this machine's profile is needed but
// not stored, measures it and writes it to the user's cache folder. That takes seconds and prints a message.
// Throws UserError if a file is invalid.
AdviceGround advice_ground(const AdviceSources& sources);

// Reads the files again, which may have new measurements, and adds `ground->probes`. The profile stays.
void read_measurements(const AdviceSources& sources, AdviceGround* ground);

// Returns a predictor that uses all data in `ground`. `ground` must outlive it.
predict::Predictor predictor_of(const AdviceGround& ground);

}  // namespace sextant
