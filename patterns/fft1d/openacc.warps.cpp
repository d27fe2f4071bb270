// Transforms of at most 1024 elements in one compute region. A warp computes one or more at a time, in two
// passes in the registers of its lanes. Intermediate data are in gang-private memory, so that global memory
// is read and written once. Kernel arguments are in a global variable (acc declare), because GCC maps other
// arguments at each launch, which is slow (docs/reference/openacc.md).
//
// GCC turns loops over constants into lookup tables, which it does not offload. The following option prevents
// this.
#pragma GCC optimize("no-tree-switch-conversion")
#include <openacc.h>

#include "factors.hpp"
#include "pass.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace fft1d {

struct AccWarps {
  std::int64_t batches;
  int gangs;
  const void *x, *factors;
  void* X;
};
AccWarps acc_warps;
#pragma acc declare create(acc_warps)

}  // namespace fft1d
namespace {

using fft1d::acc_warps, fft1d::Complex;
constexpr int lanes = 32, most = 1024;  // `most` is the largest number of elements per transform
constexpr int queue = 1;

// Number of warps per gang, limited by the size of gang-private memory.
template <typename T>
constexpr int workers = sizeof(T) == 8 ? 2 : 4;

// The selectable numbers of gangs suit the 132 multiprocessors of an H200.
struct Gang {
  int num_gangs = 396;
};

// Four-step FFT of R * Q elements, with input index q + Q r and output index R p + s, where p, q < Q and r, s
// < R. First pass: for each q, transform the R elements q, q + Q, … and multiply result s by exp(-2 pi i q s
// / (R Q)). Second pass: for each s, transform Q elements.
template <int R, int Q>
struct Lengths {
  static constexpr int length = R * Q,
                       together = lanes / Q > 0 ? lanes / Q : 1;  // transforms that a warp computes at a time
};

// Distance between rows of the intermediate data, in elements. A row holds the elements of one s for all q,
// and 16 bytes of padding to avoid bank conflicts.
template <int Q, typename T>
constexpr int pitch = Q + openacc::pack_width<T> / 2;
template <int R, int Q, typename T>
constexpr int between_passes = R* pitch<Q, T>;

template <int R, int Q, typename T>
SEXTANT_INLINE void first_pass(const Complex<T>* factors, int q, const Complex<T>* x, Complex<T>* between) {
  T re[R], im[R];
#pragma GCC unroll 32
  for (int r = 0; r < R; ++r) {
    const Complex<T> value = x[q + Q * r];
    re[r] = value.re, im[r] = value.im;
  }
  butterfly<R>(re, im);
  fft1d::turn<R, true>(factors, 0, q, re, im);
#pragma GCC unroll 32
  for (int s = 0; s < R; ++s) between[s * pitch<Q, T> + q] = {re[s], im[s]};
}

template <int R, int Q, typename T>
SEXTANT_INLINE void second_pass(int s, const Complex<T>* between, Complex<T>* X) {
  constexpr int width = openacc::pack_width<T>;
  T re[Q], im[Q];
#pragma GCC unroll 32
  for (int q = 0; q < Q; q += width / 2) {
    T pack[width];
    openacc::load_of_gang(reinterpret_cast<const T*>(between + s * pitch<Q, T> + q), pack);
    for (int e = 0; e < width / 2; ++e) re[q + e] = pack[2 * e], im[q + e] = pack[2 * e + 1];
  }
  butterfly<Q>(re, im);
#pragma GCC unroll 32
  for (int p = 0; p < Q; ++p) X[s + R * p] = {re[p], im[p]};
}

template <int R, int Q, typename T>
void transform(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers <T>) vector_length(lanes) async(queue)
  {
    constexpr int length = Lengths<R, Q>::length, together = Lengths<R, Q>::together,
                  of_warp = between_passes<R, Q, T> * together;
    const std::int64_t batches = acc_warps.batches,
                       step = std::int64_t{acc_warps.gangs} * workers<T> * together;
    const Complex<T>* const x = static_cast<const Complex<T>*>(acc_warps.x);
    const Complex<T>* const factors = static_cast<const Complex<T>*>(acc_warps.factors);
    Complex<T>* const X = static_cast<Complex<T>*>(acc_warps.X);
#pragma acc loop gang
    for (int gang = 0; gang < acc_warps.gangs; ++gang) {
      SEXTANT_GANG_ARRAY(Complex<T>, between_of_gang, of_warp * workers<T>);
#pragma acc loop worker
      for (int worker = 0; worker < workers<T>; ++worker) {
        for (std::int64_t first = (std::int64_t{gang} * workers<T> + worker) * together; first < batches;
             first += step) {
          const int there = first + together < batches ? together : static_cast<int>(batches - first);
#pragma acc loop vector
          for (int at = 0; at < there * Q; ++at) {
            SEXTANT_GANG_POINTER(Complex<T>, between, between_of_gang);
            const std::int64_t begin = (first + at / Q) * length;
            first_pass<R, Q>(factors, at % Q, x + begin,
                             between + worker * of_warp + at / Q * between_passes<R, Q, T>);
          }
#pragma acc loop vector
          for (int at = 0; at < there * R; ++at) {
            SEXTANT_GANG_POINTER(Complex<T>, between, between_of_gang);
            const std::int64_t begin = (first + at / R) * length;
            second_pass<R, Q>(at % R, between + worker * of_warp + at / R * between_passes<R, Q, T>,
                              X + begin);
          }
        }
      }
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto gang = call.tuned<Gang>();
  const std::int64_t length = fft1d::length_of(call.problem), batches = fft1d::batches_of(call.problem);
  if (batches == 0) return;
  acc_warps = {batches, gang.num_gangs, acc_deviceptr(call.address(0)), call.state,
               acc_deviceptr(call.address(1))};
  // A function call copies the arguments, because GCC 12 ignores `update device` for variables in a declare
  // directive.
  acc_update_device(&acc_warps, sizeof acc_warps);
  const int gangs = gang.num_gangs;
  switch (length) {
    case 4:
      transform<2, 2, T>(gangs);
      break;
    case 8:
      transform<4, 2, T>(gangs);
      break;
    case 16:
      transform<4, 4, T>(gangs);
      break;
    case 32:
      transform<8, 4, T>(gangs);
      break;
    case 64:
      transform<8, 8, T>(gangs);
      break;
    case 128:
      transform<16, 8, T>(gangs);
      break;
    case 256:
      transform<16, 16, T>(gangs);
      break;
    case 512:
      transform<32, 16, T>(gangs);
      break;
    case 1024:
      transform<32, 32, T>(gangs);
      break;
    default:
      break;
  }
#pragma acc wait(queue)
}

const char* refuse(const Problem& problem, const Gang&) {
  const std::int64_t length = fft1d::length_of(problem);
  return length < 4 || length > most ? "only for transforms of 4 to 1024 elements" : nullptr;
}

std::int64_t workspace(const Problem& problem, const Gang&) {
  return 2 * fft1d::length_of(problem) * static_cast<std::int64_t>(element_size(problem.type));
}

const char* prepare(const Call& call, void** state) {
  void* factors = fft1d::allocate_with_factors(call.problem, 0);
  *state = acc_malloc(static_cast<std::size_t>(workspace(call.problem, {})));
  const bool made = factors && *state;
  if (made)
    acc_memcpy_to_device(
        *state, factors,
        2 * static_cast<std::size_t>(fft1d::length_of(call.problem)) * element_size(call.problem.type));
  std::free(factors);
  return made ? nullptr : "no memory for the twiddle factors";
}

}  // namespace

std::vector<Variant> fft1d_openacc_warps() {
  return {
      {.name = "warps",
       .description =
           "up to 1024 elements per warp in one region: two passes in registers, one read and one write of "
           "memory",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gang>({{"num_gangs", &Gang::num_gangs, {132, 264, 396, 528}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(launch),
       .constraint = by_name<refuse>,
       .prepare = prepare,
       .release = [](void* state) { acc_free(state); },
       .workspace = by_name<workspace>}};
}

}  // namespace sextant
