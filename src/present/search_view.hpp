// show --by search: how searches for the best tuning went.
#pragma once

#include <vector>

#include "present/views.hpp"
#include "record/search.hpp"

namespace sextant {

// A row a search: what it found, the best so far after 1, 2, 5, 10, … evaluations as a share of the best, and how its
// space is spread. As rows: one a step.
View search_view(const std::vector<Search>& searches);

}  // namespace sextant
