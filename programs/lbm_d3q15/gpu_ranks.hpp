// What the variants of ranks with a GPU each are, but for the way that their messages take: cuda.mpi_staged.cu has it.
#pragma once

#include "toolbox/cuda/gpu_mail.hpp"

namespace sextant::lbm_d3q15 {

Variant variant_of_gpu_ranks(gpu_ranks::Way way);

}  // namespace sextant::lbm_d3q15
