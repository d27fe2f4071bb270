#include "device_state.cuh"
#include "in_cache_state.cuh"
#include "pass.hpp"
#include "suite/tunables.hpp"
#include "toolbox/cuda/bulk_copy.cuh"
#include "toolbox/cuda/vector.cuh"

// A block computes one transform in the registers of its threads. The threads exchange real parts and
// imaginary parts one after the other, which halves the exchange buffer. This leaves shared memory for the
// next transform's input, which a bulk copy loads meanwhile.
namespace sextant::fft1d {

template <int length_, int points_, typename T>
struct OneBlock {
  // `points`: number of elements per thread.
  static constexpr int length = length_, points = points_, threads = length / points;
  static constexpr int resident =
      65536 / (length * static_cast<int>(sizeof(T)));      // resident blocks per multiprocessor
  static constexpr int fine = 16, coarse = length / fine;  // lengths of the two tables of roots of unity
};

// Indices in shared memory, padded to avoid bank conflicts.
constexpr int place_of_number(int i) { return i + i / 32; }
constexpr int place_of_root(int i) { return i + i / 16; }

template <typename Plan, typename T>
struct alignas(128) BlockRoom {
  Complex<T> next[Plan::length];
  T numbers[place_of_number(Plan::length)];  // the real or imaginary parts that the threads exchange
  // `coarse` holds every 16th root of unity, `fine` the first 16 roots.
  Complex<T> coarse[place_of_root(Plan::coarse)], fine[Plan::fine];
  std::uint64_t barrier;  // completes when `next` has been loaded

  __device__ __forceinline__ void fill(const Complex<T>* __restrict__ factors) {
    const int t = static_cast<int>(threadIdx.x);
    for (int i = t; i < Plan::coarse; i += Plan::threads) coarse[place_of_root(i)] = factors[i * Plan::fine];
    for (int i = t; i < Plan::fine; i += Plan::threads) fine[i] = factors[i];
  }
};

// Element i is root of unity number i * apart, computed as the product of an entry of `coarse` and one of
// `fine`.
template <int apart, typename Room>
struct RootsOfBlock {
  const Room& room;

  __device__ __forceinline__ auto operator[](int i) const {
    constexpr int fine = sizeof(room.fine) / sizeof(room.fine[0]);
    if constexpr (apart % fine == 0) return room.coarse[place_of_root(i * (apart / fine))];
    auto root = room.coarse[place_of_root(i * apart / fine)];
    const auto by = room.fine[i * apart % fine];
    rotate(root.re, root.im, by.re, -by.im);
    return root;
  }
};

// Performs the remaining passes of a transform. `done` is the product of the radices of the earlier passes.
// Before and after a call, element e of thread t is element t + e * threads of the transform.
template <int done, typename Plan, typename T>
__device__ __forceinline__ void transform_in_block(BlockRoom<Plan, T>& room, T (&re)[Plan::points],
                                                   T (&im)[Plan::points]) {
  constexpr int length = Plan::length, points = Plan::points, threads = Plan::threads;
  constexpr int radix = length / done < points ? length / done : points, butterflies = points / radix;
  const int t = static_cast<int>(threadIdx.x);
#pragma unroll
  for (int b = 0; b < butterflies; ++b) {
    T part_re[radix], part_im[radix];
#pragma unroll
    for (int i = 0; i < radix; ++i)
      part_re[i] = re[b + i * butterflies], part_im[i] = im[b + i * butterflies];
    if constexpr (done > 1)
      turn<radix, true>(RootsOfBlock<length / (done * radix), BlockRoom<Plan, T>>{room}, 0,
                        (t + b * threads) & (done - 1), part_re, part_im);
    butterfly<radix>(part_re, part_im);
#pragma unroll
    for (int i = 0; i < radix; ++i)
      re[b + i * butterflies] = part_re[i], im[b + i * butterflies] = part_im[i];
  }
  if constexpr (done * radix < length) {
    const auto exchange = [&](T(&numbers)[points]) {
#pragma unroll
      for (int b = 0; b < butterflies; ++b) {
        const int j = t + b * threads, k = j & (done - 1), first = place_of_number((j - k) * radix + k);
#pragma unroll
        for (int i = 0; i < radix;
             ++i)  // place_of_number is additive here, because the two indices have no bits in common
          room.numbers[first + place_of_number(i * done)] = numbers[b + i * butterflies];
      }
      __syncthreads();
#pragma unroll
      for (int e = 0; e < points; ++e)
        numbers[e] = room.numbers[place_of_number(t) + place_of_number(e * threads)];
      __syncthreads();
    };
    exchange(re);
    exchange(im);
    transform_in_block<done * radix, Plan>(room, re, im);
  }
}

// Computes transforms in persistent blocks; each block takes every gridDim.x-th transform.
template <typename Plan, typename T>
__global__ void __launch_bounds__(Plan::threads, Plan::resident)
    transform_in_blocks(int batches, const Complex<T>* __restrict__ x, const Complex<T>* __restrict__ factors,
                        Complex<T>* __restrict__ X) {
  if constexpr (bulk::available) {
    extern __shared__ __align__(128) unsigned char bulk_bytes[];
    auto& room = *reinterpret_cast<BlockRoom<Plan, T>*>(bulk_bytes);
    const int t = static_cast<int>(threadIdx.x);
    const auto ask_for = [&](int batch) {
      constexpr int pieces = 4, size = Plan::length / pieces * static_cast<int>(sizeof(Complex<T>));
      if (t != 0 || batch >= batches) return;
      bulk::expect(&room.barrier, pieces * size);
#pragma unroll
      for (int p = 0; p < pieces; ++p) {
        const int at = p * (Plan::length / pieces);
        bulk::copy(room.next + at, x + static_cast<std::int64_t>(batch) * Plan::length + at, size,
                   &room.barrier);
      }
    };
    if (t == 0) {
      bulk::start(&room.barrier, 1);
      bulk::barriers_started();
    }
    room.fill(factors);
    __syncthreads();
    ask_for(static_cast<int>(blockIdx.x));
    int parity = 0;
    for (int batch = static_cast<int>(blockIdx.x); batch < batches; batch += static_cast<int>(gridDim.x)) {
      T re[Plan::points], im[Plan::points];
      bulk::wait(&room.barrier, parity);
      parity ^= 1;
#pragma unroll
      for (int e = 0; e < Plan::points; ++e) {
        const Complex<T> value = room.next[t + e * Plan::threads];
        re[e] = value.re, im[e] = value.im;
      }
      __syncthreads();
      ask_for(batch + static_cast<int>(gridDim.x));
      transform_in_block<1, Plan>(room, re, im);
      Complex<T>* const to = X + static_cast<std::int64_t>(batch) * Plan::length + t;
#pragma unroll
      for (int e = 0; e < Plan::points; ++e) {
        const Vector<T, 2> out = {re[e], im[e]};
        store_streaming(reinterpret_cast<T*>(to + e * Plan::threads), out);
      }
    }
  }
}

}  // namespace sextant::fft1d

