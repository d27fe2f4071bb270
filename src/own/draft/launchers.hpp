// Finds functions on the host that launch kernels on arrays in GPU memory, and describes them as CUDA
// variants.
#pragma once

#include <string>
#include <vector>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// A function that launches kernels, and the function on the host that computes the same.
struct LauncherPair {
  static constexpr int none = -1, result = -2;

  const Signature* launcher = nullptr;
  const Signature* host = nullptr;
  // For each parameter of the launcher: the index of the host function's parameter, `result` for the array
  // that gets the number which the host function returns, or `none`.
  std::vector<int> counterparts;
  bool both_return = false;  // true if both functions return this number

  bool has(int counterpart) const;
};

// Returns the launchers that compute the same as one function on the host, and this function.
std::vector<LauncherPair> launcher_pairs(const std::vector<Signature>& functions);

// Returns true if the draft has the host function, and all kernels with all that the launchers do.
bool describes_all(const DraftParts& parts, const std::vector<LauncherPair>& pairs,
                   const std::vector<Signature>& functions);

// Returns the functions with the launchers in place of the kernels that they launch. The launchers'
// parameters get the names that the host function has for them. Arrays that only one of the two has become
// inputs or temporary arrays. Reasons and questions are added to `parts`.
std::vector<Signature> with_launchers(const std::vector<LauncherPair>& pairs,
                                      const std::vector<Signature>& functions, DraftParts* parts);

}  // namespace sextant::own
