// Detects whether the installed FFTW uses this processor's vector instructions.
#pragma once

#include <string>

namespace sextant {

// The vector instructions of a processor for which FFTW has code.
struct VectorInstructions {
  bool avx2 = false, avx512 = false;
};
VectorInstructions vector_instructions_of_this_processor();

// Returns the newest vector instructions that the processor has but FFTW was built without: "AVX-512" or
// "AVX2". `version` is FFTW's own text, such as "fftw-3.3.10-sse2-avx-avx2". Empty if FFTW lacks none or
// `version` is empty.
std::string vectors_that_fftw_lacks(const std::string& version, VectorInstructions processor);

}  // namespace sextant
