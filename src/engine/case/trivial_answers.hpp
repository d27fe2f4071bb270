// Answers that need no computation, held against the comparison of a kernel: what its tolerance lets pass, it cannot tell from work.
#pragma once

#include <string>

#include "engine/case/workset.hpp"

namespace sextant {

// "zeros and a copy of x": those of zeros, copies of inputs and the first element everywhere that pass for the inputs that are there, though
// they are not the reference's; empty if none does. The host's outputs hold anything afterwards.
std::string passing_trivial_answers(Workset& workset);

}  // namespace sextant
