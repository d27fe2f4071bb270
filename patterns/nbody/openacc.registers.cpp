#include "newton.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256>;
using Counts = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 128, bodies = 4;
};

template <int length, int count, typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az) {
  const std::int64_t threads = (n + count - 1) / count;
  const int gangs = openacc::gangs_for(threads, length);
#pragma acc parallel loop gang(static : 1) vector vector_length(length) num_gangs(gangs) \
    present(x [0:n], y [0:n], z [0:n], m [0:n], ax [0:n], ay [0:n], az [0:n])
  for (std::int64_t thread = 0; thread < threads; ++thread)
    nbody::attract_some<count>(n, thread * count, x, y, z, m, ax, ay, az);
}

template <typename T>
void launch(const Call& call) {
  const nbody::Bodies<T> all(call);
  const auto shape = call.tuned<Gang>();
  Lengths::with(shape.vector_length, [&]<int length>() {
    Counts::with(shape.bodies, [&]<int count>() {
      attract<length, count>(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az);
    });
  });
}

// As many bodies a lane as leave some warps to each of an H200's 528 schedulers.
void adapt(const Problem& problem, Gang& shape) {
  shape.bodies = problem.extents.x >= 4 * 2 * 32 * 528 ? 4 : problem.extents.x >= 2 * 32 * 528 ? 2 : 1;
  if (problem.extents.x < 128 * 132) shape.vector_length = 32;
}

}  // namespace

Variant nbody_openacc_registers() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "up to 4 bodies a lane, for which what pulls is read once; roots by arithmetic alone";
  variant.tunables = tunables<Gang>(
      {{"vector_length", &Gang::vector_length, Lengths::list()}, {"bodies", &Gang::bodies, Counts::list()}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
