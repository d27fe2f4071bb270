// As cuda.mpi_staged, but the planes go straight from one GPU's memory into the other's, where MPI takes such addresses.
#include "gpu_ranks.hpp"

namespace sextant {

Variant heat3d_cuda_mpi() { return heat3d::variant_of_gpu_ranks(gpu_ranks::Way::straight); }

}  // namespace sextant
