// What the variants of ranks with a GPU each are, but for the way that their messages take: cuda.mpi_staged.cu has it.
#pragma once

#include "toolbox/cuda/gpu_mail.hpp"

namespace sextant::npb_ft {

Variant variant_of_gpu_ranks(gpu_ranks::Way way);

}  // namespace sextant::npb_ft
