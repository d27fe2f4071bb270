#include "machine/openblas.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <string_view>

namespace sextant {
namespace {

// OpenBLAS's names for x86-64 processors without AVX.
constexpr std::array without_avx = {"Prescott",   "Banias",  "Atom",    "Core2",        "Penryn",
                                    "Dunnington", "Nehalem", "Opteron", "Opteron_SSE3", "Barcelona",
                                    "Nano",       "Bobcat",  "Unknown"};

// Returns the newest processor type in OpenBLAS's list (0.3.10 and later) that needs no vector instructions
// beyond those of this processor.
std::string kernels_of_this_processor() {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx512) return __builtin_cpu_supports("avx512bf16") ? "Cooperlake" : "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return "";
}

}  // namespace

std::string openblas_kernels(const std::string& config) {
  std::istringstream words(config);
  std::string word, last;
  while (words >> word && !word.starts_with("MAX_THREADS")) last = word;
  return word.starts_with("MAX_THREADS") ? last : "";
}

int openblas_thread_limit(const std::string& config) {
  constexpr std::string_view key = "MAX_THREADS=";
  const std::size_t found = config.find(key);
  return found == std::string::npos ? 0 : std::max(0, std::atoi(config.c_str() + found + key.size()));
}

int openblas_threads(int asked, int of_openmp, int processors, int limit) {
  int threads = asked > 0 ? std::min(asked, std::max(processors, 1)) : of_openmp;
  if (limit > 0) threads = std::min(threads, limit);
  return threads;
}

std::string better_openblas_kernels(const std::string& kernels) {
  const bool old = std::any_of(without_avx.begin(), without_avx.end(),
                               [&](const char* one) { return std::string_view(one) == kernels; });
  return old ? kernels_of_this_processor() : "";
}

std::string openblas_kernels_to_ask_for() {
  const auto config = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  if (!config || std::getenv("OPENBLAS_CORETYPE")) return "";
  return better_openblas_kernels(openblas_kernels(config()));
}

}  // namespace sextant
