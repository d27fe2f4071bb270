// Measuring loops, compiled once per instruction set with SEXTANT_LOOPS and SEXTANT_VECTOR_BYTES defined. Do
// not include headers with inline functions here. The linker could use their copies, which need this
// instruction set, in the rest of the program.
#include "machine/ceilings/host_loops.hpp"

#if defined(__AVX512F__) || defined(__AVX__)
  #include <immintrin.h>
#endif

namespace sextant {
namespace {

constexpr int vector_bytes = SEXTANT_VECTOR_BYTES;
typedef double Doubles __attribute__((vector_size(vector_bytes)));
typedef float Floats __attribute__((vector_size(vector_bytes)));
typedef std::uint32_t Words __attribute__((vector_size(vector_bytes)));
constexpr int lanes = vector_bytes / 8;
constexpr int unroll = 8;  // number of vectors per iteration; lanes * unroll divides 64
static_assert(64 % (lanes * unroll) == 0);

inline Doubles load(const double* from) { return *reinterpret_cast<const Doubles*>(from); }
inline void store(double* to, Doubles value) { *reinterpret_cast<Doubles*>(to) = value; }

template <typename Store>
inline void copy_with(double* a, const double* b, std::int64_t count, Store put) {
  for (std::int64_t i = 0; i < count; i += lanes * unroll)
#pragma GCC unroll 8
    for (int u = 0; u < unroll; ++u) put(a + i + u * lanes, load(b + i + u * lanes));
}

template <typename Store>
inline void triad_with(double* a, const double* b, const double* c, double s, std::int64_t count, Store put) {
  const Doubles factor = Doubles{} + s;
  for (std::int64_t i = 0; i < count; i += lanes * unroll)
#pragma GCC unroll 8
    for (int u = 0; u < unroll; ++u) {
      const std::int64_t at = i + u * lanes;
      put(a + at, load(b + at) + factor * load(c + at));
    }
}

template <typename Store>
inline void write_with(double* a, double value, std::int64_t count, Store put) {
  const Doubles values = Doubles{} + value;
  for (std::int64_t i = 0; i < count; i += lanes * unroll)
#pragma GCC unroll 8
    for (int u = 0; u < unroll; ++u) put(a + i + u * lanes, values);
}

void copy(double* a, const double* b, std::int64_t count) { copy_with(a, b, count, store); }
void triad(double* a, const double* b, const double* c, double s, std::int64_t count) {
  triad_with(a, b, c, s, count, store);
}
void write(double* a, double value, std::int64_t count) { write_with(a, value, count, store); }

double read(const double* a, std::int64_t count) {
  Doubles sums[unroll] = {};
  for (std::int64_t i = 0; i < count; i += lanes * unroll)
#pragma GCC unroll 8
    for (int u = 0; u < unroll; ++u) sums[u] += load(a + i + u * lanes);
  Doubles all = {};
  for (const Doubles& sum : sums) all += sum;
  double total = 0;
  for (int lane = 0; lane < lanes; ++lane) total += all[lane];
  return total;
}

// Twelve independent chains hide the latency of two FMA units (four or five cycles each) and fit in sixteen
// registers.
template <typename Vector, typename T>
inline T fma_chains(T factor, T term, std::int64_t rounds, int* chains) {
  constexpr int count = chains_of_a_lane;
  constexpr int width = static_cast<int>(sizeof(Vector) / sizeof(T));
  const Vector factors = Vector{} + factor, terms = Vector{} + term;
  Vector x[count];  // kept in registers if every loop over it is unrolled
#pragma GCC unroll 12
  for (int i = 0; i < count; ++i)
    // Distinct values, because the compiler would merge equal chains.
    x[i] = Vector{} + static_cast<T>(i);
  for (std::int64_t round = 0; round < rounds; ++round)
#pragma GCC unroll 12
    for (int i = 0; i < count; ++i) x[i] = x[i] * factors + terms;
  Vector all = {};
#pragma GCC unroll 12
  for (int i = 0; i < count; ++i) all += x[i];
  T total = 0;
  for (int lane = 0; lane < width; ++lane) total += all[lane];
  *chains = count * width;
  return total;
}

float fma32(float factor, float term, std::int64_t rounds, int* chains) {
  return fma_chains<Floats>(factor, term, rounds, chains);
}
double fma64(double factor, double term, std::int64_t rounds, int* chains) {
  return fma_chains<Doubles>(factor, term, rounds, chains);
}

std::uint32_t add_xor(std::uint32_t term, std::uint32_t mask, std::int64_t rounds, int* chains) {
  constexpr int count = chains_of_a_lane, width = vector_bytes / 4;
  const Words terms = Words{} + term, masks = Words{} + mask;
  Words x[count];
#pragma GCC unroll 12
  for (int i = 0; i < count; ++i) x[i] = Words{} + static_cast<std::uint32_t>(i);
  for (std::int64_t round = 0; round < rounds; ++round)
#pragma GCC unroll 12
    for (int i = 0; i < count; ++i) x[i] = (x[i] + terms) ^ masks;
  Words all = {};
#pragma GCC unroll 12
  for (int i = 0; i < count; ++i) all += x[i];
  std::uint32_t total = 0;
  for (int lane = 0; lane < width; ++lane) total += all[lane];
  *chains = count * width;
  return total;
}

#if defined(__AVX512F__) || defined(__AVX__)
inline void stream(double* to, Doubles value) {
  #if defined(__AVX512F__)
  _mm512_stream_pd(to, value);
  #else
  _mm256_stream_pd(to, value);
  #endif
}
void copy_streaming(double* a, const double* b, std::int64_t count) {
  copy_with(a, b, count, stream);
  _mm_sfence();
}
void triad_streaming(double* a, const double* b, const double* c, double s, std::int64_t count) {
  triad_with(a, b, c, s, count, stream);
  _mm_sfence();
}
void write_streaming(double* a, double value, std::int64_t count) {
  write_with(a, value, count, stream);
  _mm_sfence();
}
#else
constexpr decltype(&copy) copy_streaming = nullptr;
constexpr decltype(&triad) triad_streaming = nullptr;
constexpr decltype(&write) write_streaming = nullptr;
#endif

#define SEXTANT_JOIN_OF(a, b) a##b
#define SEXTANT_JOIN(a, b) SEXTANT_JOIN_OF(a, b)

}  // namespace

const HostLoops& SEXTANT_JOIN(host_loops_, SEXTANT_LOOPS)() {
  static constexpr HostLoops loops = {
      copy, triad, read, write, copy_streaming, triad_streaming, write_streaming, fma32, fma64, add_xor};
  return loops;
}

}  // namespace sextant
