#include <cstdlib>
#include <limits>
#include <utility>

#include "nodes.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/index.hpp"

// Components that the OpenACC variants share: allocation of the second lattice on the device. The data region
// for MemorySpace::openacc contains f and flags.
namespace sextant::lbm_d3q15 {

inline void release_openacc(void* state) {
  auto* const device = static_cast<DeviceState*>(state);
  char* other = device->other;
  Links* links = device->links;
  const std::int64_t nodes = device->nodes, bytes = device->bytes;
#pragma acc exit data delete (other [0:bytes], links [0:nodes])
  std::free(other);
  std::free(links);
  delete device;
}

template <typename T>
const char* prepare_openacc(const Call& call, void** state) {
  T* flags = call.array<T>(1);
  const std::int64_t nodes = call.problem.extents.count(),
                     bytes = directions * nodes * static_cast<std::int64_t>(sizeof(T));
#pragma acc update self(flags [0:nodes])
  if (const char* reason = refuse_flags(call.problem, flags)) return reason;
  char* other = static_cast<char*>(std::malloc(static_cast<std::size_t>(bytes)));
  Links* links = static_cast<Links*>(std::malloc(static_cast<std::size_t>(nodes) * sizeof(Links)));
  if (!other || !links) {
    std::free(other);
    std::free(links);
    return "host memory ran out";
  }
  make_links(call.problem.extents, flags, links);
#pragma acc enter data create(other [0:bytes]) copyin(links [0:nodes])
  *state = new DeviceState{other, links, nodes, bytes};
  return nullptr;
}

inline void complete_openacc_variant(Variant& variant) {
  variant.memory_space = MemorySpace::openacc;
  variant.workspace = [](const Problem& problem, const int*) {
    const auto size = static_cast<std::int64_t>(element_size(problem.type));
    return problem.extents.count() * (directions * size + static_cast<std::int64_t>(sizeof(Links)));
  };
  variant.prepare = prepare_either<prepare_openacc<float>, prepare_openacc<double>>;
  variant.prepare_depends_on = DependsOn::structure;
  variant.release = release_openacc;
}

}  // namespace sextant::lbm_d3q15

