// architecture: 90a
//
// Floats on the matrix units without losing bits: each element of A and B is the sum of three bfloat16, and six (or nine)
// products of the parts are added (split.hpp has the error). A pass makes the parts and looks for elements that cannot be
// split so: infinities, NaN, magnitudes below 2^-110, sums that might come near the largest float. Where it finds one the
// product is `register_tile`'s instead, on the CUDA cores: what it finds is on the device, so that both are launched and
// one of them returns at once.
#include "split_tensor.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "warp_groups.cuh"

namespace sextant {
namespace {

using namespace matmul;

struct Split {
  int products = 6, tile_n = 192, band = 8;
};

template <typename Function>
void with_kernel(const Split& split, Function&& function) {
  const auto of = [&]<typename S>(S shape) {
    if (split.products == 6)
      function(shape, multiply_split<S, 6>);
    else
      function(shape, multiply_split<S, 9>);
  };
  if (split.tile_n == 192)
    of(SplitShape<192, 3>{});
  else
    of(SplitShape<128, 4>{});
}

std::int64_t pitch_of(std::int64_t n) { return (n + split_width - 1) / split_width * split_width; }
std::int64_t part_bytes(std::int64_t n) { return n * pitch_of(n) * 2; }

struct State {
  std::uint16_t* parts = nullptr;  // three of A, three of B
  Found* found = nullptr;
  CUtensorMap a, b;
};

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  cudaFree(mine->parts);
  cudaFree(mine->found);
  delete mine;
}

// Allows the product's shared memory and describes the parts to the copy engine; false: one of them is refused.
bool set_up(const Call& call, State& state) {
  const std::int64_t n = call.problem.extents.x;
  bool good = false;
  with_kernel(call.tuned<Split>(), [&]<typename S>(S, auto kernel) {
    const Matrices a{CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, state.parts, n, pitch_of(n), parts_of_float};
    Matrices b = a;
    b.first = state.parts + parts_of_float * n * pitch_of(n);
    good = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, S::shared_bytes) ==
               cudaSuccess &&
           describe(a, S::a_shape, &state.a) && describe(b, S::b_shape, &state.b);
  });
  for (const auto plain : {multiply_unsplit<4>, multiply_unsplit<1>})
    good = good && cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        PlainShape::shared_bytes) == cudaSuccess;
  return good;
}

const char* prepare(const Call& call, void** state) {
  auto* mine = new State;
  const auto bytes = static_cast<std::size_t>(2 * parts_of_float * part_bytes(call.problem.extents.x));
  const char* problem = nullptr;
  if (cudaMalloc(&mine->parts, bytes) != cudaSuccess ||
      cudaMalloc(&mine->found, sizeof(Found)) != cudaSuccess)
    problem = "no device memory for the parts of A and B";
  else if (!set_up(call, *mine))
    problem = "the driver refuses the tile's shared memory or its description for the copy engine";
  if (problem) {
    cudaGetLastError();  // a refusal must not be found by a later check
    release(mine);
    return problem;
  }
  *state = mine;
  return nullptr;
}

void launch(const Call& call) {
  auto* state = static_cast<State*>(call.state);
  const auto stream = static_cast<cudaStream_t>(call.stream);
  const std::int64_t n = call.problem.extents.x;
  const float *a = call.array<const float>(0), *b = call.array<const float>(1);
  float* c = call.array<float>(2);
  const Split split = call.tuned<Split>();
  const int processors = multiprocessors();
  cudaMemsetAsync(state->found, 0, sizeof(Found), stream);
  const dim3 pieces(static_cast<unsigned>(std::min<std::int64_t>(
                        8 * processors, (n * pitch_of(n) / split_width + split_threads - 1) / split_threads)),
                    2);
  split_matrices<<<pieces, split_threads, 0, stream>>>(n, pitch_of(n), a, b, state->parts, state->found);
  with_kernel(split, [&]<typename S>(S, auto kernel) {
    const SplitWork work{static_cast<int>(n), static_cast<int>((n + S::depth - 1) / S::depth),
                         tiles_of(n, S::tile_m, S::tile_n, split.band)};
    kernel<<<std::min(processors, work.tiles.count()), S::threads, S::shared_bytes, stream>>>(
        state->a, state->b, work, state->found, c);
  });
  const auto tiles = static_cast<unsigned>((n + PlainShape::block_m - 1) / PlainShape::block_m);
  const auto plain = n % 4 == 0 ? multiply_unsplit<4> : multiply_unsplit<1>;
  plain<<<dim3(tiles, tiles), PlainShape::threads, PlainShape::shared_bytes, stream>>>(n, a, b, c,
                                                                                       state->found);
}

// Larger tiles where there are enough of them.
void adapt(const Problem& problem, Split& split) { split.tile_n = problem.extents.x < 2500 ? 128 : 192; }

std::int64_t workspace(const Problem& problem, const Split&) {
  return 2 * parts_of_float * part_bytes(problem.extents.x) + static_cast<std::int64_t>(sizeof(Found));
}

}  // namespace

std::vector<Variant> matmul_cuda_split_tensor() {
  return {
      {.name = "split_tensor",
       .description =
           "floats as three bfloat16 each, six products of parts on the matrix units (wgmma), rounded as float",
       .memory_space = MemorySpace::cuda,
       .tunables = tunables<Split>({{"products", &Split::products, {6, 9}},
                                    {"tile_n", &Split::tile_n, {128, 192}},
                                    {"band", &Split::band, {4, 8, 16}}}),
       .launch = {.float32 = launch},
       .adapt = by_name<adapt>,
       .prepare = prepare,
       .release = release,
       .workspace = by_name<workspace>,
       .unavailable = matmul::warp_groups_unavailable}};
}

}  // namespace sextant
