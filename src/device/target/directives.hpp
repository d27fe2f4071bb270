// OpenMP's device directives and run-time calls as ordinary functions. The offloading compiler builds them
// into the shared library of the model `target`; all other code calls them from there.
#pragma once

#include <cstddef>

namespace sextant::target {

void enter_data_alloc(char* host, std::size_t bytes);
void exit_data_delete(char* host, std::size_t bytes);
void update_to(char* host, std::size_t bytes);
void update_from(char* host, std::size_t bytes);

int gpu_count();          // number of devices to which the run time offloads; if 0, regions run on the host
void use_gpu(int index);  // call it before other target regions, after CUDA initialized the GPU
bool target_region_runs_on_gpu();   // the test itself runs inside a target region
void* place_of(void* host);         // address of the device copy of `host`; on the host, `host` itself
bool is_present(const void* host);  // true if a device copy exists; always true on the host

// Both functions launch a region that adds 1 to *counter, which must have a device copy. count_launch uses
// one thread, to measure the smallest possible cost of a launch. count_in_teams uses a loop over `teams`
// teams with all their threads; its extra time is the cost of starting threads.
void count_launch(int* counter);
void count_in_teams(int* counter, int teams);

}  // namespace sextant::target
