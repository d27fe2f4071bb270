// Sizes of arrays that are divided into contiguous partitions.
#pragma once

#include "suite/problem.hpp"
#include "toolbox/share.hpp"

namespace sextant {

// Returns a problem without partitions that is as large as the longest partition.
inline Problem longest_part(const Problem& problem) {
  Problem part = problem;
  part.extents.x = share_of(problem.extents.x, problem.parts, 0).count;
  part.parts = 1;
  return part;
}

// Returns the bytes of `arrays` arrays in the longest partition, including guard zones.
inline std::int64_t bytes_of_longest_part(const Problem& problem, int arrays) {
  return arrays *
         (longest_part(problem).extents.x * static_cast<std::int64_t>(element_size(problem.type)) + 3 * 4096);
}

// Returns null, or an error message if there are fewer elements than partitions.
inline const char* refuse_few_elements(const Problem& problem) {
  return problem.extents.x < problem.parts
             ? "fewer elements than partitions: choose fewer partitions, or a larger size"
             : nullptr;
}

}  // namespace sextant
