#include "loop.hpp"
#include "newton.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

// For few bodies: each gang computes one body, and its lanes divide the attracting bodies among themselves.
namespace gang_vector {

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

}  // namespace gang_vector

namespace parallel_loop {

using Lengths = Choices<32, 64, 128, 256, 512>;

struct Gang {
  int vector_length = 32;
};

// The vector length is a template argument because GCC accepts only a constant there.
template <int length, typename T>
void attract(std::int64_t n, const T* x, const T* y, const T* z, const T* m, T* ax, T* ay, T* az) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(x [0:n], y [0:n], z [0:n], m [0:n], ax [0:n], ay [0:n], az [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    T to_x = 0, to_y = 0, to_z = 0;
#pragma acc loop seq
    for (std::int64_t j = 0; j < n; ++j)
      nbody::pull<nbody::LibraryRoot>(x[j] - x[i], y[j] - y[i], z[j] - z[i], m[j], to_x, to_y, to_z);
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

}  // namespace parallel_loop

namespace registers {

using Lengths = Choices<32, 64, 128, 256>;
using Counts = Choices<1, 2, 4>;

struct Gang {
  int vector_length = 128, bodies_per_thread = 4;
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
    Counts::with(shape.bodies_per_thread, [&]<int count>() {
      attract<length, count>(call.problem.extents.x, all.x, all.y, all.z, all.m, all.ax, all.ay, all.az);
    });
  });
}

// Chooses the number of bodies per lane such that each of an H200's 528 warp schedulers gets at least two
// warps.
void adapt(const Problem& problem, Gang& shape) {
  shape.bodies_per_thread = problem.extents.x >= 4 * 2 * 32 * 528 ? 4
                            : problem.extents.x >= 2 * 32 * 528   ? 2
                                                                  : 1;
  if (problem.extents.x < 128 * 132) shape.vector_length = 32;
}

}  // namespace registers

}  // namespace

std::vector<Variant> nbody_openacc() {
  return {
      {.name = "gang_vector",
       .description = "for few bodies: one per gang, whose lanes divide the attracting bodies; roots by "
                      "Newton's method",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<gang_vector::Gang>(
           {{"vector_length", &gang_vector::Gang::vector_length, gang_vector::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(gang_vector::launch)},
      {.name = "parallel_loop",
       .description = "the plain form: a parallel loop over bodies, a sequential loop over attracting bodies",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, parallel_loop::Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch)},
      {.name = "registers",
       .description =
           "up to 4 bodies per lane share each read of an attracting body; roots by Newton's method",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<registers::Gang>(
           {{"vector_length", &registers::Gang::vector_length, registers::Lengths::list()},
            {"bodies_per_thread", &registers::Gang::bodies_per_thread, registers::Counts::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(registers::launch),
       .adapt = by_name<registers::adapt>},
  };
}

}  // namespace sextant
