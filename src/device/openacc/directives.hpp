// OpenACC's data directives and run-time calls as ordinary functions. The OpenACC compiler builds them into a
// shared library; all other code calls them from there.
#pragma once

#include <cstddef>

namespace sextant::openacc {

void enter_data_create(char* host, std::size_t bytes);
void exit_data_delete(char* host, std::size_t bytes);
void update_device(char* host, std::size_t bytes);
void update_self(char* host, std::size_t bytes);
void wait();

int gpu_count();          // NVIDIA GPUs that the OpenACC run time sees; if 0, regions run on the host
void use_gpu(int index);  // call it before other OpenACC work, after CUDA initialized the GPU
bool compute_region_runs_on_gpu();  // determined inside a compute region
void* place_of(void* host);         // address of the device copy; the host itself returns `host`
// Returns whether all bytes have a device copy; always true on the host.
bool is_present(const void* host, std::size_t bytes);

// Launches a region of one thread that adds 1 to *counter, which must have a device copy. It measures the
// smallest cost of a launch.
void count_launch(int* counter);
void count_launch_async(int* counter);  // the same without waiting for it

}  // namespace sextant::openacc
