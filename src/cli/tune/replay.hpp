// sextant tune --replay: runs searches on recorded spaces, without a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {

struct ReplayOptions {
  std::vector<std::string> files, strategies;
  // Files; "others": the other files of `files`; "none" or empty: no prior.
  std::vector<std::string> priors;
  std::string trajectory;  // Output file; empty: none.
  std::uint64_t seed = 1;
  std::size_t seeds = 1, budget = 200;
  bool json = false;
};

// Reads the spaces of a file in any known format. Throws UserError.
std::vector<tuner::RecordedSpace> recorded_in(const std::string& path);

ExitCode replay_tuning(const ReplayOptions& options);

}  // namespace sextant
