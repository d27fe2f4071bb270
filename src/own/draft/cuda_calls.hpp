// Finds the CUDA calls in the body of a function.
#pragma once

#include "own/draft/signature.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {

// Sets the function's `launches`, `sets_memory` and `copies`. Its parameters must be known.
void read_cuda_calls(const Tokens& tokens, Signature* function);

}  // namespace sextant::own
