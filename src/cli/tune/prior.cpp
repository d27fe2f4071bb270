#include "cli/tune/prior.hpp"

#include "base/error.hpp"
#include "cli/tune/replay.hpp"
#include "record/keys.hpp"

namespace sextant {

std::vector<tuner::RecordedSpace> priors_in(const std::vector<std::string>& files) {
  std::vector<tuner::RecordedSpace> all;
  for (const std::string& file : files) {
    if (file == "none") continue;
    if (file == "others")
      throw UserError(
          "`--prior others` learns from the other files of --replay, but --replay is not given. Name the "
          "files after --prior.");
    for (tuner::RecordedSpace& one : recorded_in(file)) all.push_back(std::move(one));
  }
  return all;
}

NamedPrior prior_for(const std::vector<tuner::RecordedSpace>& spaces, bool asked, const Case& space,
                     const tuner::Space& points) {
  const std::string family = space.kernel + "|" + space.variant + "|", own = space_key_of(space);
  NamedPrior all;
  for (const tuner::RecordedSpace& one : spaces) {
    const bool foreign = asked && one.name.find('|') == std::string::npos;
    const bool itself = !asked && one.name.starts_with(own);
    if (!foreign && (!one.name.starts_with(family) || itself)) continue;
    const std::vector<const tuner::RecordedSpace*> single = {&one};
    tuner::Prior taught = tuner::prior_of(points, single);
    if (taught.empty()) continue;
    all.prior.sources.push_back(std::move(taught.sources.front()));
    all.names += (all.names.empty() ? "" : "; ") + one.name;
  }
  return all;
}

}  // namespace sextant
