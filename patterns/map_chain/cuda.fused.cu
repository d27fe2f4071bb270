// A thread has some vectors, one after another: the next is on its way while maps are applied to one.
#include "maps.cuh"

namespace sextant {
namespace {

using namespace map_chain;

struct Shape {
  int block_size = 256, maps_per_launch = 10000, vectors_per_thread = 1;
};

template <typename T>
__global__ void map_fused(std::int64_t n, std::int64_t first, std::int64_t count, const T* x, const T* from,
                          T* y) {
  constexpr int length = vector_length<T>;
  const std::int64_t whole = n / length, threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  std::int64_t v = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (v == 0 && whole * length < n) map_vector(n, whole, first, count, x, from, y);  // the elements behind
  if (v >= whole) return;
  Vector<T, length> a = load<length>(x + v * length), b = load<length>(from + v * length);
  for (;;) {
    const std::int64_t next = v + threads;
    Vector<T, length> next_a{}, next_b{};
    if (next < whole) next_a = load<length>(x + next * length), next_b = load<length>(from + next * length);
    apply_in_registers(first, count, a, b);
    *reinterpret_cast<Vector<T, length>*>(y + v * length) = b;
    if (next >= whole) break;
    v = next, a = next_a, b = next_b;
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t n = call.problem.extents.x, steps = steps_of(call.problem);
  const std::int64_t threads = (n / vector_length<T> + shape.vectors_per_thread) / shape.vectors_per_thread;
  const T* x = call.array<const T>(0);
  T* y = call.array<T>(2);
  for (std::int64_t t = 0; t < steps; t += shape.maps_per_launch)
    map_fused<T><<<blocks_for(threads, shape.block_size), shape.block_size, 0, stream_of(call)>>>(
        n, t, std::min<std::int64_t>(shape.maps_per_launch, steps - t), x,
        t == 0 ? call.array<const T>(1) : y, y);
}

// Several vectors where there is more than one for each thread that has room.
void adapt(const Problem& problem, Shape& shape) {
  const std::int64_t vectors = problem.extents.x / (problem.type == ElementType::float64 ? 2 : 4);
  shape.vectors_per_thread = vectors > std::int64_t{132} * 2048 * 8 ? 8 : 1;
}

}  // namespace

Variant map_chain_cuda_fused() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "many maps a launch on 16 bytes in registers, while the next are on their way";
  variant.tunables =
      tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                       {"maps_per_launch", &Shape::maps_per_launch, {2, 10, 50, 10000}},
                       {"vectors_per_thread", &Shape::vectors_per_thread, {1, 2, 4, 8, 16, 32}}});
  variant.adapt = by_name<adapt>;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
