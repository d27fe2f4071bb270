// Detects whether FFTW was built for this processor's vector instructions.
#pragma once

#include <string>

namespace sextant {

// Vector instructions of a processor, as far as FFTW has code for them.
struct VectorInstructions {
  bool avx2 = false, avx512 = false;
};
VectorInstructions vector_instructions_of_this_processor();

// Returns the newest vector instructions that the processor has and FFTW's build lacks: "AVX-512" or "AVX2".
// `version` is the text of `fftw_version`, such as "fftw-3.3.10-sse2-avx-avx2". Empty if it lacks none, or if
// the text is empty.
std::string vectors_that_fftw_lacks(const std::string& version, VectorInstructions processor);

}  // namespace sextant
