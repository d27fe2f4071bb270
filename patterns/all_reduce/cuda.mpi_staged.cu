#include "gpu_ranks.hpp"

namespace sextant {

Variant all_reduce_cuda_mpi_staged() { return all_reduce::variant_of_gpu_ranks<gpu_ranks::Way::staged>(); }

}  // namespace sextant
