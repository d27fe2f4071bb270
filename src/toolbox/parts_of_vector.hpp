// Arrays that are cut into parts of neighbouring elements.
#pragma once

#include "suite/problem.hpp"
#include "toolbox/share.hpp"

namespace sextant {

// The longest part as a problem of its own.
inline Problem longest_part(const Problem& problem) {
  Problem part = problem;
  part.extents.x = share_of(problem.extents.x, problem.parts, 0).count;
  part.parts = 1;
  return part;
}

// Of the longest part of so many arrays in slabs, guard zones included.
inline std::int64_t bytes_of_longest_part(const Problem& problem, int arrays) {
  return arrays *
         (longest_part(problem).extents.x * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
}

// Null, or why there is not an element for each part.
inline const char* refuse_few_elements(const Problem& problem) {
  return problem.extents.x < problem.parts ? "fewer elements than parts: take fewer parts, or a larger size"
                                           : nullptr;
}

}  // namespace sextant
