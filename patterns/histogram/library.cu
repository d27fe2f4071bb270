#include <cub/device/device_histogram.cuh>

#include "loop.hpp"
#include "toolbox/cuda/cub.cuh"

namespace sextant {
namespace {

struct Histogram {
  template <typename Key>
  static cudaError_t run(const Call& call, void* storage, std::size_t& bytes, cudaStream_t stream) {
    const auto bins = static_cast<Key>(histogram::bins_of(call.problem));
    return cub::DeviceHistogram::HistogramEven(storage, bytes, call.array<const Key>(0), call.array<Key>(1),
                                               bins + 1, Key{0}, bins, call.problem.extents.x, stream);
  }
};

// Refuses problems for which CUB's temporary storage is too large. CUB indexes its per-block tables with an
// int; larger tables lead to an illegal address (CUB of CUDA 13.0).
const char* prepare(const Call& call, void** state) {
  cub_algorithm::Storage storage;
  if (cub_algorithm::run<Histogram, std::int32_t>(call, storage) == cudaSuccess &&
      storage.bytes / sizeof(std::int32_t) > std::size_t{INT32_MAX})
    return "too many bins: CUB indexes its per-block tables with 32 bits";
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return cub_algorithm::prepare<Histogram, std::int32_t>(call, state);
}

}  // namespace

std::vector<Variant> histogram_library_cu() {
  Variant variant = cub_algorithm::variant<Histogram, std::int32_t>("CUB DeviceHistogram::HistogramEven");
  variant.name = "cub";
  variant.prepare = prepare;
  return {variant};
}

}  // namespace sextant
