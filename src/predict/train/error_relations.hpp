// How the errors of physics and trees go together: what memory corrects one by another with.
#pragma once

#include <array>

#include "predict/contests.hpp"
#include "predict/memory.hpp"
#include "predict/trees.hpp"

namespace sextant::predict {

// Of each target, by moments of the errors at `problems`, each family weighing the same: what lasts of an
// option's error from a size to others a decade and more away, and how far errors of two options at one
// problem go together. Of few families these stay near Relation's own, as if that had been seen of eight.
std::array<Relation, target_count> relations_of(const DataSet& data, const ProblemsByTarget& problems,
                                                const Trees& trees);

}  // namespace sextant::predict
