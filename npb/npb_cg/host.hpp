// The program on the host, its matrix in compressed rows. Each thread has rows of its own; a sum over all of them is made
// of the threads' parts in their order.
#pragma once

#include <array>
#include <cmath>

#if defined(_OPENMP)
  #include <omp.h>
#endif

#include "matrix.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"

namespace sextant::npb_cg {
namespace {

inline int thread_count() {
#if defined(_OPENMP)
  return omp_get_max_threads();
#else
  return 1;
#endif
}

inline int team_size() {
#if defined(_OPENMP)
  return omp_get_num_threads();
#else
  return 1;
#endif
}

inline int thread_index() {
#if defined(_OPENMP)
  return omp_get_thread_num();
#else
  return 0;
#endif
}

struct HostVectors {
  HostMemory<double> x, z, r, p, q;
  bool make(std::int64_t n) {
    for (HostMemory<double>* v : {&x, &z, &r, &p, &q})
      if (!(*v = allocate_host<double>(n))) return false;
    return true;
  }
};

// A thread's parts of sums, on a line of their own; what one sum reads is not written before the next but one.
struct alignas(128) Parts {
  double sums[2][3];
};

template <typename Product>
struct HostState {
  Product product;
  HostVectors vectors;
  HostMemory<Parts> parts;
};

// One thread's way through the program. Product: first_row(thread, threads), multiply(first, last, p, q).
template <typename Product>
class Worker {
 public:
  Worker(const Call& call, HostState<Product>& state)
      : call_(call),
        product_(state.product),
        parts_(state.parts.get()),
        threads_(team_size()),
        thread_(thread_index()),
        first_(product_.first_row(thread_, threads_)),
        last_(product_.first_row(thread_ + 1, threads_)),
        x_(state.vectors.x.get()),
        z_(state.vectors.z.get()),
        r_(state.vectors.r.get()),
        p_(state.vectors.p.get()),
        q_(state.vectors.q.get()) {}

  void run() {
    const bool all = with_vector(call_.problem);
    for (std::int64_t i = first_; i < last_; ++i) x_[i] = 1;
    for (std::int64_t it = 0; it < iterations(call_.problem); ++it) {
      phase("conj_grad");
      const double rnorm = solve();
      phase("norm");
      double xz = 0, zz = 0;
#pragma omp simd reduction(+ : xz, zz)
      for (std::int64_t i = first_; i < last_; ++i) xz += x_[i] * z_[i], zz += z_[i] * z_[i];
      const std::array<double, 3> sums = add({xz, zz, 0});
      const double scale = 1 / std::sqrt(sums[1]);
      for (std::int64_t i = first_; i < last_; ++i) x_[i] = scale * z_[i];
      if (thread_ != 0) continue;
      call_.array<double>(zetas)[all ? it : 0] = shift(call_.problem) + 1 / sums[0];
      call_.array<double>(residuals)[all ? it : 0] = rnorm;
    }
    phase("");
    if (all)
      for (std::int64_t i = first_; i < last_; ++i) call_.array<double>(eigenvector)[i] = x_[i];
  }

 private:
  void phase(const char* name) const {
    if (thread_ == 0) call_.phase(name);
  }

  std::array<double, 3> add(const std::array<double, 3>& mine) {
    turn_ ^= 1;
    std::copy(mine.begin(), mine.end(), parts_[thread_].sums[turn_]);
#pragma omp barrier
    std::array<double, 3> sums = {};
    for (int t = 0; t < threads_; ++t)
      for (std::size_t s = 0; s < 3; ++s) sums[s] += parts_[t].sums[turn_][s];
    return sums;
  }

  // Returns the norm of x - A z.
  double solve() {
    double square = 0;
#pragma omp simd reduction(+ : square)
    for (std::int64_t i = first_; i < last_; ++i) {
      z_[i] = 0;
      r_[i] = p_[i] = x_[i];
      square += x_[i] * x_[i];
    }
    double rho = add({square, 0, 0})[0];
    for (int inner = 0; inner < inner_iterations; ++inner) {
      product_.multiply(first_, last_, p_, q_);
      double dot = 0;
#pragma omp simd reduction(+ : dot)
      for (std::int64_t i = first_; i < last_; ++i) dot += p_[i] * q_[i];
      const double alpha = rho / add({dot, 0, 0})[0];
      square = 0;
#pragma omp simd reduction(+ : square)
      for (std::int64_t i = first_; i < last_; ++i) {
        z_[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
        square += r_[i] * r_[i];
      }
      const double next = add({square, 0, 0})[0], beta = next / rho;
      rho = next;
      for (std::int64_t i = first_; i < last_; ++i) p_[i] = r_[i] + beta * p_[i];
#pragma omp barrier
    }
    product_.multiply(first_, last_, z_, q_);
    square = 0;
#pragma omp simd reduction(+ : square)
    for (std::int64_t i = first_; i < last_; ++i) square += (x_[i] - q_[i]) * (x_[i] - q_[i]);
    return std::sqrt(add({square, 0, 0})[0]);
  }

  const Call& call_;
  const Product& product_;
  Parts* const parts_;
  const int threads_, thread_;
  const std::int64_t first_, last_;
  double *const x_, *const z_, *const r_, *const p_, *const q_;
  int turn_ = 0;
};

template <typename Product>
void launch_on_host(const Call& call) {
  auto& state = *static_cast<HostState<Product>*>(call.state);
#pragma omp parallel
  Worker<Product>(call, state).run();
}

template <typename Product>
const char* prepare_on_host(const Call& call, void** state) {
  auto made = std::make_unique<HostState<Product>>();
  Matrix matrix;
  if (const char* why_not = make_matrix(call.problem, &matrix)) return why_not;
  if (const char* why_not = made->product.take(std::move(matrix))) return why_not;
  made->parts = allocate_host<Parts>(thread_count());
  if (!made->vectors.make(call.problem.extents.x) || !made->parts) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

template <typename Product>
Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_on_host<Product>};
  variant.prepare = prepare_on_host<Product>;
  variant.release = [](void* state) { delete static_cast<HostState<Product>*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return most_entries(problem) * Product::entry_bytes + 8 * 6 * problem.extents.x;
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_cg
