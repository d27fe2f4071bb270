#include "device/cuda/partition.hpp"

#include <cuda.h>
#include <cuda_runtime_api.h>

#include <charconv>
#include <cstdlib>
#include <cstring>
#include <map>
#include <utility>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"

namespace sextant {

int multiprocessors_asked() {
  const char* text = std::getenv("SEXTANT_MULTIPROCESSORS");
  if (!text || !*text) return 0;
  int count = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, count);
  if (error != std::errc() || rest != end || count < 1)
    throw UserError("SEXTANT_MULTIPROCESSORS=" + std::string(text) +
                    " is not valid. It must be a number of multiprocessors of a GPU, such as 66.");
  return count;
}

namespace {

std::string which(int index) {
  return std::to_string(multiprocessors_asked()) + " multiprocessors of GPU " + std::to_string(index);
}

#if CUDA_VERSION >= 12040

struct Driver {
  DynamicLibrary library{{"libcuda.so.1"}, "the NVIDIA driver"};
  decltype(&cuDeviceGet) device;
  decltype(&cuDeviceGetDevResource) resource;
  decltype(&cuDevSmResourceSplitByCount) split;
  decltype(&cuDevResourceGenerateDesc) describe;
  decltype(&cuGreenCtxCreate) create;
  decltype(&cuCtxFromGreenCtx) context;
  decltype(&cuCtxSetCurrent) set_current;
  decltype(&cuGetErrorString) error_string;

  Driver() {
    library.find("cuDeviceGet", &device);
    library.find("cuDeviceGetDevResource", &resource);
    library.find("cuDevSmResourceSplitByCount", &split);
    library.find("cuDevResourceGenerateDesc", &describe);
    library.find("cuGreenCtxCreate", &create);
    library.find("cuCtxFromGreenCtx", &context);
    library.find("cuCtxSetCurrent", &set_current);
    library.find("cuGetErrorString", &error_string);
  }
  std::string text(CUresult error) const {
    const char* words = nullptr;
    error_string(error, &words);
    return words ? words : "error " + std::to_string(static_cast<int>(error));
  }
};

const Driver& driver() {
  static const Driver functions;
  return functions;
}

// Takes `count` multiprocessors out of `all`. Tries whole clusters first, then single multiprocessors. If the
// driver cannot split off exactly `count`, *part has a different number of multiprocessors.
CUresult cut(const CUdevResource& all, unsigned count, CUdevResource* part) {
  CUresult status = CUDA_SUCCESS;
  for (const unsigned how : {0u, unsigned{CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING}}) {
    unsigned groups = 1;
    status = driver().split(part, &groups, &all, nullptr, how, count);
    if (status == CUDA_SUCCESS && groups == 1 && part->sm.smCount == count) break;
  }
  return status;
}

// Creates a green context (a CUDA context with fewer multiprocessors) on GPU `index`. Returns "" or an error
// message.
std::string make_partition(int index, CUcontext* context) {
  if (!driver().library.problem.empty())
    return "a GPU partition needs a driver with green contexts (CUDA 12.4): " + driver().library.problem;
  const auto count = static_cast<unsigned>(multiprocessors_asked());
  CUdevice device = 0;
  CUdevResource all = {}, part = {};
  CUdevResourceDesc description = nullptr;
  CUgreenCtx green = nullptr;
  CUresult status = driver().device(&device, index);
  if (status == CUDA_SUCCESS) status = driver().resource(device, &all, CU_DEV_RESOURCE_TYPE_SM);
  if (status == CUDA_SUCCESS && all.sm.smCount <= count)
    return which(index) + " are not fewer than the GPU has: " + std::to_string(all.sm.smCount);
  if (status == CUDA_SUCCESS) status = cut(all, count, &part);
  if (status == CUDA_SUCCESS && part.sm.smCount != count)
    return which(index) + " are not a size that the driver can partition; the nearest possible size is " +
           std::to_string(part.sm.smCount);
  if (status == CUDA_SUCCESS) status = driver().describe(&description, &part, 1);
  if (status == CUDA_SUCCESS)
    status = driver().create(&green, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
  if (status == CUDA_SUCCESS) status = driver().context(context, green);
  return status == CUDA_SUCCESS ? "" : "partitioning " + which(index) + ": " + driver().text(status);
}

std::string make_current(CUcontext context) {
  const CUresult status = driver().set_current(context);
  return status == CUDA_SUCCESS ? "" : "activating the GPU partition: " + driver().text(status);
}

#else

std::string make_partition(int index, CUcontext*) {
  return which(index) + ": this build's CUDA has no green contexts; they need CUDA 12.4";
}
std::string make_current(CUcontext) { return ""; }

#endif

}  // namespace

std::string enter_partition(int index) {
  static std::map<std::pair<int, int>, CUcontext> contexts;  // never destroyed: OpenACC keeps using them
  const auto [place, fresh] = contexts.try_emplace({index, multiprocessors_asked()}, nullptr);
  if (fresh)
    if (const std::string problem = make_partition(index, &place->second); !problem.empty()) {
      contexts.erase(place);
      return problem;
    }
  return make_current(place->second);
}

}  // namespace sextant

// Makes cudaDeviceGetAttribute report the number of multiprocessors in the partition, also to libraries such
// as CUB. Otherwise, kernels with a grid-wide barrier would launch more blocks than can run at once. The
// linker redirects all calls of cudaDeviceGetAttribute to this function (see CMakeLists.txt).
extern "C" cudaError_t __real_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device);
extern "C" cudaError_t __wrap_cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  const cudaError_t status = __real_cudaDeviceGetAttribute(value, attribute, device);
  if (const int part = sextant::multiprocessors_asked();
      status == cudaSuccess && part > 0 && attribute == cudaDevAttrMultiProcessorCount)
    *value = part;
  return status;
}
