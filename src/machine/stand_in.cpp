#include "machine/stand_in.hpp"

#include <cstdlib>
#include <sstream>

namespace sextant {

std::vector<std::string> stand_in_gpus() {
  std::vector<std::string> names;
  const char* text = std::getenv("SEXTANT_STAND_IN_GPUS");
  std::istringstream list(text ? text : "");
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

void describe_stand_in_gpus(Environment* environment) {
  const std::vector<std::string> names = stand_in_gpus();
  if (names.empty()) return;
  std::erase_if(*environment, [](const auto& entry) { return entry.first.starts_with("gpu"); });
  (*environment)["gpus"] = std::to_string(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string gpu = "gpu" + std::to_string(i);
    (*environment)[gpu + ".name"] = "stand-in " + names[i];
    (*environment)[gpu + ".memory"] = std::to_string(std::int64_t{1} << 30);
    (*environment)[gpu + ".power_limit"] = "100";
  }
}

}  // namespace sextant
