// A run as the user requests it, after parsing the command line and before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "engine/form/settings.hpp"
#include "plan/selection.hpp"

namespace sextant {

struct RunRequest {
  Selection selection;
  Settings settings;
  double budget = 0;  // time budget in seconds; 0: none
  std::vector<Case> cases;
  int visits = 1;  // maximum number of processes that measure a case (run/visits.hpp)
  // true to measure small problems first and leave out slow variants (run/rounds.hpp)
  bool whole_suite = false;
  bool sentinels = true;                // true to test whether the GPUs of --devices disturb each other
  std::vector<std::string> understood;  // messages about the interpretation of ambiguous options
  std::vector<std::string> notes;
};

}  // namespace sextant
