#include "machine/fftw.hpp"

namespace sextant {

VectorInstructions vector_instructions_of_this_processor() {
#if defined(__x86_64__)
  return {__builtin_cpu_supports("avx2") != 0, __builtin_cpu_supports("avx512f") != 0};
#else
  return {};
#endif
}

std::string vectors_that_fftw_lacks(const std::string& version, VectorInstructions processor) {
  const auto has = [&](const char* name) { return version.find(name) != std::string::npos; };
  if (version.empty()) return "";
  if (processor.avx512 && !has("-avx512")) return "AVX-512";
  return processor.avx2 && !has("-avx2") ? "AVX2" : "";
}

}  // namespace sextant
