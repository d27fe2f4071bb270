// Computes float functions from powers and logarithms to base 2. With the options below, GCC uses the GPU's
// approximate instructions for them. Associative math stays off: it would remove the additions of large
// constants that round a number to an integer. A lane prices one 16-byte vector of options at a time.
#pragma GCC optimize("unsafe-math-optimizations", "no-associative-math", "no-reciprocal-math")
#include "host.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/vector_length.hpp"

namespace sextant {
namespace {

using Lengths = Choices<32, 64, 128, 256, 512>;

struct Gang {
  int vector_length = 128;
};

struct Base2 : blackscholes::Arithmetic {
  using Arithmetic::exponential, Arithmetic::reciprocal_root, Arithmetic::logarithm_of_ratio,
      Arithmetic::quotient;
  static SEXTANT_INLINE float reciprocal(float x) {
    const float near = __builtin_exp2f(-__builtin_log2f(x));
    return near * (2 - x * near);
  }
  static SEXTANT_INLINE float exponential(float x) { return __builtin_exp2f(x * 1.442695040888963407f); }
  static SEXTANT_INLINE float reciprocal_root(float x) {
    const float near = __builtin_exp2f(-0.5f * __builtin_log2f(x));
    return near * (1.5f - 0.5f * x * near * near);
  }
  static SEXTANT_INLINE float logarithm_of_ratio(float a, float b) {
    return 0.69314718055994530942f * __builtin_log2f(a * reciprocal(b));
  }
  static SEXTANT_INLINE float quotient(float a, float b) { return a * reciprocal(b); }
};

// The vector length is a template argument because GCC requires a constant.
template <int length, typename T>
void price(std::int64_t n, const T* p, const T* k, const T* t, T* calls, T* puts) {
  constexpr int width = openacc::pack_width<T>;
  const std::int64_t packs = (n + width - 1) / width;
  const int gangs = openacc::gangs_for(packs, length);
#pragma acc parallel loop gang(static : 1) vector vector_length(length) num_gangs(gangs) \
    present(p [0:n], k [0:n], t [0:n], calls [0:n], puts [0:n])
  for (std::int64_t pack = 0; pack < packs; ++pack) {
    const std::int64_t i = pack * width;
    if (i + width <= n) {
      T prices[width], strikes[width], times[width], call[width], put[width];
      openacc::load_pack(p + i, prices);
      openacc::load_pack(k + i, strikes);
      openacc::load_pack(t + i, times);
#pragma GCC unroll 4
      for (int o = 0; o < width; ++o) {
        const blackscholes::Prices<T> both = blackscholes::prices<Base2>(prices[o], strikes[o], times[o]);
        call[o] = both.call;
        put[o] = both.put;
      }
      openacc::store_pack(calls + i, call);
      openacc::store_pack(puts + i, put);
    } else {
      for (std::int64_t o = i; o < n; ++o) {
        const blackscholes::Prices<T> both = blackscholes::prices<Base2>(p[o], k[o], t[o]);
        calls[o] = both.call;
        puts[o] = both.put;
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  Lengths::with(call.tuned<Gang>().vector_length, [&]<int length>() {
    price<length>(call.problem.extents.x, call.array<const T>(0), call.array<const T>(1),
                  call.array<const T>(2), call.array<T>(3), call.array<T>(4));
  });
}

}  // namespace

std::vector<Variant> blackscholes_openacc_base2() {
  return {{.name = "base2",
           .description =
               "one 16-byte pack of options per lane; float functions from the GPU's base-2 exponentials and "
               "logarithms",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Gang>({{"vector_length", &Gang::vector_length, Lengths::list()}}),
           .launch = SEXTANT_FLOAT_DOUBLE(launch),
           .adapt = by_name<openacc::adapt_vector_length<Gang>>}};
}

}  // namespace sextant