// One launch per pass, with intermediate results in global memory. Suits transforms of any length.
namespace sextant::fft1d {

struct StageBlock {
  int block_size = 256;
};

template <int radix, typename T>
__global__ void pass_of_all(std::int64_t batches, std::int64_t length, std::int64_t done,
                            const Complex<T>* __restrict__ from, const Complex<T>* __restrict__ factors,
                            Complex<T>* __restrict__ to) {
  const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const std::int64_t butterflies = length / radix, j = at & (butterflies - 1),
                     first = (at - j) * radix;  // correct because the number of butterflies is a power of two
  if (first < batches * length) pass<radix>(from + first, to + first, factors, length, done, j);
}

template <int most, typename T>
void launch_stages(const Call& call) {
  const std::int64_t length = length_of(call.problem), batches = batches_of(call.problem);
  const int block = call.tuned<StageBlock>().block_size;
  for_each_pass<T>(
      call.problem, most, call.address(0), call.address(1), call.state,
      [&]<int radix>(std::int64_t done, const Complex<T>* from, Complex<T>* to, const Complex<T>* factors) {
        pass_of_all<radix><<<blocks_for(batches * length / radix, block), block, 0, stream_of(call)>>>(
            batches, length, done, from, factors, to);
      });
}

template <int most>
Variant stages_variant(const char* description) {
  Variant variant;
  variant.memory_space = MemorySpace::cuda;
  variant.description = description;
  variant.tunables = tunables<StageBlock>({{"block_size", &StageBlock::block_size, {64, 128, 256, 512}}});
  variant.launch = {.float32 = launch_stages<most, float>, .float64 = launch_stages<most, double>};
  variant.workspace = state_bytes;
  variant.prepare = [](const Call& call, void** state) {
    return prepare_factors(call, state_bytes(call.problem, nullptr), state);
  };
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant::fft1d

namespace sextant {
namespace {

namespace bulk_form {

using fft1d::Complex;
using Lengths = Choices<4096, 8192, 16384>;
using Points = Choices<16, 32>;

struct Shape {
  int points = 32;  // elements per thread
};

constexpr int most_bytes = 16384 * 8;  // bytes of the longest transform that fits in a block

// Calls function.template operator()<Plan>() with the plan for the call's length and tuning.
template <typename T, typename Function>
void with_plan(const Call& call, const Function& function) {
  Lengths::with(static_cast<int>(fft1d::length_of(call.problem)), [&]<int length>() {
    Points::with(call.tuned<Shape>().points, [&]<int points>() {
      if constexpr (length * sizeof(Complex<T>) <= most_bytes)
        function.template operator()<fft1d::OneBlock<length, points, T>>();
    });
  });
}

template <typename T>
void launch(const Call& call) {
  const auto batches = static_cast<int>(fft1d::batches_of(call.problem));
  with_plan<T>(call, [&]<typename Plan>() {
    const int blocks = std::min(batches, multiprocessors() * Plan::resident);
    fft1d::transform_in_blocks<Plan>
        <<<static_cast<unsigned>(blocks), Plan::threads, sizeof(fft1d::BlockRoom<Plan, T>),
           stream_of(call)>>>(batches, call.array<const Complex<T>>(0),
                              static_cast<const Complex<T>*>(call.state), call.array<Complex<T>>(1));
  });
}

template <typename T>
cudaError_t allow(const Call& call) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(call, [&]<typename Plan>() {
    error =
        cudaFuncSetAttribute(fft1d::transform_in_blocks<Plan, T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             static_cast<int>(sizeof(fft1d::BlockRoom<Plan, T>)));
  });
  return error;
}

const char* prepare(const Call& call, void** state) {
  const cudaError_t error =
      call.problem.type == ElementType::float64 ? allow<double>(call) : allow<float>(call);
  if (error == cudaSuccess)
    return fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), state);
  cudaGetLastError();  // clear the error, so that a later check does not report it
  return fft1d::why_not_made(error, "more shared memory than this GPU allows per block");
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 4096 || length * 2 * static_cast<std::int64_t>(element_size(problem.type)) > most_bytes)
    return "only for transforms of at least 4096 elements and at most 128 KiB";
  return fft1d::batches_of(problem) > INT32_MAX / 2 ? "2^30 or more transforms" : nullptr;
}

}  // namespace bulk_form

