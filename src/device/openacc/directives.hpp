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

int gpu_count();  // number of NVIDIA GPUs that the OpenACC run time sees; if 0, regions run on the host
void use_gpu(int index);            // call it before other OpenACC work, after CUDA initialized the GPU
bool compute_region_runs_on_gpu();  // the test itself runs inside a compute region
void* place_of(void* host);         // address of the device copy of `host`; on the host, `host` itself
// Returns true if all bytes have a device copy. On the host this is always true.
bool is_present(const void* host, std::size_t bytes);

// Launches a region of one thread that adds 1 to *counter, which must have a device copy. It is used to
// measure the smallest possible cost of a launch.
void count_launch(int* counter);
void count_launch_async(int* counter);  // like count_launch, but does not wait for the region

}  // namespace sextant::openacc
