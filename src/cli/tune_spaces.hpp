// What `sextant tune` is to search, before anything is measured.
#pragma once

#include <string>
#include <vector>

#include "cli/values.hpp"
#include "plan/selection.hpp"
#include "present/table.hpp"
#include "record/case.hpp"
#include "suite/variant.hpp"

namespace sextant {

// The variant of a case of this build.
const Variant& variant_of(const Case& space);

// One case a space, with the default tuning; variants without tunables are left out. Sizes of one variant come from the
// middle outwards, so that each is near one that taught. Throws UserError if nothing is left.
std::vector<Case> spaces_to_tune(const Selection& selection, std::vector<std::string>* notes);

// Evaluations that a space of so many points may take.
std::size_t evaluations_of(const TuneBudget& budget, std::size_t points);

// `--dry-run`: a row a space.
Table tuning_plan(const std::vector<Case>& spaces, const Selection& selection, const TuneBudget& budget);

}  // namespace sextant
