// Three regions a step: a product with its dot product, z and r with the sum of r's squares, p. A worker is a warp and
// leaves its part of a sum; the last to arrive (an integer atomic says which) adds the parts, and scalars stay on the device.
#include <openacc.h>

#include "matrix.hpp"
#include "suite/choices.hpp"
#include "suite/tunables.hpp"
#include "suite/variant.hpp"
#include "toolbox/openacc/pack.hpp"

namespace sextant {
namespace {

using namespace npb_cg;

constexpr int lanes = 32;
using Workers = Choices<4, 8>;

struct Gangs {
  int num_gangs = 1056, num_workers = 8;
};

enum Scalar : int { dot, square, next_square, distance, x_z, z_z, scalar_count };

struct State {
  std::int64_t* row = nullptr;
  std::int32_t* column = nullptr;
  double *value = nullptr, *vectors = nullptr;  // x, z, r, p, q
  double *parts = nullptr, *scalars = nullptr;  // three parts a worker
  int* arrived = nullptr;                       // workers done; 0 between regions
};

// The part of a worker is there; the last one adds up all: to[s] = the sum of parts[s * count], ….
#define SEXTANT_FINISH(sums, to)                                                               \
  __sync_synchronize();                                                                        \
  int before;                                                                                  \
  _Pragma("acc atomic capture") before = (*arrived)++;                                         \
  if (before == count - 1) {                                                                   \
    for (int s = 0; s < (sums); ++s) {                                                         \
      double all = 0;                                                                          \
      _Pragma("acc loop vector reduction(+ : all)") for (int lane = 0; lane < lanes; ++lane) { \
        double mine = 0;                                                                       \
        for (int k = lane; k < count; k += lanes) mine += parts[s * count + k];                \
        all += mine;                                                                           \
      }                                                                                        \
      scalars[(to) + s] = all;                                                                 \
    }                                                                                          \
    *arrived = 0;                                                                              \
  }

// q = A p; the dot product of p and q if that is wanted.
template <int workers>
void multiply(int gangs, std::int64_t n, const std::int64_t* row, const std::int32_t* column,
              const double* value, const double* p, double* q, double* parts, double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(row, column, value, p, q, parts, scalars, arrived) num_gangs(gangs) \
    num_workers(workers) vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
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
      SEXTANT_FINISH(1, dot)
    }
  }
}

// x = 1, or x = z / |z|; then z = 0, r = p = x, and the sum of x's squares.
template <int workers>
void begin(int gangs, std::int64_t n, bool first, double* x, double* z, double* r, double* p, double* parts,
           double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(x, z, r, p, parts, scalars, arrived) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      const double scale = first ? 0 : 1 / __builtin_sqrt(scalars[z_z]);
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          const double one = first ? 1 : scale * z[i];
          x[i] = r[i] = p[i] = one;
          z[i] = 0;
          part += one * one;
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, square)
    }
  }
}

template <int workers>
void approach(int gangs, std::int64_t n, const double* p, const double* q, double* z, double* r,
              double* parts, double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(p, q, z, r, parts, scalars, arrived) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      const double alpha = scalars[square] / scalars[dot];
      double part = 0;
#pragma acc loop vector reduction(+ : part)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          const double left = r[i] - alpha * q[i];
          z[i] += alpha * p[i];
          r[i] = left;
          part += left * left;
        }
      parts[worker] = part;
      SEXTANT_FINISH(1, next_square)
    }
  }
}

// p = r + beta p; the last worker makes the new square the old one, when nobody reads it any more.
template <int workers>
void turn(int gangs, std::int64_t n, const double* r, double* p, double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(r, p, scalars, arrived) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      const double beta = scalars[next_square] / scalars[square];
#pragma acc loop vector
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes)
          p[i] = r[i] + beta * p[i];
      __sync_synchronize();
      int before;
#pragma acc atomic capture
      before = (*arrived)++;
      if (before == count - 1) {
        scalars[square] = scalars[next_square];
        *arrived = 0;
      }
    }
  }
}

template <int workers>
void end(int gangs, std::int64_t n, const double* x, const double* z, const double* q, double* parts,
         double* scalars, int* arrived) {
  const int count = gangs * workers;
#pragma acc parallel deviceptr(x, z, q, parts, scalars, arrived) num_gangs(gangs) num_workers(workers) \
    vector_length(lanes)
  {
#pragma acc loop gang(static : 1) worker
    for (int worker = 0; worker < count; ++worker) {
      double off = 0, xz = 0, zz = 0;
#pragma acc loop vector reduction(+ : off, xz, zz)
      for (int lane = 0; lane < lanes; ++lane)
        for (std::int64_t i = worker * lanes + lane; i < n; i += std::int64_t{count} * lanes) {
          off += (x[i] - q[i]) * (x[i] - q[i]);
          xz += x[i] * z[i];
          zz += z[i] * z[i];
        }
      parts[worker] = off;
      parts[count + worker] = xz;
      parts[2 * count + worker] = zz;
      SEXTANT_FINISH(3, distance)
    }
  }
}

#undef SEXTANT_FINISH

