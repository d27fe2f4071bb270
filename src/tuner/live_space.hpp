// The tuning space of a variant for one problem.
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
  Space space;               // combinations of choices that satisfy the variant's constraint
  std::int64_t refused = 0;  // number of combinations that the constraint rejects
  // True if there are too many combinations to enumerate. The space is then a sample: the allowed ones of a
  // million random combinations.
  bool drawn = false;
};

// Makes the space. `narrowed`: the values to which the user restricts tunables. `texts`: names of choices.
// Throws UserError with the constraint's reason if no point remains.
LiveSpace live_space(const Variant& variant, const Problem& problem, const AskedTunings& narrowed,
                     const ChoiceTexts& texts = {});

Tuning tuning_of(const Space& space, std::size_t point);
std::optional<std::size_t> find(const Space& space, const Tuning& tuning);

}  // namespace sextant::tuner
