// Lets a stencil treat a grid as one flat range, so that vector loops need not restart in each row.
#pragma once

#include <cstdint>

namespace sextant {

// Copies the elements of b's first and last column that lie in [begin, end) of the flat range of n-element
// rows. part[0] is the destination of element `begin`. Call it for ascending ranges.
template <typename T>
struct ColumnEnds {
  const T* b = nullptr;
  std::int64_t n = 1;
  std::int64_t next = 0;  // index of the first element of the next row to copy

  ColumnEnds() = default;
  ColumnEnds(const T* b_, std::int64_t n_, std::int64_t begin)
      : b(b_), n(n_), next((begin + n_ - 1) / n_ * n_) {}

  void operator()(std::int64_t begin, std::int64_t end, T* part) {
    while (next - 1 < end) {
      if (next > begin) part[next - 1 - begin] = b[next - 1];
      if (next >= end) return;
      part[next - begin] = b[next];
      next += n;
    }
  }
};

}  // namespace sextant
