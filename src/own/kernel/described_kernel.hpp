// Converts the description of a user kernel to a registered kernel.
#pragma once

#include <string>
#include <vector>

#include "own/description/description.hpp"
#include "registry/registry.hpp"

namespace sextant::own {

// Creates the kernel and its variants. Their context and names are never freed. This neither compiles nor
// runs user code; that happens when a variant is compiled or prepared, or when the reference is called.
// Throws UserError if a source or the reference is missing.
RegisteredKernel described(const Description& description);

// Returns the description of a kernel that described() created; null for other kernels.
const Description* description_of_kernel(const std::string& kernel);

// Returns false if the variant's code is the same for all values of the tunable, which is then passed at
// launch. Returns true if the tunable is a macro or a compiler option, or if the variant has no description.
bool is_in_code(const std::string& kernel, const std::string& variant, const std::string& tunable);

// Returns the hash of the description and of all sources that its variants name: 16 hexadecimal digits.
std::string code_of(const Description& description);

// Returns the precision in which the reference runs, as text: "in float" or "in double precision". Empty for
// integers.
std::string precision_of(const Description& description);

}  // namespace sextant::own
