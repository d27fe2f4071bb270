// Detects which processor type OpenBLAS chose its kernels for, and whether other kernels would be faster.
#pragma once

#include <string>

namespace sextant {

// Returns the processor type whose kernels OpenBLAS uses: the word before MAX_THREADS in `config`, as in
// "OpenBLAS 0.3.21 … NO_AFFINITY Prescott MAX_THREADS=64". Empty if there is no such word.
std::string openblas_kernels(const std::string& config);

// Returns the value of OPENBLAS_CORETYPE that selects kernels for this processor's vector instructions.
// OpenBLAS falls back to kernels without AVX on processors that it does not know. Empty if `kernels` already
// use AVX, or if the processor lacks AVX2.
std::string better_openblas_kernels(const std::string& kernels);

// Returns the largest number of threads that OpenBLAS supports: 64 for "… MAX_THREADS=64". 0 if unknown.
int openblas_thread_limit(const std::string& config);

// Returns the number of threads to set: `asked` by the user, or `of_openmp` if `asked` is 0. The result is at
// most `processors` and at most `limit` (0: unknown), because openblas_set_num_threads does not check this.
int openblas_threads(int asked, int of_openmp, int processors, int limit);

// Calls better_openblas_kernels for the OpenBLAS library of this process. Empty without OpenBLAS, or if
// OPENBLAS_CORETYPE is set.
std::string openblas_kernels_to_ask_for();

}  // namespace sextant
