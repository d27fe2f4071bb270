// Variant openacc.rows: matrix-vector product with one worker of 32 lanes per row. The worker also computes a
// partial dot product. Each step of the program takes three regions.
#define SEXTANT_ACC_STEPS acc_rows_steps
#include "openacc_steps.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"

namespace sextant {
namespace npb_cg {

struct AccRows {
  const std::int64_t* row;
  const std::int32_t* column;
  const double* value;
};
AccRows acc_rows;
#pragma acc declare create(acc_rows)

}  // namespace npb_cg
namespace {

using namespace npb_cg;

using Workers = Choices<4, 8>;

struct Gangs {
  int num_gangs = 1056, num_workers = 8;
};

struct State {
  Memory<std::int64_t> row;
  Memory<std::int32_t> column;
  Memory<double> value;
  Steps steps;
};

// Computes q = A v and the dot product of v and q; v is p or z.
template <int workers, bool of_z>
void multiply(int gangs) {
#pragma acc parallel num_gangs(gangs) num_workers(workers) vector_length(lanes) async(queue)
  {
    const int count = on_device().count;
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      SEXTANT_SUMS
      const std::int64_t* const row = acc_rows.row;
      const std::int32_t* const column = acc_rows.column;
      const double *const value = acc_rows.value, *const p = of_z ? on_device().z : on_device().p;
      double* const q = on_device().q;
      double part = 0;
      for (std::int64_t i = worker; i < n; i += count) {
        const std::int64_t begin = row[i], end = row[i + 1];
        double sum = 0;
#pragma acc loop vector reduction(+ : sum)
        for (int lane = 0; lane < lanes; ++lane) {
          double first = 0, second = 0, third = 0, fourth = 0;
          std::int64_t e = begin + lane;
          for (; e + 3 * lanes < end; e += 4 * lanes) {
            first += value[e] * p[column[e]];
            second += value[e + lanes] * p[column[e + lanes]];
            third += value[e + 2 * lanes] * p[column[e + 2 * lanes]];
            fourth += value[e + 3 * lanes] * p[column[e + 3 * lanes]];
          }
          for (; e < end; e += lanes) first += value[e] * p[column[e]];
          sum += (first + second) + (third + fourth);
        }
        q[i] = sum;
        part += sum * p[i];
      }
      parts[worker] = part;
      SEXTANT_FINISH(1, dot, )
    }
  }
}

#undef SEXTANT_FINISH
#undef SEXTANT_SUMS

void launch(const Call& call) {
  const auto& s = *static_cast<const State*>(call.state);
  const auto shape = call.tuned<Gangs>();
  acc_rows = {s.row.data, s.column.data, s.value.data};
  acc_update_device(&acc_rows, sizeof acc_rows);
  Workers::with(shape.num_workers, [&]<int workers>() {
    run_steps<workers, false>(call, s.steps, shape.num_gangs, [&](Of what) {
      const auto product = what == Of::z ? multiply<workers, true> : multiply<workers, false>;
      product(shape.num_gangs);
    });
  });
}

const char* prepare(const Call& call, void** state) {
  Matrix matrix;
  if (const char* why_not = make_matrix(call.problem, &matrix)) return why_not;
  const auto shape = call.tuned<Gangs>();
  auto made = std::make_unique<State>();
  if (!made->row.fill(matrix.row.get(), matrix.n + 1) ||
      !made->column.fill(matrix.column.get(), matrix.entries()) ||
      !made->value.fill(matrix.value.get(), matrix.entries()) ||
      !made->steps.make(matrix.n, shape.num_gangs * shape.num_workers))
    return "device memory ran out";
  *state = made.release();
  return nullptr;
}

}  // namespace

std::vector<Variant> npb_cg_openacc_rows() {
  return {
      {.name = "rows",
       .description = "one row per worker of 32 lanes; three regions per step; scalars stay on the device",
       .memory_space = MemorySpace::openacc,
       .tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {132, 264, 528, 1056, 2112}},
                                    {"num_workers", &Gangs::num_workers, Workers::list()}}),
       .launch = {.float64 = launch},
       .prepare = prepare,
       .release = [](void* state) { delete static_cast<State*>(state); },
       .workspace = [](const Problem& problem,
                       const int*) { return most_entries(problem) * 12 + problem.extents.x * 48; }}};
}

}  // namespace sextant
