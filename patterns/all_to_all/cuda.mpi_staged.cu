#include "gpu_ranks.hpp"

namespace sextant {

Variant all_to_all_cuda_mpi_staged() { return all_to_all::variant_of_gpu_ranks<gpu_ranks::Way::staged>(); }

}  // namespace sextant
