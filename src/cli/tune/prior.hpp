// What a search learns from before it begins: other spaces of its kernel and variant.
#pragma once

#include <string>
#include <vector>

#include "record/case.hpp"
#include "tuner/recorded_space.hpp"

namespace sextant {

// The spaces of the files of --prior.
std::vector<tuner::RecordedSpace> priors_in(const std::vector<std::string>& files);

struct NamedPrior {
  tuner::Prior prior;
  std::string names;  // of the spaces that taught, joined by "; "
};

// What `spaces` say of the points of `space`. `asked`: they are of files that somebody named, which are of
// elsewhere, so that the space itself teaches, too, and other tuners' files, which do not say of what they
// are.
NamedPrior prior_for(const std::vector<tuner::RecordedSpace>& spaces, bool asked, const Case& space,
                     const tuner::Space& points);

}  // namespace sextant
