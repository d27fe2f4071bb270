#include "loop.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

namespace sextant {
namespace {

struct Gang {
  int vector_length = 128;
};

// The vector length is a template argument, as GCC wants it constant.
template <int length, typename Index, typename T>
void convolve(Index n, int R, const T* x, const T* w, T* y) {
  const std::int64_t count = std::int64_t{n} * n, taps = std::int64_t{2 * R + 1} * (2 * R + 1);
#pragma acc parallel loop gang vector collapse(2) present(x [0:count], w [0:taps], y [0:count]) \
    vector_length(length)
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      T sum = 0;
#pragma acc loop seq
      for (int b = -R; b <= R; ++b)
#pragma acc loop seq
        for (int a = -R; a <= R; ++a)
          if (j + b >= 0 && j + b < n && i + a >= 0 && i + a < n)
            sum += w[(b + R) * (2 * R + 1) + a + R] * x[std::int64_t{j + b} * n + i + a];
      y[std::int64_t{j} * n + i] = sum;
    }
}

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    BlockSizes::with(call.tuned<Gang>().vector_length, [&]<int length>() {
      convolve<length>(static_cast<Index>(call.problem.extents.x),
                       static_cast<int>(conv2d::radius_of(call.problem)), call.array<const T>(0),
                       call.array<const T>(1), call.array<T>(2));
    });
  });
}

}  // namespace

Variant conv2d_openacc_collapse() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description =
      "the form one writes first: collapse(2) over the "
      "points, a loop over the weights";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, BlockSizes::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
