// Messages that may lie in GPUs' memory over an MPI that does not take them: a stand-in for one that does, so
// that what is sent so is tried everywhere. They go through the host's memory on their way.
#pragma once

#include "engine/process/rank_worker.hpp"

namespace sextant {

// The variable that asks the tests' rank program for it.
inline constexpr const char* stand_in_for_gpu_messages = "SEXTANT_TEST_GPU_MESSAGES";

// Leaves both as they are where the variable is not set.
void stand_in_for_gpu_memory(parts::Ranks* ranks, RankPlace* place);

}  // namespace sextant
