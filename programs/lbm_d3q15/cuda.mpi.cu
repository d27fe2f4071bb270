// As cuda.mpi_staged, but densities go straight from one GPU's memory into the other's, where MPI takes such addresses.
#include "gpu_ranks.hpp"

namespace sextant {

Variant lbm_d3q15_cuda_mpi() { return lbm_d3q15::variant_of_gpu_ranks(gpu_ranks::Way::straight); }

}  // namespace sextant
