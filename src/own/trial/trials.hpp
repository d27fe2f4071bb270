// Corrects a drafted description by trial runs of its reference at small sizes.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "own/description/description.hpp"
#include "own/draft/draft.hpp"

namespace sextant::own {

struct TrialAsked {
  // Returns the draft's description with these changes.
  std::function<Description(const DraftChanges&)> draft;
  std::set<std::string> unknown;        // arrays whose drafted length is a guess
  std::vector<std::int64_t> constants;  // numbers in the source
};

// Returns changes with which the reference stays within its arrays at all tried sizes, as far as some were
// found: array lengths from the highest indices, fills whose values are valid indices, and sizes with which
// the reference ends. It takes at most about 20 seconds after the reference is compiled.
DraftChanges changes_by_trials(const TrialAsked& asked);

// Does the same for the draft of a source's functions. `file` must hold this draft and the source.
DraftChanges changes_by_trials(const std::string& source, const std::string& file,
                               const SourceFunctions& found, const DraftAsked& asked);

}  // namespace sextant::own
