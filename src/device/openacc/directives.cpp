#include "device/openacc/directives.hpp"

#include <openacc.h>

namespace sextant::openacc {

void enter_data_create(char* host, std::size_t bytes) {
#pragma acc enter data create(host [0:bytes])
}

void exit_data_delete(char* host, std::size_t bytes) {
#pragma acc exit data delete (host [0:bytes])
}

void update_device(char* host, std::size_t bytes) {
#pragma acc update device(host [0:bytes])
}

void update_self(char* host, std::size_t bytes) {
#pragma acc update self(host [0:bytes])
}

void wait() { acc_wait_all(); }

int gpu_count() { return acc_get_num_devices(acc_device_nvidia); }

void use_gpu(int index) {
  acc_set_device_num(index, acc_device_nvidia);
  // libgomp allocates and frees a small argument block for every launch. This allocation keeps the driver's
  // memory page mapped. Otherwise the driver maps and unmaps a page for each launch
  // (docs/reference/openacc.md).
  [[maybe_unused]] static const void* const kept = acc_malloc(256);
}

bool compute_region_runs_on_gpu() {
  int on_gpu = 0;
#pragma acc parallel num_gangs(1) copy(on_gpu)
  on_gpu = acc_on_device(acc_device_nvidia);
  return on_gpu != 0;
}

void* place_of(void* host) { return acc_deviceptr(host); }

bool is_present(const void* host, std::size_t bytes) {
  return acc_is_present(const_cast<void*>(host), bytes) != 0;
}

void count_launch(int* counter) {
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(32) present(counter [0:1])
  counter[0] += 1;
}

void count_launch_async(int* counter) {
#pragma acc parallel num_gangs(1) num_workers(1) vector_length(32) present(counter [0:1]) async
  counter[0] += 1;
}

}  // namespace sextant::openacc
