// Detects for which processor type OpenBLAS chose its kernels, and whether it has better ones.
#pragma once

#include <string>

namespace sextant {

// Returns the processor type whose kernels OpenBLAS uses. It is the word before MAX_THREADS in the text of
// `openblas_get_config` ("OpenBLAS 0.3.21 … NO_AFFINITY Prescott MAX_THREADS=64"). Empty if there is no such
// word.
std::string openblas_kernels(const std::string& config);

// Returns the value of OPENBLAS_CORETYPE for kernels that use this processor's vector instructions. OpenBLAS
// uses kernels without AVX on processors that are newer than the library (docs/explanation/measuring.md,
// Baselines). Empty if `kernels` already use AVX, or if the processor lacks AVX2.
std::string better_openblas_kernels(const std::string& kernels);

// Returns the number of threads that OpenBLAS was built for: 64 for "… MAX_THREADS=64". 0 if the text has
// none.
int openblas_thread_limit(const std::string& config);

// Returns the number of threads to set. It is the number that the user asks for (0: none, then that of
// OpenMP), reduced to the processors that the process may use and to `limit` (0: unknown). OpenBLAS itself
// reduces OPENBLAS_NUM_THREADS in this way, but openblas_set_num_threads does not.
int openblas_threads(int asked, int of_openmp, int processors, int limit);

// Does the same as better_openblas_kernels for the OpenBLAS of this process, which selected its kernels when
// it was loaded. Empty without OpenBLAS, or if OPENBLAS_CORETYPE is set.
std::string openblas_kernels_to_ask_for();

}  // namespace sextant