namespace sextant {
namespace {

using namespace lbm_d3q15;

namespace collapse {

struct Vectors {
  int vector_length = 128;
};

using VectorLengths = Choices<32, 64, 128, 256, 512>;

// One thread per node: the three loops are collapsed into one, which is distributed over gangs and vectors.
template <typename Index, int length>
struct Collapsed {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
#pragma acc parallel loop gang vector collapse(3) present(flags [0:nodes], f [0:all], g [0:all]) \
    vector_length(length)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const Index nx = static_cast<Index>(size.x), ny = static_cast<Index>(size.y),
                nz = static_cast<Index>(size.z);
    const std::int64_t nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop gang vector collapse(3) present(flags [0:nodes], f [0:all], g [0:all]) \
    vector_length(length)
    for (Index z = 0; z < nz; ++z)
      for (Index y = 0; y < ny; ++y)
        for (Index x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

template <typename T>
void launch(const Call& call) {
  with_index(call.problem, [&]<typename Index>() {
    VectorLengths::with(call.tuned<Vectors>().vector_length,
                        [&]<int length>() { time_loop<Collapsed<Index, length>, T>(call); });
  });
}

Variant form() {
  Variant variant;
  variant.description = "two kernels per step, collapse(3): third form in the talk Introduction to OpenACC";
  variant.tunables = tunables<Vectors>({{"vector_length", &Vectors::vector_length, VectorLengths::list()}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace collapse

namespace fused {

struct Threads {
  int vector_length = 64, nodes_per_thread = 1;
};

using VectorLengths = Choices<32, 64, 128, 256>;

// The launch is synchronous. With GCC's runtime an asynchronous launch costs five times as much
// (docs/reference/openacc.md).
template <int length, typename T, typename Index>
void step(Index nx, Index ny, Index nz, int items, const Rates<T> rates, const Links* links, const T* f,
          T* g) {
  const std::int64_t nodes = static_cast<std::int64_t>(nx) * ny * nz, all = directions * nodes;
  const int gangs = openacc::gangs_for(nodes, length * items);
  const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop gang(static : 1) vector collapse(3) num_gangs(gangs) vector_length(length) \
    present(links [0:nodes], f [0:all], g [0:all])
  for (Index z = 0; z < nz; ++z)
    for (Index y = 0; y < ny; ++y)
      for (Index x = 0; x < nx; ++x)
        update_node(nx, ny, nz, x, y, z, Rates<T>{keep, face, corner, push}, links, f, g);
}

template <typename T>
void copy(std::int64_t all, const T* f, T* g) {
  const int gangs = openacc::gangs_for(all, 256);
#pragma acc parallel loop gang(static : 1) vector num_gangs(gangs) vector_length(256) \
    present(f [0:all], g [0:all])
  for (std::int64_t i = 0; i < all; ++i) g[i] = f[i];
}

// Calls function.template operator()<Index>() with the narrowest integer type that can index the lattice's
// densities.
template <typename Function>
void with_density_index(const Extents& size, Function&& function) {
  // The iterations of the last gangs may exceed the end by this number before they are skipped.
  constexpr std::int64_t slack = 1 << 22;
  if (directions * size.count() <= std::numeric_limits<std::int32_t>::max() - slack)
    function.template operator()<std::int32_t>();
  else
    function.template operator()<std::int64_t>();
}

template <typename T>
void launch(const Call& call) {
  const auto threads = call.tuned<Threads>();
  const Links* const links = static_cast<const DeviceState*>(call.state)->links;
  const Rates<T> rates = rates_of<T>(call.problem);
  const Extents& size = call.problem.extents;
  T *now = call.array<T>(0), *next = other_lattice<T>(call);
  if (steps_of(call.problem) % 2 != 0) {  // so that the last step writes f
    copy(directions * size.count(), now, next);
    std::swap(now, next);
  }
  with_density_index(size, [&]<typename Index>() {
    VectorLengths::with(threads.vector_length, [&]<int length>() {
      for (std::int64_t t = 0; t < steps_of(call.problem); ++t, std::swap(now, next))
        step<length>(static_cast<Index>(size.x), static_cast<Index>(size.y), static_cast<Index>(size.z),
                     threads.nodes_per_thread, rates, links, now, next);
    });
  });
}

Variant form() {
  Variant variant;
  variant.description =
      "one kernel per step from one lattice to the other, collapse(3); the flags of neighbours are packed "
      "into bits";
  variant.tunables = tunables<Threads>({{"vector_length", &Threads::vector_length, VectorLengths::list()},
                                        {"nodes_per_thread", &Threads::nodes_per_thread, {1, 2, 4, 8, 16}}});
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace fused

namespace gang_worker_vector {

constexpr int workers = 8;
// The vector length is 32. libgomp limits a gang to 256 threads, so gangs of 8 workers cannot have longer
// vectors.
constexpr int length = 32;

// Three levels of parallelism for three loops: gangs over planes, workers over rows, vectors along a row.
struct ThreeLevels {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
#pragma acc parallel present(flags [0:nodes], f [0:all], g [0:all]) num_workers(workers) vector_length(length)
#pragma acc loop gang
    for (std::int64_t z = 0; z < nz; ++z)
#pragma acc loop worker
      for (std::int64_t y = 0; y < ny; ++y)
#pragma acc loop vector
        for (std::int64_t x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel present(flags [0:nodes], f [0:all], g [0:all]) num_workers(workers) vector_length(length)
#pragma acc loop gang
    for (std::int64_t z = 0; z < nz; ++z)
#pragma acc loop worker
      for (std::int64_t y = 0; y < ny; ++y)
#pragma acc loop vector
        for (std::int64_t x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

Variant form() {
  Variant variant;
  variant.description =
      "two kernels per step, gangs over z, 8 workers over y, vectors along x: "
      "second form in the talk Introduction to OpenACC";
  variant.launch = {.float32 = time_loop<ThreeLevels, float>, .float64 = time_loop<ThreeLevels, double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace gang_worker_vector

namespace parallel_loop {

// One thread per plane. Only the outer loop has a directive, and GCC distributes it over gangs and vectors.
struct OuterLoop {
  template <typename T>
  static void propagate(const Extents& size, const T* flags, const T* f, T* g) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
#pragma acc parallel loop present(flags [0:nodes], f [0:all], g [0:all])
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x) propagate_node(nx, ny, nz, x, y, z, flags, f, g);
  }

  template <typename T>
  static void collide(const Extents& size, const Rates<T> rates, const T* flags, const T* g, T* f) {
    const std::int64_t nx = size.x, ny = size.y, nz = size.z, nodes = size.count(), all = directions * nodes;
    const T keep = rates.keep, face = rates.face, corner = rates.corner, push = rates.push;
#pragma acc parallel loop present(flags [0:nodes], f [0:all], g [0:all])
    for (std::int64_t z = 0; z < nz; ++z)
      for (std::int64_t y = 0; y < ny; ++y)
        for (std::int64_t x = 0; x < nx; ++x)
          collide_node(nodes, (z * ny + y) * nx + x, {keep, face, corner, push}, flags, g, f);
  }
};

Variant form() {
  Variant variant;
  variant.description =
      "two kernels per step, parallel loop on the outer loop only: first form in the talk Introduction to "
      "OpenACC";
  variant.launch = {.float32 = time_loop<OuterLoop, float>, .float64 = time_loop<OuterLoop, double>};
  complete_openacc_variant(variant);
  return variant;
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> lbm_d3q15_openacc() {
  return {
      named("collapse", collapse::form()),
      named("fused", fused::form()),
      named("gang_worker_vector", gang_worker_vector::form()),
      named("parallel_loop", parallel_loop::form()),
  };
}

}  // namespace sextant
