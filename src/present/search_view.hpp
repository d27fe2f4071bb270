// show --by search: how searches for the best tuning went.
#pragma once

#include <string>
#include <vector>

#include "present/views.hpp"
#include "record/search.hpp"

namespace sextant {

// "matmul cuda.register_tile float 9437184"
std::string space_text(const Case& space);

// The fastest time of the first `count` steps, in seconds; 0: none ended well.
double best_after(const Search& search, std::size_t count);

// A row a search: what it found, the best so far after 1, 2, 5, 10, … evaluations as a share of the best, and how its
// space is spread. As rows: one a step.
View search_view(const std::vector<Search>& searches);

}  // namespace sextant
