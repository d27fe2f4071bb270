// Finds kernels that one function of the file launches in a row on common arrays.
#pragma once

#include <functional>
#include <vector>

#include "own/draft/draft_parts.hpp"
#include "own/draft/same_parameters.hpp"

namespace sextant::own {

// Replaces the kernels by one signature for each launch, in the order of the launches, if one function
// launches several kernels, or one kernel several times, and a later launch reads what an earlier one writes.
// The parameters get the names of the launches' arguments, or those that a function on the host has for them.
// Kernels without such a launch are left out. If a description cannot contain all these launches, only the
// first kernel is kept; `fits` tells which kernels a description can contain.
void bind_launches(const std::function<bool(const Signature&)>& fits, std::vector<Signature>* functions,
                   DraftParts* parts);

// Returns the kernel as one launch runs it: its parameters have the names of the launch's variables, replaced
// by `names`, and its lengths are those of this launch.
Signature bound_launch(const Signature& kernel, const CallSite& site, const NewNames& names);

}  // namespace sextant::own
