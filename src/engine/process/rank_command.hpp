// How a set of ranks is started: the processes of a case that lies in parts, which a launcher of MPI's starts
// and ends.
#pragma once

#include <string>

#include "engine/process/worker_command.hpp"

namespace sextant {

// Why no ranks can be started here, with the remedy, or empty. A `launcher` of the user's own is taken at its
// word.
std::string why_no_ranks(const std::string& launcher = "");

// Throws UserError if there is a reason.
void require_ranks(const std::string& launcher);

// The command that starts `ranks` of them in place of one worker of `worker`: by its launcher, by srun within
// an allocation of Slurm's, else by mpirun. Without a launcher of the user's, ranks share this machine's
// `processors`.
WorkerCommand command_of_ranks(const WorkerCommand& worker, int ranks, int processors);

// Whether MPI takes addresses in GPUs' memory, as ranks say that this command starts. Throws UserError if
// none comes up within so many seconds.
bool ask_for_gpu_memory(const WorkerCommand& ranks, double seconds = 30);

}  // namespace sextant
