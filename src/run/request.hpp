// A run as requested by the user, parsed and before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct RunRequest {
  Selection selection;
  Settings settings;
  double budget = 0;  // Seconds; 0: none.
  std::vector<Case> cases;
  int visits = 1;                       // The most processes that measure a case (run/visits.hpp).
  bool whole_suite = false;             // Measure in rounds (run/rounds.hpp).
  bool sentinels = true;                // Try whether the GPUs of --devices disturb each other.
  std::vector<std::string> understood;  // How ambiguous options were understood.
  std::vector<std::string> notes;
};

}  // namespace sextant
