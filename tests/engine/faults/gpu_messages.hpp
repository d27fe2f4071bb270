// Declares a replacement for a GPU-aware MPI, so that tests run with any MPI. It copies the messages through
// host memory.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// The environment variable that enables this replacement in the tests' rank program.
inline constexpr const char* stand_in_for_gpu_messages = "SEXTANT_TEST_GPU_MESSAGES";

// Replaces the messages of this rank. Does nothing if the environment variable is not set.
void stand_in_for_gpu_memory(parts::Ranks* ranks, RankPlace* place);

}  // namespace sextant
