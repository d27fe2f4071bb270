#include "naive.cuh"

namespace sextant {
namespace {

// Neighbouring threads read neighbours of a, and write with a stride.
struct ReadsInOrder {
  template <typename T>
  __device__ static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y,
                              const T* a, T* out) {
    if (x < columns && y < rows) out[x * rows + y] = a[y * columns + x];
  }
  static Extents threads(const Extents& extents) { return extents; }
};

}  // namespace

Variant transpose_cuda_naive() {
  return transpose::naive_variant<ReadsInOrder>(
      "one element a thread, a read in order and y written with a stride");
}

}  // namespace sextant
