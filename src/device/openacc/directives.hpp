// OpenACC's data directives and run-time calls as plain functions: compiled by the OpenACC compiler into the
// shared library, called from everywhere else.
#pragma once

#include <cstddef>

namespace sextant::openacc {

void enter_data_create(char* host, std::size_t bytes);
void exit_data_delete(char* host, std::size_t bytes);
void update_device(char* host, std::size_t bytes);
void update_self(char* host, std::size_t bytes);
void wait();

int gpu_count();          // NVIDIA devices that the OpenACC run time sees; 0: it would run on the host
void use_gpu(int index);  // before any other OpenACC work, after CUDA was initialised on the same device
bool compute_region_runs_on_gpu();  // asked inside a compute region: where its code really ran
void* place_of(void* host);         // on the device, of an array that was mapped; on the host itself
bool is_present(const void* host, std::size_t bytes);  // mapped as a whole; always true on the host

// Launches a region of one thread that adds 1 to *counter, which was mapped before: the least a launch can
// cost.
void count_launch(int* counter);
void count_launch_async(int* counter);  // the same without waiting for it

}  // namespace sextant::openacc
