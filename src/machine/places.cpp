#include "machine/places.hpp"

#include <dlfcn.h>
#include <omp.h>

#include <algorithm>
#include <cstdlib>

#include "machine/gpu_processors.hpp"
#include "machine/openblas.hpp"

namespace sextant {

AllPlaces::AllPlaces() {
  const int places = omp_get_num_places();
  if (places == 0 || ::sched_getaffinity(0, sizeof saved_, &saved_) != 0) return;
  cpu_set_t all;
  CPU_ZERO(&all);
  for (int place = 0; place < places; ++place) {
    std::vector<int> processors(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, processors.data());
    for (const int processor : processors) CPU_SET(static_cast<std::size_t>(processor), &all);
  }
  changed_ = ::sched_setaffinity(0, sizeof all, &all) == 0;
}

AllPlaces::~AllPlaces() {
  if (changed_) ::sched_setaffinity(0, sizeof saved_, &saved_);
}

void give_libraries_all_places() {
  const auto set_threads = reinterpret_cast<void (*)(int)>(::dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
  if (!set_threads) return;
  const char* asked = std::getenv("OPENBLAS_NUM_THREADS");
  const int threads = asked ? std::atoi(asked) : 0;
  const AllPlaces all_places;  // OpenBLAS's new threads inherit the affinity mask.
  const int of_openmp = omp_get_max_threads();
  cpu_set_t allowed;
  const int processors =
      ::sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : omp_get_num_procs();
  const auto config = reinterpret_cast<const char* (*)()>(::dlsym(RTLD_DEFAULT, "openblas_get_config"));
  set_threads(openblas_threads(threads, of_openmp, processors, config ? openblas_thread_limit(config()) : 0));
  // OpenBLAS 0.3.21 for OpenMP overwrites the number of OpenMP threads.
  omp_set_num_threads(of_openmp);
}

std::string places_for_llvm(const std::vector<int>& processors) {
  if (!::dlsym(RTLD_DEFAULT, "__kmpc_fork_call")) return "";
  void* gomp = ::dlopen("libgomp.so.1", RTLD_LAZY | RTLD_NOLOAD);
  if (!gomp) return "";
  ::dlclose(gomp);
  std::string list;
  for (const Core& core : cores_near("")) {
    std::string place;
    for (const int processor : core)
      if (processors.empty() ||
          std::find(processors.begin(), processors.end(), processor) != processors.end())
        place += (place.empty() ? "" : ",") + std::to_string(processor);
    if (!place.empty()) list += (list.empty() ? "{" : ",{") + place + "}";
  }
  return list.empty() ? "" : "norespect,granularity=fine,explicit,proclist=[" + list + "]";
}

}  // namespace sextant
