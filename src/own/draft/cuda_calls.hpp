// Finds the CUDA calls in the body of a function.
#pragma once

#include "own/draft/signature.hpp"
#include "own/draft/tokens.hpp"

namespace sextant::own {

// Reads the CUDA calls among the tokens of a body: sets the function's `launches`, `sets_memory` and
// `copies`, and the `on_host` and `most` of its parameters. `source` is the text of the whole file.
void read_cuda_calls(const Tokens& tokens, const std::string& source, Signature* function);

}  // namespace sextant::own
