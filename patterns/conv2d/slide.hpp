// Sliding-window sums for a thread that moves down a column. Each row of x that it reads contributes to 2R +
// 1 rows of y. The sums of the 2R incomplete rows stay in registers, because all loops over weights are
// unrolled.
#pragma once

#ifdef __CUDACC__
  #define SEXTANT_CONV2D_INLINE __device__ __forceinline__
  #define SEXTANT_CONV2D_UNROLL _Pragma("unroll")
#else
  #define SEXTANT_CONV2D_INLINE inline __attribute__((always_inline))
  #define SEXTANT_CONV2D_UNROLL _Pragma("GCC unroll 16")
#endif

namespace sextant::conv2d {

// Partial sums of the incomplete rows in `columns` neighbouring columns.
template <int R, int columns, typename T>
struct Sums {
  T open[2 * R][columns] = {};  // partial sums of the 2R incomplete rows, top row first

  // Adds the next row of x. `values` holds the columns of this thread and R more on each side. `w` holds the
  // weights, row by row. `done` receives the now complete row of y, which is R rows further up.
  SEXTANT_CONV2D_INLINE void add_row(const T* values, const T* w, T* done) {
    constexpr int width = 2 * R + 1;
    SEXTANT_CONV2D_UNROLL
    // Updates the k-th incomplete row of y from the top with row 2R - k of w.
    for (int k = 0; k < width; ++k) {
      const T* weights = w + (2 * R - k) * width;
      T sums[columns];
      SEXTANT_CONV2D_UNROLL
      for (int c = 0; c < columns; ++c) sums[c] = k < 2 * R ? open[k < 2 * R ? k : 0][c] : T(0);
      SEXTANT_CONV2D_UNROLL
      for (int a = 0; a < width; ++a) {
        const T weight = weights[a];
        SEXTANT_CONV2D_UNROLL
        for (int c = 0; c < columns; ++c) sums[c] += weight * values[a + c];
      }
      SEXTANT_CONV2D_UNROLL
      for (int c = 0; c < columns; ++c) {
        if (k == 0)
          done[c] = sums[c];
        else
          open[k > 0 ? k - 1 : 0][c] = sums[c];
      }
    }
  }
};

}  // namespace sextant::conv2d
