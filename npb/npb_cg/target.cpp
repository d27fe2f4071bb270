
#include <cmath>

#include "matrix.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/target/teams.hpp"

// The CG program by OpenMP offload with one target region per loop. `Steps` provides the regions; sums are
// copied to the host.
namespace sextant::npb_cg {
namespace {

// State of the variants; all arrays are mapped to the device.
struct TargetState {
  Matrix matrix;
  HostMemory<double> vectors;  // x, z, r, p, q in this order
  HostMemory<double> parts;    // partial sums, one per team
};

inline constexpr std::int64_t parts_room = 8448;  // maximum number of teams that the tunables allow

// Steps must provide multiply(matrix, p, q), which computes q = A p; dot(n, a, b); add(n, a, factor, b, to),
// which computes to = a + factor * b; and set(n, value, to).
template <typename Steps>
class Program {
 public:
  Program(const Call& call, const Steps& steps)
      : call_(call),
        steps_(steps),
        state_(*static_cast<const TargetState*>(call.state)),
        n_(call.problem.extents.x),
        x_(state_.vectors.get()),
        z_(x_ + n_),
        r_(z_ + n_),
        p_(r_ + n_),
        q_(p_ + n_) {}

  void run() const {
    const bool all = with_vector(call_.problem);
    double* zeta = call_.array<double>(zetas);
    double* rnorm = call_.array<double>(residuals);
    const std::int64_t count = results(call_.problem);
    steps_.set(n_, 1, x_);
    for (std::int64_t it = 0; it < iterations(call_.problem); ++it) {
      call_.phase("conj_grad");
      rnorm[all ? it : 0] = solve();
      call_.phase("norm");
      zeta[all ? it : 0] = shift(call_.problem) + 1 / steps_.dot(n_, x_, z_);
      const double scale = 1 / std::sqrt(steps_.dot(n_, z_, z_));
      steps_.set(n_, 0, x_);
      steps_.add(n_, x_, scale, z_, x_);
    }
    call_.phase("");
#pragma omp target update to(zeta [0:count], rnorm [0:count])
    if (all) steps_.add(n_, x_, 0, x_, call_.array<double>(eigenvector));
  }

 private:
  // Solves A z = x approximately by conjugate gradients and returns the norm of x - A z.
  double solve() const {
    steps_.set(n_, 0, z_);
    steps_.add(n_, x_, 0, x_, r_);
    steps_.add(n_, x_, 0, x_, p_);
    double rho = steps_.dot(n_, r_, r_);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      steps_.multiply(state_.matrix, p_, q_);
      const double alpha = rho / steps_.dot(n_, p_, q_), before = rho;
      steps_.add(n_, z_, alpha, p_, z_);
      steps_.add(n_, r_, -alpha, q_, r_);
      rho = steps_.dot(n_, r_, r_);
      steps_.add(n_, r_, rho / before, p_, p_);
    }
    steps_.multiply(state_.matrix, z_, q_);
    steps_.add(n_, x_, -1, q_, r_);
    return std::sqrt(steps_.dot(n_, r_, r_));
  }

  const Call& call_;
  const Steps& steps_;
  const TargetState& state_;
  const std::int64_t n_;
  double *const x_, *const z_, *const r_, *const p_, *const q_;
};

inline const char* prepare_target(const Call& call, void** state) {
  auto made = std::make_unique<TargetState>();
  if (const char* why_not = make_matrix(call.problem, &made->matrix)) return why_not;
  const std::int64_t n = made->matrix.n, entries = made->matrix.entries();
  made->vectors = allocate_host<double>(5 * n);
  made->parts = allocate_host<double>(parts_room);
  if (!made->vectors || !made->parts) return "host memory ran out";
  [[maybe_unused]] std::int64_t* row = made->matrix.row.get();
  [[maybe_unused]] std::int32_t* column = made->matrix.column.get();
  [[maybe_unused]] double *value = made->matrix.value.get(), *vectors = made->vectors.get(),
                          *parts = made->parts.get();
#pragma omp target enter data map(to                                                      \
                                  : row [0:n + 1], column [0:entries], value [0:entries]) \
    map(alloc                                                                             \
        : vectors [0:5 * n], parts [0:parts_room])
  *state = made.release();
  return nullptr;
}

inline void release_target(void* state) {
  auto* mine = static_cast<TargetState*>(state);
  const std::int64_t n = mine->matrix.n, entries = mine->matrix.entries();
  [[maybe_unused]] std::int64_t* row = mine->matrix.row.get();
  [[maybe_unused]] std::int32_t* column = mine->matrix.column.get();
  [[maybe_unused]] double *value = mine->matrix.value.get(), *vectors = mine->vectors.get(),
                          *parts = mine->parts.get();
#pragma omp target exit data map(delete                                                                     \
                                 : row [0:n + 1], column [0:entries], value [0:entries], vectors [0:5 * n], \
                                   parts [0:parts_room])
  delete mine;
}

