// Groups the rows of one kernel, which differ in size and appear in one table or figure.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// Rows of one kernel, type, cache mode, fill and thread count on one machine, by size. Never empty.
using StudyGroup = std::vector<const StudyRow*>;

// Groups the rows without changing their order. `rows` must come from study_rows. Groups without a correct
// measurement are omitted.
std::vector<StudyGroup> study_groups(const std::vector<StudyRow>& rows);

// Returns the title of the row's group: "stream: triad, float, cold caches, 4 threads, on alpha".
std::string title_of(const StudyRow& row);

// Returns the columns (programming models) that at least one row has, in the order of study_columns.
std::vector<std::string> columns_of(const StudyGroup& group);

// Returns the names of all sizes without duplicates. Numbers come first in ascending order, then shapes by
// their number of points. Named problems (S, W, A, B, …) follow in their kernels' order, then other names.
std::vector<std::string> sizes_of(const std::vector<const StudyRow*>& rows);

// True if the kernel does at least 4 FLOP per byte of required traffic. It is then reported in FLOP/s instead
// of bytes/s. Stencils have about 1 FLOP per byte, matrix multiplication has dozens.
bool counts_flops(const Summary& summary);

}  // namespace sextant
