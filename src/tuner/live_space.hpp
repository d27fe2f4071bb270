// The space of a variant's tunings for one problem.
#pragma once

#include <string>
#include <vector>

#include "plan/selection.hpp"
#include "record/case.hpp"
#include "suite/choice_texts.hpp"
#include "suite/variant.hpp"
#include "tuner/space.hpp"

namespace sextant::tuner {

struct LiveSpace {
  Space space;               // what the variant's constraint admits
  std::int64_t refused = 0;  // what it does not
  bool drawn = false;        // there are too many: the space is a million of them, drawn at random
};

// Values of `narrowed` that a tunable has take the place of its choices; `texts`: what choices stand for.
// Throws UserError if no point is left, with the constraint's reason.
LiveSpace live_space(const Variant& variant, const Problem& problem, const AskedTunings& narrowed,
                     const ChoiceTexts& texts = {});

Tuning tuning_of(const Space& space, std::size_t point);
std::optional<std::size_t> find(const Space& space, const Tuning& tuning);

}  // namespace sextant::tuner
