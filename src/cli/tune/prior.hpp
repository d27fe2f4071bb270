// Provides prior knowledge for a search from other spaces of its kernel and variant.
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
  std::string names;  // Names of the spaces that were used, joined by "; ".
};

// Returns what `spaces` say about the points of `space`. `asked` means that the user named the files, so they
// come from elsewhere. The same space and files of other tuners, which do not name their kernel, are then
// used as well.
NamedPrior prior_for(const std::vector<tuner::RecordedSpace>& spaces, bool asked, const Case& space,
                     const tuner::Space& points);

}  // namespace sextant
