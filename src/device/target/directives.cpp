#include "device/target/directives.hpp"

#include <omp.h>

namespace sextant::target {

void enter_data_alloc(char* host, std::size_t bytes) {
#pragma omp target enter data map(alloc : host [0:bytes])
}

void exit_data_delete(char* host, std::size_t bytes) {
#pragma omp target exit data map(delete : host [0:bytes])
}

void update_to(char* host, std::size_t bytes) {
#pragma omp target update to(host [0:bytes])
}

void update_from(char* host, std::size_t bytes) {
#pragma omp target update from(host [0:bytes])
}

int gpu_count() { return omp_get_num_devices(); }

void use_gpu(int index) { omp_set_default_device(index); }

bool target_region_runs_on_gpu() {
  int on_host = 1;
#pragma omp target map(tofrom : on_host)
  on_host = omp_is_initial_device();
  return !on_host;
}

void* place_of(void* host) {
  void* place = host;
#pragma omp target data use_device_ptr(place)
  host = place;
  return host;
}

bool is_present(const void* host) {
  return omp_get_num_devices() == 0 || omp_target_is_present(host, omp_get_default_device()) != 0;
}

void count_launch(int* counter) {
#pragma omp target map(tofrom : counter [0:1])
  counter[0] += 1;
}

void count_in_teams(int* counter, int teams) {
#pragma omp target teams distribute parallel for num_teams(teams) map(tofrom : counter [0:1])
  for (int i = 0; i < teams; ++i)
    if (i == 0) counter[0] += 1;
}

}  // namespace sextant::target
