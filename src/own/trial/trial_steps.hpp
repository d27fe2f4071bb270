// The steps of the search for changes of a draft. Each corrects one kind of guess.
#pragma once

#include "own/trial/trial_state.hpp"

namespace sextant::own {

// Finds the sizes among the guessed numbers: those with which the highest index of an array grows.
void find_sizes(TrialState* state);
// Corrects sizes with which the reference fails for any values in its arrays of whole numbers: a size that
// must not be small gets a minimum, and one that must not be large becomes a constant.
void correct_sizes(TrialState* state);
// Gives sizes with which the reference leaves its arrays only if they are 1, 2 or so, a minimum.
void correct_small_sizes(TrialState* state);
// Replaces fills of arrays of whole numbers with whose values the reference leaves its arrays.
void correct_fills(TrialState* state);
// Lengthens arrays whose highest index is outside. With `zeros`, arrays of whole numbers hold zeros,
// or ones for arrays of unknown length. Otherwise they hold what their fills say, and their highest values.
void correct_lengths(TrialState* state, bool zeros);
// Keeps elements from choosing themselves among others, if results are no numbers then.
void correct_own_indices(TrialState* state);
// Shortens results of which the reference writes only the first elements.
void shorten_results(TrialState* state);
// Limits whole numbers that make the work grow beyond hundreds of accesses for each element.
void correct_work(TrialState* state);

// Leaves out the absolute part of the tolerance if results shrink as sizes grow, and none is near zero.
void correct_tolerance(TrialState* state);

}  // namespace sextant::own
