// sextant tune --replay: runs searches on recorded tuning spaces, without a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {

struct ReplayOptions {
  std::vector<std::string> files, strategies;
  // Files to learn from. "others" means the other files in `files`; "none" or an empty list means no prior.
  std::vector<std::string> priors;
  std::string trajectory;  // Output file for the course of the search; empty means none.
  std::uint64_t seed = 1;
  std::size_t seeds = 1, budget = 200;
  bool json = false;
};

// Reads the tuning spaces in a file of any known format. Throws UserError.
std::vector<tuner::RecordedSpace> recorded_in(const std::string& path);

ExitCode replay_tuning(const ReplayOptions& options);

}  // namespace sextant
