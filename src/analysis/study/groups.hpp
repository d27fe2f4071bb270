// Rows that belong in one table or figure: a kernel's sizes.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/study.hpp"

namespace sextant {

// One kernel, type, cache and number of threads on one machine, by size. Never empty.
using StudyGroup = std::vector<const StudyRow*>;

// In the order of the rows, which are study_rows'; groups in which nothing was measured correctly are left
// out.
std::vector<StudyGroup> study_groups(const std::vector<StudyRow>& rows);

// "stream: triad, float, cold caches, 4 threads, on alpha"
std::string title_of(const StudyRow& row);

// Those of the study's columns that some row of the group has, in their order.
std::vector<std::string> columns_of(const StudyGroup& group);

// The names of all sizes, each once: numbers ascending, then shapes by their points, then named problems in
// their kernels' order (S, W, A, B, …), then other names.
std::vector<std::string> sizes_of(const std::vector<const StudyRow*>& rows);

// True from 4 FLOP per byte that must move on: such a kernel is counted in FLOP, not in bytes. The stencils
// have about one, matmul dozens.
bool counts_flops(const Summary& summary);

}  // namespace sextant
