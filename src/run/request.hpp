// What a run is asked for: read, and nothing has been touched yet.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct RunRequest {
  Selection selection;
  Settings settings;
  double budget = 0;  // seconds; 0: none
  std::vector<Case> cases;
  int visits = 1;                       // stays of a case at most (run/visits.hpp)
  bool whole_suite = false;             // in rounds (run/rounds.hpp)
  bool sentinels = true;                // try whether GPUs that cases are dealt to disturb each other
  std::vector<std::string> understood;  // of options that could be meant otherwise
  std::vector<std::string> notes;
};

}  // namespace sextant
