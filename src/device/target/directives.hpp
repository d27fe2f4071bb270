// OpenMP's device directives and run-time calls as plain functions: compiled by the offloading compiler into
// the shared library of the model target, called from everywhere else.
#pragma once

#include <cstddef>

namespace sextant::target {

void enter_data_alloc(char* host, std::size_t bytes);
void exit_data_delete(char* host, std::size_t bytes);
void update_to(char* host, std::size_t bytes);
void update_from(char* host, std::size_t bytes);

int gpu_count();          // devices that the run time offloads to; 0: regions run on the host
void use_gpu(int index);  // before any other target region, after CUDA was initialised on the same device
bool target_region_runs_on_gpu();   // asked inside a target region: where its code really ran
void* place_of(void* host);         // on the device, of an array that was mapped; on the host itself
bool is_present(const void* host);  // mapped; always true on the host

// Both add 1 to *counter, which was mapped before: a region of one thread, and a loop that `teams` teams
// share with the threads of each. The first is the least that a launch can cost; what the second takes
// longer, starting threads costs.
void count_launch(int* counter);
void count_in_teams(int* counter, int teams);

}  // namespace sextant::target
