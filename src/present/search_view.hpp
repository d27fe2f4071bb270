// View of `sextant show --by search`: how searches for the best tuning progressed.
#pragma once

#include <string>
#include <vector>

#include "present/views.hpp"
#include "record/results.hpp"
#include "record/search.hpp"

namespace sextant {

// Names a search space: "matmul cuda.register_tile float 9437184".
std::string space_text(const Case& space);

// Formats a ratio: "2.181x (1.142 to 344)". Ratios below 10 have three decimals, because a default may be
// almost as good as the best.
std::string ratio_with_interval(const Interval& ratio);

// Format a value that the search minimizes: seconds, joules, or joules times seconds. The cell is empty for
// 0.
std::string minimized_text(const Search& search, double value);
Cell minimized_cell(const Search& search, double value);

// Returns the fastest time of the search's first `count` evaluations, in seconds; 0 if all of them failed.
double best_after(const Search& search, std::size_t count);

// Summarizes the searches: "2 searches tried 7 of 80 tunings: the best is 1.43x as fast as the default in the
// geometric mean, at most 2.00x (…)."
std::string searches_sentence(const std::vector<Search>& searches);

// Returns the last search of each space on each machine. A search that was continued or repeated counts once.
std::vector<Search> last_searches(const Results& results);

// True if the results come only from searches: there is at least one search, and every measured case belongs
// to a searched space.
bool are_of_searches(const Results& results);

// Returns a table with one row for each search. The row shows the result and the distribution of times. It
// also shows the best times after 1, 2, 5, 10, … evaluations, as fractions of the final best. `View::rows`
// has one row for each evaluation.
View search_view(const std::vector<Search>& searches);

}  // namespace sextant
