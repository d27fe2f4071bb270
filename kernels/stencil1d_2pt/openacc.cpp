#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/pack.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using VectorLengths = BlockSizes;

namespace packed {

struct Gang {
  int vector_length = 128;
};

// Each thread computes one 16-byte pack; the neighbours outside the pack are scalar loads from the cache.
template <typename T, int vector_length_>
void sweep(std::int64_t n, const T* b, T* c) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, vector_length_);
#pragma acc parallel loop gang(static : 1) vector present(b [0:n], c [0:n]) vector_length(vector_length_) \
    num_gangs(gangs)
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i > 0 && i + width < n) {
      T x[width + 2], y[width];
      openacc::load_pack(b + i, x + 1);
      x[0] = b[i - 1];
      x[width + 1] = b[i + width];
      for (int k = 0; k < width; ++k) y[k] = static_cast<T>(0.5) * (x[k] + x[k + 2]);
      openacc::store_pack(c + i, y);
    } else {
      const std::int64_t end = i + width < n ? i + width : n;
      for (std::int64_t k = i; k < end; ++k) c[k] = k == 0 || k == n - 1 ? b[k] : stencil1d_2pt::point(b, k);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    sweep<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace packed

namespace parallel_loop {

struct Gang {
  int vector_length = 32;
};

template <typename T, int vector_length_>
void sweep(std::int64_t n, const T* b, T* c) {
#pragma acc parallel loop present(b [0:n], c [0:n]) vector_length(vector_length_)
  for (std::int64_t i = 0; i < n; ++i) c[i] = i == 0 || i == n - 1 ? b[i] : stencil1d_2pt::point(b, i);
}

template <typename T>
void launch(const Call& call) {
  VectorLengths::with(call.tuned<Gang>().vector_length, [&]<int V>() {
    sweep<T, V>(call.problem.extents.x, call.array<const T>(0), call.array<T>(1));
  });
}

}  // namespace parallel_loop

}  // namespace

std::vector<Variant> stencil1d_2pt_openacc() {
  return {
      {.name = "packed",
       .description = "one 16-byte pack per thread; gang(static:1) distributes iterations round-robin",
       .memory_space = MemorySpace::openacc,
       .tunables =
           tunables<packed::Gang>({{"vector_length", &packed::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(packed::launch)},
      {.name = "parallel_loop",
       .description = "the study's form: parallel loop with present and vector_length",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<parallel_loop::Gang>(
           {{"vector_length", &parallel_loop::Gang::vector_length, VectorLengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(parallel_loop::launch),
       .adapt = by_name<openacc::adapt_vector_length<parallel_loop::Gang>>},
  };
}

}  // namespace sextant
