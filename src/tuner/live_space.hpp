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
  Space space;               // points that the variant's constraint admits
  std::int64_t refused = 0;  // number of points that the constraint rejects
  bool drawn =
      false;  // there are too many points: the space has the admitted ones of a million random points
};

// `narrowed`: requested values, to which a tunable's choices are limited. `texts`: names of choices. Throws
// UserError with the constraint's reason if no point remains.
LiveSpace live_space(const Variant& variant, const Problem& problem, const AskedTunings& narrowed,
                     const ChoiceTexts& texts = {});

Tuning tuning_of(const Space& space, std::size_t point);
std::optional<std::size_t> find(const Space& space, const Tuning& tuning);

}  // namespace sextant::tuner
