// Which kernels OpenBLAS computes with.
#pragma once

#include <string>

namespace sextant {

// The word before MAX_THREADS in what `openblas_get_config` says ("OpenBLAS 0.3.21 … NO_AFFINITY Prescott
// MAX_THREADS=64"): the processor whose kernels it took; empty where it says none.
std::string openblas_kernels(const std::string& config);

// Kernels that use the vectors of this processor, as OPENBLAS_CORETYPE names them, where OpenBLAS took
// kernels without AVX instead: it does so on processors that are newer than itself
// (docs/explanation/measuring.md, Baselines). Empty where it took better ones, or the processor has no AVX2.
std::string better_openblas_kernels(const std::string& kernels);

// The same for the OpenBLAS of this process, if it has one, which took its kernels when it was loaded; empty
// if OPENBLAS_CORETYPE is set.
std::string openblas_kernels_to_ask_for();

}  // namespace sextant
