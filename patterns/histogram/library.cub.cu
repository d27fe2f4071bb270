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

}  // namespace

Variant histogram_library_cub() {
  return cub_algorithm::variant<Histogram, std::int32_t>("CUB DeviceHistogram::HistogramEven");
}

}  // namespace sextant
