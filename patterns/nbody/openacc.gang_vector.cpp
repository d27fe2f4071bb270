// A body a gang, whose lanes share what pulls at it: for few bodies.
#include "newton.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;

struct Gang {
  int vector_length = 128;
};

template <int length, typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az) {
#pragma acc parallel loop gang vector_length(length) \
    present(x [0:n], y [0:n], z [0:n], m [0:n], ax [0:n], ay [0:n], az [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T to_x = 0, to_y = 0, to_z = 0;
#pragma acc loop vector reduction(+ : to_x, to_y, to_z)
    for (std::int64_t j = 0; j < n; ++j)
      nbody::pull<nbody::NewtonRoot>(x[j] - x[i], y[j] - y[i], z[j] - z[i], m[j], to_x, to_y, to_z);
    ax[i] = to_x;
    ay[i] = to_y;
    az[i] = to_z;
  }
}

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    attract<length>(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az);
  });
}

}  // namespace

Variant nbody_openacc_gang_vector() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "a body a gang, whose lanes share what pulls at it; roots by arithmetic alone";
  variant.tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
