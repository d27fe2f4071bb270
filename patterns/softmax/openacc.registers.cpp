// Each worker, which is one warp, processes one row of at most 1024 floats and reads each element once. Lanes
// keep the row in registers and exchange maxima and sums through gang-private memory. The pragma lets GCC use
// the GPU's inexact exponential instruction. Without associative math, sums keep their order.
#pragma GCC optimize("unsafe-math-optimizations", "no-associative-math", "no-reciprocal-math")
#include "loop.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "toolbox/openacc/gang_memory.hpp"

namespace sextant {
namespace {

using Workers = Choices<4, 8>;
constexpr int lanes_of_row = 32, elements_of_lane = 32, most_columns = lanes_of_row * elements_of_lane;

struct Rows {
  int num_workers = 4;
};

// Computes e^x for x <= 0.
SEXTANT_INLINE float power_of(float x) { return __builtin_exp2f(x * 1.442695040888963407f); }

// A row of floats that one warp processes. `numbers` holds two buffers of 32 values, one value per lane.
struct RowOfWarp {
  const float* x;
  float *y, *numbers;
  int columns;
};

template <int width>
struct LaneOfRow {
  static constexpr int steps = 3, count = elements_of_lane / width;

  RowOfWarp row;
  int lane, packs;
  float x[count][width];

  SEXTANT_INLINE void begin(const RowOfWarp& of_warp, int warp_lane) {
    row = of_warp, lane = warp_lane, packs = row.columns / width;
  }

  template <int step>
  SEXTANT_INLINE void take(int) {
    if constexpr (step == 0)
      bring();
    else if constexpr (step == 1)
      turn_to_powers();
    else
      write();
  }

  SEXTANT_INLINE bool has(int i) const { return i * lanes_of_row + lane < packs; }

  SEXTANT_INLINE void bring() {
    float most = row.x[0];
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
      if (has(i))
        openacc::load<width>(row.x + (i * lanes_of_row + lane) * width, x[i]);
      else
        for (int k = 0; k < width; ++k) x[i][k] = most;
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) most = x[i][k] > most ? x[i][k] : most;
    row.numbers[lane] = most;
  }

  SEXTANT_INLINE void turn_to_powers() {
    float all[lanes_of_row], most[4], sum = 0;
    take_numbers(row.numbers, all);
#pragma GCC unroll 4
    for (int e = 0; e < 4; ++e) most[e] = all[e];
#pragma GCC unroll 32
    for (int e = 4; e < lanes_of_row; ++e) most[e % 4] = all[e] > most[e % 4] ? all[e] : most[e % 4];
#pragma GCC unroll 4
    for (int e = 1; e < 4; ++e) most[0] = most[e] > most[0] ? most[e] : most[0];
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
#pragma GCC unroll 4
      for (int k = 0; k < width; ++k) {
        x[i][k] = power_of(x[i][k] - most[0]);
        sum += has(i) ? x[i][k] : 0.0f;
      }
    row.numbers[lanes_of_row + lane] = sum;
  }

  SEXTANT_INLINE void write() {
    float all[lanes_of_row], sums[4] = {};
    take_numbers(row.numbers + lanes_of_row, all);
#pragma GCC unroll 32
    for (int e = 0; e < lanes_of_row; ++e) sums[e % 4] += all[e];
    const float factor = 1 / ((sums[0] + sums[1]) + (sums[2] + sums[3]));
#pragma GCC unroll 32
    for (int i = 0; i < count; ++i)
      if (has(i)) {
#pragma GCC unroll 4
        for (int k = 0; k < width; ++k) x[i][k] *= factor;
        openacc::store<width>(row.y + (i * lanes_of_row + lane) * width, x[i]);
      }
  }

  static SEXTANT_INLINE void take_numbers(const float* from, float* all) {
#pragma GCC unroll 16
    for (int e = 0; e < lanes_of_row; e += openacc::pack_width<float>)
      openacc::load_of_gang(from + e, all + e);
  }
};

template <int workers, int width>
void weigh(std::int64_t rows, int columns, const float* x, float* y) {
  const std::int64_t count = rows * columns, groups = (rows + workers - 1) / workers;
  const int gangs = openacc::gangs_for(rows, workers);
#pragma acc parallel present(x [0:count], y [0:count]) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes_of_row)
  {
#pragma acc loop gang(static : 1)
    for (std::int64_t group = 0; group < groups; ++group) {
      SEXTANT_GANG_ARRAY(float, numbers_of_gang, 2 * lanes_of_row * workers);
#pragma acc loop worker
      for (int worker = 0; worker < workers; ++worker) {
        const std::int64_t r = group * workers + worker;
        if (r < rows) {
#pragma acc loop vector
          for (int lane = 0; lane < lanes_of_row; ++lane) {
            SEXTANT_GANG_POINTER(float, numbers, numbers_of_gang);
            using Lane = LaneOfRow<width>;
            openacc::go_together<Lane, Lane::steps>(
                lane,
                RowOfWarp{x + r * columns, y + r * columns, numbers + 2 * lanes_of_row * worker, columns});
          }
        }
      }
    }
  }
}

void launch(const Call& call) {
  const std::int64_t rows = softmax::rows_of(call.problem);
  const auto columns = static_cast<int>(softmax::columns_of(call.problem));
  constexpr int width = openacc::pack_width<float>;
  Workers::with(call.tuned<Rows>().num_workers, [&]<int workers>() {
    if (columns % width == 0)
      weigh<workers, width>(rows, columns, call.array<const float>(0), call.array<float>(1));
    else
      weigh<workers, 1>(rows, columns, call.array<const float>(0), call.array<float>(1));
  });
}

const char* refuse(const Problem& problem, const Rows&) {
  return softmax::columns_of(problem) > most_columns ? "rows of more than 1024 elements" : nullptr;
}

}  // namespace

std::vector<Variant> softmax_openacc_registers() {
  return {{.name = "registers",
           .description =
               "one row of at most 1024 floats per warp, in registers, read once; each exponential "
               "computed once",
           .memory_space = MemorySpace::openacc,
           .tunables = tunables<Rows>({{"num_workers", &Rows::num_workers, Workers::list()}}),
           .launch = {.float32 = launch},
           .constraint = by_name<refuse>,
           .for_large_arrays = true}};
}

}  // namespace sextant
