#include "device_state.cuh"
#include "in_cache_state.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using fft1d::Complex;
using Logs = Choices<13, 14, 15, 16, 17, 18>;  // of lengths

// A transform's second pass comes so many transforms behind its first that as many blocks as run at once, times `behind` / 100, lie between.
struct Shape {
  int behind = 120;
};

int log_of(const Problem& p) { return std::countr_zero(static_cast<std::uint64_t>(fft1d::length_of(p))); }

// function.template operator()<Plan>() of the call's length.
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
    const int between = multiprocessors() * Plan::resident * call.tuned<Shape>().behind / 100;
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
          : "more shared memory than this GPU has, or no device memory for tickets";
  if (!problem) {
    *state = mine;
    return nullptr;
  }
  cudaGetLastError();  // it must not be found by a later check
  delete mine;
  return problem;
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 8192 || length > 262144) return "a transform of less than 8192 or more than 262144 elements";
  return fft1d::batches_of(problem) > INT32_MAX / 4096 ? "more transforms than tickets" : nullptr;
}

}  // namespace

Variant fft1d_cuda_in_cache() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "8192 to 262144 elements in two passes of one launch, between which they stay in the second-level cache";
  variant.tunables = tunables<Shape>({{"behind", &Shape::behind, {80, 120, 200}}});
  variant.constraint = by_name<refuse>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = workspace;
  variant.prepare = prepare;
  variant.release = [](void* state) { delete static_cast<State*>(state); };
  return variant;
}

}  // namespace sextant
