// show --by search: how searches for the best tuning went.
#pragma once

#include <string>
#include <vector>

#include "present/views.hpp"
#include "record/results.hpp"
#include "record/search.hpp"

namespace sextant {

// "matmul cuda.register_tile float 9437184"
std::string space_text(const Case& space);

// "2.181x (1.142 to 344)": three digits behind the point, as a default may be nearly as good, but no more
// than tell something.
std::string ratio_with_interval(const Interval& ratio);

// The fastest time of the first `count` steps, in seconds; 0: none ended well.
double best_after(const Search& search, std::size_t count);

// "2 searches tried 7 of 80 tunings: the best is 1.43x as fast as the default in the geometric mean, at
// most 2.00x (…)."
std::string searches_sentence(const std::vector<Search>& searches);

// The last of each space and machine: one that was continued, or made again, counts once.
std::vector<Search> last_searches(const Results& results);

// Whether searches are what the results are of: there are some, and every case is a point of what they
// searched.
bool are_of_searches(const Results& results);

// A row a search: what it found, the best so far after 1, 2, 5, 10, … evaluations as a share of the best, and
// how its space is spread. As rows: one a step.
View search_view(const std::vector<Search>& searches);

}  // namespace sextant
