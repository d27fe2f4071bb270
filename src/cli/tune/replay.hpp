// sextant tune --replay: searches on recorded spaces, without a device.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {

struct ReplayOptions {
  std::vector<std::string> files, strategies;
  std::vector<std::string> priors;  // files; "others": the other files of `files`; "none" or empty: none
  std::string trajectory;           // file; empty: none
  std::uint64_t seed = 1;
  std::size_t seeds = 1, budget = 200;
  bool json = false;
};

// The spaces of a file of any format that is known. Throws UserError.
std::vector<tuner::RecordedSpace> recorded_in(const std::string& path);

ExitCode replay_tuning(const ReplayOptions& options);

}  // namespace sextant