void hand_out(std::int64_t n, double shift, const double* z, const double* scalars, double* zeta,
              double* rnorm, double* last_x) {
#pragma acc parallel loop gang vector vector_length(128) deviceptr(z, scalars, zeta, rnorm, last_x)
  for (std::int64_t i = 0; i < n; ++i) {
    if (i == 0) {
      *zeta = shift + 1 / scalars[x_z];
      *rnorm = __builtin_sqrt(scalars[distance]);
    }
    if (last_x) last_x[i] = z[i] / __builtin_sqrt(scalars[z_z]);
  }
}

template <int workers>
void run(const Call& call) {
  const auto& s = *static_cast<const State*>(call.state);
  const Problem& problem = call.problem;
  const std::int64_t n = problem.extents.x, steps = iterations(problem);
  const int gangs = call.tuned<Gangs>().num_gangs;
  double *const x = s.vectors, *const z = x + n, *const r = z + n, *const p = r + n, *const q = p + n;
  const bool all = with_vector(problem);
  auto* zeta = static_cast<double*>(acc_deviceptr(call.arrays[zetas]));
  auto* rnorm = static_cast<double*>(acc_deviceptr(call.arrays[residuals]));
  for (std::int64_t it = 0; it < steps; ++it) {
    call.phase("conj_grad");
    begin<workers>(gangs, n, it == 0, x, z, r, p, s.parts, s.scalars, s.arrived);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      multiply<workers>(gangs, n, s.row, s.column, s.value, p, q, s.parts, s.scalars, s.arrived);
      approach<workers>(gangs, n, p, q, z, r, s.parts, s.scalars, s.arrived);
      if (inner < inner_iterations - 1) turn<workers>(gangs, n, r, p, s.scalars, s.arrived);
    }
    multiply<workers>(gangs, n, s.row, s.column, s.value, z, q, s.parts, s.scalars, s.arrived);
    call.phase("norm");
    end<workers>(gangs, n, x, z, q, s.parts, s.scalars, s.arrived);
    const bool last = it == steps - 1;
    if (all || last)
      hand_out(all && last ? n : 1, shift(problem), z, s.scalars, zeta + (all ? it : 0),
               rnorm + (all ? it : 0),
               all && last ? static_cast<double*>(acc_deviceptr(call.arrays[eigenvector])) : nullptr);
  }
  call.phase("");
}

void launch(const Call& call) {
  Workers::with(call.tuned<Gangs>().num_workers, [&]<int workers>() { run<workers>(call); });
}

template <typename T>
bool allocate_device(std::int64_t count, T** to) {
  *to = static_cast<T*>(acc_malloc(static_cast<std::size_t>(count) * sizeof(T)));
  return *to != nullptr;
}

template <typename T>
bool fill(const T* from, std::int64_t count, T** to) {
  if (!allocate_device(count, to)) return false;
  acc_memcpy_to_device(*to, const_cast<T*>(from), static_cast<std::size_t>(count) * sizeof(T));
  return true;
}

void release(void* state) {
  auto* mine = static_cast<State*>(state);
  for (void* memory :
       {static_cast<void*>(mine->row), static_cast<void*>(mine->column), static_cast<void*>(mine->value),
        static_cast<void*>(mine->vectors), static_cast<void*>(mine->parts), static_cast<void*>(mine->scalars),
        static_cast<void*>(mine->arrived)})
    if (memory) acc_free(memory);
  delete mine;
}

const char* make(const Call& call, State* state) {
  Matrix matrix;
  if (const char* why_not = make_matrix(call.problem, &matrix)) return why_not;
  const auto gangs = call.tuned<Gangs>();
  const double zeros[scalar_count] = {};
  const int none = 0;
  const std::vector<double> vectors(static_cast<std::size_t>(5 * matrix.n));
  return fill(matrix.row.get(), matrix.n + 1, &state->row) &&
                 fill(matrix.column.get(), matrix.entries(), &state->column) &&
                 fill(matrix.value.get(), matrix.entries(), &state->value) &&
                 fill(vectors.data(), 5 * matrix.n, &state->vectors) &&
                 allocate_device(3 * std::int64_t{gangs.num_gangs} * gangs.num_workers, &state->parts) &&
                 fill(zeros, scalar_count, &state->scalars) && fill(&none, 1, &state->arrived)
             ? nullptr
             : "device memory ran out";
}

const char* prepare(const Call& call, void** state) {
  auto* made = new State;
  if (const char* why_not = make(call, made)) {
    release(made);
    return why_not;
  }
  *state = made;
  return nullptr;
}

}  // namespace

Variant npb_cg_openacc_rows() {
  Variant variant;
  variant.home = Home::openacc;
  variant.description = "rows to workers of 32 lanes, three regions a step, scalars stay on the device";
  variant.tunables = tunables<Gangs>({{"num_gangs", &Gangs::num_gangs, {132, 264, 528, 1056, 2112}},
                                      {"num_workers", &Gangs::num_workers, Workers::list()}});
  variant.launch = {.float64 = launch};
  variant.prepare = prepare;
  variant.release = release;
  variant.workspace = [](const Problem& problem, const int*) {
    return most_entries(problem) * 12 + problem.extents.x * 48;
  };
  return variant;
}

}  // namespace sextant
