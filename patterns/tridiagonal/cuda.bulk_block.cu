// As block, but bulk copies bring a system's coefficients to shared memory: the next one's are on their way as soon as the block's threads have
// taken theirs, so that memory is busy while systems are solved, with no more blocks than that takes. Two of the four arrays leave the
// second-level cache first, so that launches in a row find some of the others there.
#include "rows.cuh"
#include "suite/tunables.hpp"
#include "toolbox/cuda/attributes.cuh"
#include "toolbox/cuda/bulk_copy.cuh"

namespace sextant {
namespace {

using tridiagonal::Blocks, tridiagonal::RowCounts;

struct Shape {
  int block_size = 64, rows = 4;
  int resident = 8;  // blocks of a multiprocessor, at most
};

template <typename T>
constexpr std::int64_t bytes_of(std::int64_t length) {
  return 4 * length * static_cast<std::int64_t>(sizeof(T));
}

// Where a block's system lies, one array behind another. Copies write there: no `__restrict__`.
template <typename T>
struct Place {
  T *a, *b, *c, *d;
  std::uint64_t* come;
  int length;

  __device__ __forceinline__ Place(T* at, std::uint64_t* barrier, int unknowns)
      : a(at), b(a + unknowns), c(b + unknowns), d(c + unknowns), come(barrier), length(unknowns) {}

  // By one thread.
  __device__ __forceinline__ void bring(const tridiagonal::Arrays<T>& from, std::int64_t system) const {
    const int bytes = length * static_cast<int>(sizeof(T));
    const std::int64_t first = system * length;
    bulk::expect(come, 4 * bytes);
    bulk::copy(a, from.a + first, bytes, come);
    bulk::copy(b, from.b + first, bytes, come);
    bulk::copy_leaving_first(c, from.c + first, bytes, come);
    bulk::copy_leaving_first(d, from.d + first, bytes, come);
  }
};

template <int block, int K, typename T>
__global__ void __launch_bounds__(block)
    solve(std::int64_t systems, int length, tridiagonal::Arrays<T> arrays) {
  if constexpr (bulk::available) {
    constexpr int width = vector_length<T>;
    extern __shared__ __align__(128) unsigned char room[];
    __shared__ tridiagonal::Board<block, T> board;
    __shared__ std::uint64_t come;
    const Place<T> place(reinterpret_cast<T*>(room), &come, length);
    const int row = static_cast<int>(threadIdx.x) * K;
    if (threadIdx.x == 0) {
      bulk::start(&come, 1);
      bulk::barriers_started();
      place.bring(arrays, blockIdx.x);
    }
    __syncthreads();
    int parity = 0;
    for (std::int64_t system = blockIdx.x; system < systems; system += gridDim.x, parity ^= 1) {
      bulk::wait(&come, parity);
      const tridiagonal::Coefficients<K, width, T> given(place, row, length - row);
      tridiagonal::Rows<K, T> rows;
      rows.eliminate(given.a, given.b, given.c, given.d);
      __syncthreads();  // all have taken theirs, and the board is free
      if (threadIdx.x == 0 && system + gridDim.x < systems) place.bring(arrays, system + gridDim.x);
      T x[K];
      tridiagonal::solve_block(rows, board, x);
      tridiagonal::store_rows<K, width>(x, arrays.x + system * length + row, length - row);
    }
  }
}

template <typename T>
void launch(const Call& call) {
  const auto shape = call.tuned<Shape>();
  const std::int64_t length = tridiagonal::length_of(call.problem),
                     systems = tridiagonal::systems_of(call.problem);
  const auto bytes = static_cast<int>(bytes_of<T>(length));
  Blocks::with(shape.block_size, [&]<int block>() {
    RowCounts::with(shape.rows, [&]<int K>() {
      const auto kernel = solve<block, K, T>;
      int resident = 0;
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, block,
                                                    static_cast<std::size_t>(bytes));
      const std::int64_t blocks = std::int64_t{std::clamp(resident, 1, shape.resident)} * multiprocessors();
      kernel<<<static_cast<unsigned>(std::min(systems, blocks)), block, static_cast<std::size_t>(bytes),
               stream_of(call)>>>(systems, static_cast<int>(length), tridiagonal::Arrays<T>(call));
    });
  });
}

const char* refuse(const Problem& problem, const Shape& shape) {
  const std::int64_t length = tridiagonal::length_of(problem),
                     bytes = length * static_cast<std::int64_t>(element_size(problem.type));
  if (length > shape.rows * shape.block_size) return "more unknowns than a block keeps";
  if (bytes % 16 != 0) return "systems are no multiples of 16 bytes";
  return 4 * bytes > 192 << 10 ? "a system takes more shared memory than a block has" : nullptr;
}

}  // namespace

Variant tridiagonal_cuda_bulk_block() {
  Variant variant;
  variant.home = Home::cuda;
  variant.description = "as block, with systems that bulk copies bring ahead to blocks that stay (Hopper)";
  variant.tunables = tunables<Shape>({{"block_size", &Shape::block_size, Blocks::list()},
                                      {"rows", &Shape::rows, RowCounts::list()},
                                      {"resident", &Shape::resident, {4, 8, 12, 16}}});
  variant.adapt = by_name<tridiagonal::shape_block<Shape>>;
  variant.constraint = by_name<refuse>;
  variant.unavailable = bulk::unavailable;
  variant.launch = SEXTANT_FLOAT_DOUBLE(launch);
  return variant;
}

}  // namespace sextant
