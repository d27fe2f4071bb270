#include "device_state.cuh"
#include "in_cache.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"

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
  lookback::Tickets tickets;
  void* factors = nullptr;
  unsigned* done = nullptr;
  ~State() {
    cudaFree(factors);
    cudaFree(done);
  }
};

std::size_t done_bytes(const Problem& problem) {
  return static_cast<std::size_t>(fft1d::batches_of(problem)) * sizeof(unsigned);
}

template <typename T>
void launch(const Call& call) {
  const auto& state = *static_cast<const State*>(call.state);
  with_plan<T>(call.problem, [&]<typename Plan>() {
    const int between = multiprocessors() * Plan::resident * call.tuned<Shape>().behind / 100;
    const int behind = std::max(between / (2 * Plan::parts), 1);
    const auto batches = static_cast<int>(fft1d::batches_of(call.problem));
    fft1d::transform_in_cache<Plan><<<static_cast<unsigned>(batches + behind) * 2 * Plan::parts,
                                      Plan::threads, sizeof(fft1d::Room<Plan, T>), stream_of(call)>>>(
        batches, behind, call.array<const Complex<T>>(0), static_cast<const Complex<T>*>(state.factors),
        call.array<Complex<T>>(1), {state.tickets.board<int>(), state.done});
  });
}

template <typename T>
cudaError_t allow(const Problem& problem) {
  cudaError_t error = cudaSuccess;
  with_plan<T>(problem, [&]<typename Plan>() {
    error = cudaFuncSetAttribute(fft1d::transform_in_cache<Plan, T>,
                                 cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(fft1d::Room<Plan, T>));
  });
  return error;
}

std::int64_t workspace(const Problem& problem, const int*) {
  return fft1d::factor_bytes(problem, nullptr) + lookback::Tickets::bytes(1, sizeof(int)) +
         static_cast<std::int64_t>(done_bytes(problem));
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const char* problem = nullptr;
  const std::size_t bytes = done_bytes(call.problem);
  if ((call.problem.type == ElementType::float64 ? allow<double>(call.problem)
                                                 : allow<float>(call.problem)) != cudaSuccess)
    problem = "more shared memory than this GPU has";
  else if (mine->tickets.make(1, sizeof(int)) != cudaSuccess ||
           cudaMalloc(&mine->done, bytes) != cudaSuccess || cudaMemset(mine->done, 0, bytes) != cudaSuccess)
    problem = "no device memory for tickets";
  else
    problem = fft1d::prepare_factors(call, fft1d::factor_bytes(call.problem, nullptr), &mine->factors);
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
