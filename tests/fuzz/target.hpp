// Declares what a fuzz target defines: an entry point, seeds and words. driver.cpp mutates the seeds. With
// clang, -fsanitize=fuzzer can replace the driver.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

// Must return 0 for any input. Only a UserError may be thrown inside.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace sextant::fuzz {

// Valid inputs, and words that occur in valid inputs.
std::vector<std::string> seeds();
std::vector<std::string> words();

}  // namespace sextant::fuzz
