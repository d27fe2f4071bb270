// What a fuzzer is made of: an entry point and inputs to begin with. driver.cpp mutates them; with clang the
// same file links with -fsanitize=fuzzer in its place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Returns 0; whatever else it does with any input, but for throwing UserError within, is a bug.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sextant::fuzz {

// Valid inputs, and words that valid inputs are made of.
std::vector<std::string> seeds();
std::vector<std::string> words();

}  // namespace sextant::fuzz
