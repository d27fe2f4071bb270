#include "host.hpp"
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256, 512>;

struct Gang {
  int vector_length = 128;
};

namespace libm {

// The vector length is a template argument because GCC requires a constant.
template <int length, typename T>
void price(std::int64_t n, const T* p, const T* k, const T* t, T* calls, T* puts) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(p [0:n], k [0:n], t [0:n], calls [0:n], puts [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices_by_library(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    price<length>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                  call.array<const T>(2), call.array<T>(3), call.array<T>(4));
  });
}

}  // namespace libm

namespace polynomial {

// The vector length is a template argument because GCC requires a constant.
template <int length, typename T>
void price(std::int64_t n, const T* p, const T* k, const T* t, T* calls, T* puts) {
#pragma acc parallel loop gang vector vector_length(length) \
    present(p [0:n], k [0:n], t [0:n], calls [0:n], puts [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    const blackscholes::Prices<T> prices = blackscholes::prices<blackscholes::Arithmetic>(p[i], k[i], t[i]);
    calls[i] = prices.call;
    puts[i] = prices.put;
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    price<length>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                  call.array<const T>(2), call.array<T>(3), call.array<T>(4));
  });
}

}  // namespace polynomial

}  // namespace

std::vector<Variant> blackscholes_openacc() {
  return {
      {.name = "libm",
       .description = "the plain form: a parallel loop, functions of the math library",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(libm::launch),
       .adapt = by_name<openacc::adapt_vector_length<Gang>>},
      {.name = "polynomial",
       .description = "a parallel loop, polynomials in place of math library functions",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(polynomial::launch),
       .adapt = by_name<openacc::adapt_vector_length<Gang>>},
  };
}

}  // namespace sextant
