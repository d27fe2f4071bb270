// Declares the parts of a fuzzer: an entry point and seeds. driver.cpp mutates the seeds. With clang,
// -fsanitize=fuzzer can replace the driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Returns 0 for any input. Any other effect is a bug; only a UserError inside is allowed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sextant::fuzz {

// Valid inputs, and words that occur in valid inputs.
std::vector<std::string> seeds();
std::vector<std::string> words();

}  // namespace sextant::fuzz
