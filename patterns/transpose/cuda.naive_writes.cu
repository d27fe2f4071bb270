#include "naive.cuh"

namespace sextant {
namespace {

// Neighbouring threads write neighbours of y, and read with a stride.
struct WritesInOrder {
  template <typename T>
  __device__ static void turn(std::int64_t rows, std::int64_t columns, std::int64_t x, std::int64_t y,
                              const T* a, T* out) {
    if (x < rows && y < columns) out[y * rows + x] = a[x * columns + y];
  }
  static Extents threads(const Extents& extents) { return {extents.y, extents.x, 1}; }
};

}  // namespace

Variant transpose_cuda_naive_writes() {
  return transpose::naive_variant<WritesInOrder>(
      "one element a thread, y written in order and a read with a stride");
}

}  // namespace sextant