// Sets the members that all OpenMP offload variants of CG share.
inline Variant cg_variant(Variant variant) {
  variant.prepare = prepare_target;
  variant.release = release_target;
  variant.workspace = [](const Problem& problem, const int*) {
    return most_entries(problem) * 12 + problem.extents.x * 48 + 8 * parts_room;
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_cg

namespace sextant {
namespace {

using namespace npb_cg;

// The plain version: OpenMP chooses the numbers of teams and threads.
namespace parallel_for {

using npb_cg::Matrix;

void multiply_rows(std::int64_t n, std::int64_t entries, const std::int64_t* row, const std::int32_t* column,
                   const double* value, const double* p, double* q) {
#pragma omp target teams distribute parallel for map(to                                                      \
                                                     : row [0:n + 1], column [0:entries], value [0:entries], \
                                                       p [0:n]) map(from                                     \
                                                                    : q [0:n])
  for (std::int64_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::int64_t e = row[i]; e < row[i + 1]; ++e) sum += value[e] * p[column[e]];
    q[i] = sum;
  }
}

struct ParallelFor {
  void multiply(const Matrix& matrix, const double* p, double* q) const {
    multiply_rows(matrix.n, matrix.entries(), matrix.row.get(), matrix.column.get(), matrix.value.get(), p,
                  q);
  }
  double dot(std::int64_t n, const double* a, const double* b) const {
    double sum = 0;
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(tofrom : sum) \
    reduction(+ : sum)
    for (std::int64_t i = 0; i < n; ++i) sum += a[i] * b[i];
    return sum;
  }
  void add(std::int64_t n, const double* a, double factor, const double* b, double* to) const {
#pragma omp target teams distribute parallel for map(to : a [0:n], b [0:n]) map(from : to [0:n])
    for (std::int64_t i = 0; i < n; ++i) to[i] = a[i] + factor * b[i];
  }
  void set(std::int64_t n, double value, double* to) const {
#pragma omp target teams distribute parallel for map(from : to [0:n])
    for (std::int64_t i = 0; i < n; ++i) to[i] = value;
  }
};

Variant form() {
  Variant variant = npb_cg::cg_variant(target::mapped_variant(
      "the plain form: one thread per row; reduction clauses return sums to the host"));
  variant.launch = {.float64 = [](const Call& call) { npb_cg::Program(call, ParallelFor()).run(); }};
  return variant;
}

}  // namespace parallel_for

// Uses no `parallel` directive: each team is one thread. Its SIMD lanes share a row's nonzeros or a part of a
// vector.
namespace teams_simd {

void multiply_rows(int teams, std::int64_t n, std::int64_t entries, const std::int64_t* row,
                   const std::int32_t* column, const double* value, const double* p, double* q) {
#pragma omp target SEXTANT_ONE_WARP map(row [0:n + 1], column [0:entries], value [0:entries], p [0:n], \
                                        q [0:n])
#pragma omp teams distribute num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t begin = row[i], quarter = (row[i + 1] - begin) / 4, end = row[i + 1];
    double first = 0, second = 0;
#pragma omp SEXTANT_LANES reduction(+ : first, second)
    for (std::int64_t e = begin; e < begin + quarter; ++e) {
      first += value[e] * p[column[e]] + value[e + quarter] * p[column[e + quarter]];
      second += value[e + 2 * quarter] * p[column[e + 2 * quarter]] +
                value[e + 3 * quarter] * p[column[e + 3 * quarter]];
    }
#pragma omp SEXTANT_LANES reduction(+ : first)
    for (std::int64_t e = begin + 4 * quarter; e < end; ++e) first += value[e] * p[column[e]];
    q[i] = first + second;
  }
}

void dot_parts(int teams, std::int64_t n, const double* a, const double* b, double* parts) {
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], parts [0:teams])
#pragma omp teams distribute num_teams(teams)
  for (int team = 0; team < teams; ++team) {
    const std::int64_t begin = n * team / teams, end = n * (team + 1) / teams;
    double sum = 0;
#pragma omp SEXTANT_LANES reduction(+ : sum)
    for (std::int64_t i = begin; i < end; ++i) sum += a[i] * b[i];
    parts[team] = sum;
  }
}

void combine(int teams, std::int64_t n, const double* a, double factor, const double* b, double* to) {
#pragma omp target SEXTANT_ONE_WARP map(a [0:n], b [0:n], to [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) to[i] = a[i] + factor * b[i];
}

void set_to(int teams, std::int64_t n, double value, double* to) {
#pragma omp target SEXTANT_ONE_WARP map(to [0:n])
#pragma omp teams distribute SEXTANT_LANES num_teams(teams)
  for (std::int64_t i = 0; i < n; ++i) to[i] = value;
}

struct TeamsSimd {
  target::Warps shape;
  double* parts;  // partial sums of the teams, mapped to the device

  void multiply(const Matrix& matrix, const double* p, double* q) const {
    multiply_rows(target::teams_for(shape.teams, matrix.n, 1), matrix.n, matrix.entries(), matrix.row.get(),
                  matrix.column.get(), matrix.value.get(), p, q);
  }
  double dot(std::int64_t n, const double* a, const double* b) const {
    double* sums = parts;
    const int teams = target::teams_for(shape, n);
    dot_parts(teams, n, a, b, sums);
#pragma omp target update from(sums [0:teams])
    double sum = 0;
    for (int team = 0; team < teams; ++team) sum += sums[team];
    return sum;
  }
  void add(std::int64_t n, const double* a, double factor, const double* b, double* to) const {
    combine(target::teams_for(shape, n), n, a, factor, b, to);
  }
  void set(std::int64_t n, double value, double* to) const {
    set_to(target::teams_for(shape, n), n, value, to);
  }
};

void launch(const Call& call) {
  const TeamsSimd steps = {call.tuned<target::Warps>(),
                           static_cast<const TargetState*>(call.state)->parts.get()};
  Program(call, steps).run();
}

Variant form() {
  Variant variant = npb_cg::cg_variant(target::warps_variant(
      "one-thread teams, whose lanes share a row's nonzeros; the host adds the teams' sums"));
  variant.launch = {.float64 = launch};
  return variant;
}

}  // namespace teams_simd

}  // namespace

std::vector<Variant> npb_cg_target() {
  return {
      named("parallel_for", parallel_for::form()),
      named("teams_simd", teams_simd::form()),
  };
}

}  // namespace sextant
