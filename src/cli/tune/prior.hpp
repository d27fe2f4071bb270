// Provides a search with prior knowledge from other tuning spaces of the same kernel and variant.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {

// Reads the spaces in the files of --prior.
std::vector<tuner::RecordedSpace> priors_in(const std::vector<std::string>& files);

struct NamedPrior {
  tuner::Prior prior;
  std::string names;  // Names of the spaces that were used, separated by "; ".
};

// Returns what `spaces` tell about the points of `space`. If `asked` is true, the user named the files, so
// they were recorded elsewhere. In that case, a recorded copy of the same space is also used. Files of other
// tuners are also used then, although they do not name their kernel.
NamedPrior prior_for(const std::vector<tuner::RecordedSpace>& spaces, bool asked, const Case& space,
                     const tuner::Space& points);

}  // namespace sextant
