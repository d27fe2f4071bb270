#include "machine/environment.hpp"

#include <dlfcn.h>
#include <omp.h>

#include <cstdlib>
#include <filesystem>

#include "device/open.hpp"
#include "machine/energy.hpp"
#include "machine/gpu.hpp"
#include "machine/host.hpp"
#include "machine/host_gpus.hpp"
#include "machine/nvml.hpp"
#include "machine/thread_count.hpp"
#include "registry/build_info.hpp"
#include "registry/cpu_level.hpp"
#include "registry/registry.hpp"
#include "trace/activity.hpp"

namespace sextant {
namespace {

constexpr const char* recorded_variables[] = {
    "OMP_NUM_THREADS",    "OMP_THREAD_LIMIT",     "OMP_PROC_BIND",        "OMP_PLACES",
    "OMP_SCHEDULE",       "OMP_DYNAMIC",          "OMP_WAIT_POLICY",      "GOMP_SPINCOUNT",
    "GOMP_CPU_AFFINITY",  "OPENBLAS_NUM_THREADS", "OPENBLAS_CORETYPE",    "ACC_DEVICE_TYPE",
    "ACC_DEVICE_NUM",     "OMP_TARGET_OFFLOAD",   "CUDA_VISIBLE_DEVICES", "CUDA_LAUNCH_BLOCKING",
    "CUDA_MODULE_LOADING"};

void describe_build(Environment* environment) {
  (*environment)["version"] = build_info().version;
  (*environment)["git_revision"] = build_info().git_revision;
  (*environment)["build_type"] = build_info().build_type;
  if (*build_info().sanitizers) (*environment)["sanitizers"] = build_info().sanitizers;
  if (*cpu_level()) (*environment)["cpu.level"] = cpu_level();
  for (const ModelBuild& build : model_builds()) {
    const std::string model = name_of(build.model);
    if (build.built) {
      (*environment)["compiler." + model] = build.compiler;
      (*environment)["flags." + model] = build.flags;
    } else {
      (*environment)["left_out." + model] = build.reason;
    }
  }
  // A library can be missing although its programming model is available.
  for (const LeftOut& variant : left_out())
    if (variant.variant.starts_with("library."))
      (*environment)["left_out." + variant.variant] = variant.reason;
}

void describe_openmp(Environment* environment) {
  (*environment)["openmp.threads"] = std::to_string(threads_of_a_team());
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(&omp_get_max_threads), &where) && where.dli_fname) {
    char* path = realpath(where.dli_fname, nullptr);
    // The file name identifies the release. Results files are shared, so they must not contain the folder.
    (*environment)["openmp.library"] = std::filesystem::path(path ? path : where.dli_fname).filename();
    std::free(path);
  }
  for (const char* name : recorded_variables)
    if (const char* value = std::getenv(name)) (*environment)[std::string("env.") + name] = value;
}

// Describes the libraries that are already loaded. Does not load any.
void describe_libraries(Environment* environment) {
  using Text = const char* (*)();
  if (const auto openblas = reinterpret_cast<Text>(dlsym(RTLD_DEFAULT, "openblas_get_config")))
    (*environment)["openblas"] = openblas();
  if (const auto threads = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads")))
    (*environment)["openblas.threads"] = std::to_string(threads());
  if (const auto fftw = static_cast<const char*>(dlsym(RTLD_DEFAULT, "fftw_version")))
    (*environment)["fftw"] = fftw;
  // FFTW uses OpenMP's threads only with its OpenMP library.
  if (environment->contains("fftw"))
    (*environment)["fftw.threads"] =
        dlsym(RTLD_DEFAULT, "fftw_init_threads") ? std::to_string(threads_of_a_team()) : "1";
  using Property =
      // cublasGetProperty(libraryPropertyType, int*), with 0 for major, 1 for minor, 2 for patch.
      int (*)(int, int*);
  for (const char* library : {"cublas", "cufft"}) {
    const std::string symbol = std::string(library) + "GetProperty";
    const auto property = reinterpret_cast<Property>(dlsym(RTLD_DEFAULT, symbol.c_str()));
    int major = 0, minor = 0, patch = 0;
    if (property && property(0, &major) == 0 && property(1, &minor) == 0 && property(2, &patch) == 0)
      (*environment)[library] =
          std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
  }
}

}  // namespace

Environment read_environment() {
  Environment environment;
  describe_host(&environment);
  describe_build(&environment);
  describe_openmp(&environment);
  describe_libraries(&environment);
  describe_gpus(&environment);
  describe_host_gpus(&environment);
  const std::string no_energy = CpuEnergy().obstacle();
  environment["cpu.energy"] = no_energy.empty() ? "ok" : no_energy;
  const char* no_activity = activity_unavailable();
  environment["activity"] = no_activity ? no_activity : "ok";
  // CUDA must be initialized before these calls: see open_openacc_device.
  if (const int count = openacc_gpu_count(); count >= 0) environment["openacc.gpus"] = std::to_string(count);
  if (const int count = target_gpu_count(); count >= 0) environment["target.gpus"] = std::to_string(count);
  return environment;
}

}  // namespace sextant
