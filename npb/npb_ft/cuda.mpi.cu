// As cuda.mpi_staged, but pieces go straight from one GPU's memory into the other's, where MPI takes such addresses.
#include "gpu_ranks.hpp"

namespace sextant {

Variant npb_ft_cuda_mpi() { return npb_ft::variant_of_gpu_ranks(gpu_ranks::Way::straight); }

}  // namespace sextant
