#include "bulk.cuh"
#include "device_state.cuh"
#include "suite/tunables.hpp"

namespace sextant {
namespace {

using fft1d::Complex;
using Lengths = Choices<4096, 8192, 16384>;
using Points = Choices<16, 32>;

struct Shape {
  int points = 32;  // elements a thread
};

constexpr int most_bytes = 16384 * 8;  // of a transform

// function.template operator()<Plan>() for the call's length and tuning.
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
  cudaGetLastError();  // it must not be found by a later check
  return "more shared memory than this GPU gives a block";
}

const char* refuse(const Problem& problem, const Shape&) {
  const std::int64_t length = fft1d::length_of(problem);
  if (length < 4096 || length * 2 * static_cast<std::int64_t>(element_size(problem.type)) > most_bytes)
    return "a transform of less than 4096 elements or more than 128 KiB";
  return fft1d::batches_of(problem) > INT32_MAX / 2 ? "more transforms than blocks count" : nullptr;
}

}  // namespace

Variant fft1d_cuda_bulk() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description =
      "4096 elements to 128 KiB in a block's registers, while the next transform comes by a bulk copy";
  variant.tunables = tunables<Shape>({{"points", &Shape::points, Points::list()}});
  variant.constraint = by_name<refuse>;
  variant.unavailable = bulk::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  variant.workspace = fft1d::factor_bytes;
  variant.prepare = prepare;
  variant.release = [](void* state) { cudaFree(state); };
  return variant;
}

}  // namespace sextant
