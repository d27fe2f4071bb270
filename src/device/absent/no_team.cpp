#include "device/team.hpp"

namespace sextant {

int gpus_of_machine() { return 0; }

std::unique_ptr<DeviceTeam> open_team(int, int, int, std::string* why_not) {
  if (why_not) *why_not = "CUDA is not in this build";
  return nullptr;
}

}  // namespace sextant
