// Builds the command that starts the ranks (MPI processes) of a case through an MPI launcher.
#pragma once

#include <string>

#include "engine/process/worker_command.hpp"

namespace sextant {

// Returns why no ranks can be started here, with the remedy, or an empty string. A `launcher` from the user
// is only looked up in PATH, not executed.
std::string why_no_ranks(const std::string& launcher = "");

// Throws UserError with the reason from why_no_ranks(), if there is one.
void require_ranks(const std::string& launcher);

// Returns the command that starts `ranks` ranks instead of one worker process of `worker`. It uses the user's
// launcher, srun within a Slurm allocation, or mpirun. With mpirun, the ranks share this machine's
// `processors`.
WorkerCommand command_of_ranks(const WorkerCommand& worker, int ranks, int processors);

// Starts the ranks and returns whether their MPI accepts addresses in GPU memory. Throws UserError if no rank
// answers within `seconds`.
bool ask_for_gpu_memory(const WorkerCommand& ranks, double seconds = 30);

}  // namespace sextant