namespace in_cache {

using fft1d::Complex;
using Logs = Choices<13, 14, 15, 16, 17, 18>;  // base-2 logarithms of the lengths

// Number of blocks between a transform's first and second pass, in percent of the GPU's resident blocks.
struct Shape {
  int pass_distance_percent = 120;
};

int log_of(const Problem& p) { return std::countr_zero(static_cast<std::uint64_t>(fft1d::length_of(p))); }

// Calls function.template operator()<Plan>() with the plan for the call's length.
template <typename T, typename Function>
void with_plan(const Problem& problem, const Function& function) {
  Logs::with(log_of(problem),
             [&]<int log_length>() { function.template operator()<fft1d::TwoPasses<log_length, T>>(); });
}

struct State {
  fft1d::InCacheState shared;
  void* factors = nullptr;
  ~State() { cudaFree(factors); }
};

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const int between = multiprocessors() * Plan::resident * call.tuned<Shape>().pass_distance_percent / 100;
    state.shared.launch<Plan>(static_cast<int>(fft1d::batches_of(call.problem)), between, false,
                              stream_of(call), call.array<const Complex<T>>(0), state.factors,
                              call.array<Complex<T>>(1));
  });
}

template <typename T>
cudaError_t make(const Problem& problem, fft1d::InCacheState& shared) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(problem, [&]<typename Plan>() { error = shared.make<Plan, T>(fft1d::batches_of(problem)); });
  return error;
}

std::int64_t workspace(const Problem& problem, const int*) {
  return fft1d::factor_bytes(problem, nullptr) + fft1d::InCacheState::bytes(fft1d::batches_of(problem));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const cudaError_t error = call.problem.type == ElementType::float64
                                ? make<double>(call.problem, mine->shared)
                                : make<float>(call.problem, mine->shared);
  const char* problem =
      error == cudaSuccess
          ? fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), &mine->factors)
          : fft1d::why_not_made(error, "more shared memory than this GPU allows per block");
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // clear the error, so that a later check does not report it
  delete mine;
  return problem;
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 262144) return "only for transforms of 8192 to 262144 elements";
  return fft1d::batches_of(problem) > INT32_MAX / 4096 ? "2^19 or more transforms" : nullptr;
}

}  // namespace in_cache

}  // namespace

std::vector<Variant> fft1d_cuda() {
  return {
      {.name = "bulk",
       .description = "4096 elements to 128 KiB in a block's registers; a bulk copy loads the next transform "
                      "meanwhile (Hopper)",
       .memory_space = MemorySpace::cuda,
       .tunables =
           tunables<bulk_form::Shape>({{"points", &bulk_form::Shape::points, bulk_form::Points::list()}}),
       .launch = SEXTANT_FLOAT_DOUBLE(bulk_form::launch),
       .constraint = by_name<bulk_form::refuse>,
       .prepare = bulk_form::prepare,
       .release = [](void* state) { cudaFree(state); },
       .workspace = fft1d::factor_bytes,
       .unavailable = bulk::unavailable},
      {.name = "in_cache",
       .description =
           "8192 to 262144 elements in two passes of one launch; intermediate data stay in the L2 cache",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<in_cache::Shape>(
           {{"pass_distance_percent", &in_cache::Shape::pass_distance_percent, {80, 120, 200}}}),
       .launch = SEXTANT_FLOAT_DOUBLE(in_cache::launch),
       .constraint = by_name<in_cache::refuse>,
       .prepare = in_cache::prepare,
       .release = [](void* state) { delete static_cast<in_cache::State*>(state); },
       .workspace = in_cache::workspace},
      named("registers", fft1d::stages_variant<16>(
                             "one launch per four stages, with 16 elements in each thread's registers")),
      named("stages", fft1d::stages_variant<2>("the plain form: one launch per radix-2 stage")),
  };
}

}  // namespace sextant
