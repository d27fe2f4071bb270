#include "predict/launches.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace sextant::predict {

Profile with_launches_within(Profile profile, const DataSet& data, const std::vector<Contest>& calls) {
  const std::string hardware = hardware_of(profile);
  std::vector<bool> here;
  for (const DataMachine& machine : data.machines) here.push_back(hardware_of(machine.profile) == hardware);
  for (const Option option : {Option::openmp, Option::openacc, Option::cuda}) {
    double shortest = std::numeric_limits<double>::infinity();
    for (const Contest& call : calls)
      if (here[call.machine] && call.at(option)) shortest = std::min(shortest, call.at(option)->median);
    for (Ceiling& ceiling : profile.ceilings)
      if (ceiling.name == std::string("launch_") + name_of(option))
        ceiling.value = std::min(ceiling.value, shortest);
  }
  digest(&profile);
  return profile;
}

}  // namespace sextant::predict
