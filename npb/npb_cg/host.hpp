// NAS CG on the host. Each thread computes a range of rows. A sum over all rows adds the threads' partial
// sums in thread order.
#pragma once

#include <array>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "matrix.hpp"
#include "suite/variant.hpp"
#include "toolbox/host/memory.hpp"
#include "toolbox/host/threads.hpp"

namespace sextant::npb_cg {
namespace {

// Returns the first row of a thread, so that all threads have about equally many nonzeros. offset(i) must
// return the offset of row i among the nonzeros.
template <typename Offset>
std::int64_t first_row_of(std::int64_t n, int thread, int threads, const Offset& offset) {
  const std::int64_t entry = offset(n) / threads * thread + offset(n) % threads * thread / threads;
  if (thread == threads) return n;
  std::int64_t low = 0, high = n;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (offset(middle) < entry)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct HostVectors {
  HostMemory<double> x, z, r, p, q;
  bool make(std::int64_t n) {
    for (HostMemory<double>* v : {&x, &z, &r, &p, &q})
      if (!(*v = allocate_host<double>(n))) return false;
    return true;
  }
};

// Partial sums of one thread, aligned to avoid false sharing. Consecutive sums alternate between two slots,
// so that a sum is not overwritten while other threads may still read it.
struct alignas(128) Parts {
  double sums[2][2];
  std::atomic<std::int64_t> rounds;  // number of sums that the thread has stored so far

  void post(std::int64_t round) { rounds.store(round, std::memory_order_release); }
  // Waits until the thread has stored `round` sums. The wait yields, because threads may share processor
  // cores.
  void wait(std::int64_t round) const {
    for (int looks = 0; rounds.load(std::memory_order_acquire) < round; ++looks)
      if (looks >= 1000) std::this_thread::yield();
  }
};

// True if each thread has its own copy of p. Then multiply(thread, from, beta, own p, q) first computes all
// of p = from + beta p. Otherwise all threads share one p, and multiply(first, last, p, q) computes rows
// first … last - 1 of q = A p.
template <typename Product>
concept MakesDirections = requires(Product product) {
  product.p;
};

template <typename Product>
struct HostState {
  Product product;
  HostVectors vectors;
  int threads = thread_count();
  std::unique_ptr<Parts[]> parts{new Parts[static_cast<std::size_t>(threads)]()};
};

// Computes elements begin … end - 1 of p = from + beta p.
inline void make_directions(const double* from, double beta, std::int64_t begin, std::int64_t end,
                            double* p) {
  if (beta == 0) {
    std::copy(from + begin, from + end, p + begin);
    return;
  }
#pragma omp simd
  for (std::int64_t i = begin; i < end; ++i) p[i] = from[i] + beta * p[i];
}

// The CG program as one thread runs it. Product must provide first_row(thread, threads) and multiply.
template <typename Product>
class Worker {
 public:
  Worker(const Call& call, HostState<Product>& state)
      : call_(call),
        product_(state.product),
        parts_(state.parts.get()),
        threads_(state.threads),
        thread_(thread_index()),
        first_(product_.first_row(thread_, threads_)),
        last_(product_.first_row(thread_ + 1, threads_)),
        x_(state.vectors.x.get()),
        z_(state.vectors.z.get()),
        r_(state.vectors.r.get()),
        p_(directions(state, thread_)),
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
      const std::array<double, 2> sums = add({xz, zz});
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

  static double* directions(HostState<Product>& state, int thread) {
    if constexpr (MakesDirections<Product>)
      return state.product.p[static_cast<std::size_t>(thread)].get();
    else
      return state.vectors.p.get();
  }

  std::array<double, 2> add(const std::array<double, 2>& mine) {
    const std::int64_t turn = ++round_ % 2;
    std::copy(mine.begin(), mine.end(), parts_[thread_].sums[turn]);
    if constexpr (MakesDirections<Product>) {
      parts_[thread_].post(round_);
    } else {
#pragma omp barrier
    }
    std::array<double, 2> sums = {};
    for (int t = 0; t < threads_; ++t) {
      if constexpr (MakesDirections<Product>) parts_[t].wait(round_);
      for (std::size_t s = 0; s < 2; ++s) sums[s] += parts_[t].sums[turn][s];
    }
    return sums;
  }

  // Computes p = from + beta p, then q = A p.
  void multiply(const double* from, double beta) {
    if constexpr (MakesDirections<Product>) {
      product_.multiply(thread_, from, beta, p_, q_);
    } else {
      make_directions(from, beta, first_, last_, p_);
#pragma omp barrier
      product_.multiply(first_, last_, p_, q_);
    }
  }

  // Solves A z = x approximately by conjugate gradients and returns the norm of x - A z.
  double solve() {
    double square = 0;
#pragma omp simd reduction(+ : square)
    for (std::int64_t i = first_; i < last_; ++i) {
      z_[i] = 0;
      r_[i] = x_[i];
      square += x_[i] * x_[i];
    }
    double rho = add({square, 0})[0], beta = 0;
    for (int inner = 0; inner < inner_iterations; ++inner) {
      multiply(r_, beta);
      double dot = 0;
#pragma omp simd reduction(+ : dot)
      for (std::int64_t i = first_; i < last_; ++i) dot += p_[i] * q_[i];
      const double alpha = rho / add({dot, 0})[0];
      square = 0;
#pragma omp simd reduction(+ : square)
      for (std::int64_t i = first_; i < last_; ++i) {
        z_[i] += alpha * p_[i];
        r_[i] -= alpha * q_[i];
        square += r_[i] * r_[i];
      }
      const double next = add({square, 0})[0];
      beta = next / rho;
      rho = next;
    }
    multiply(z_, 0);
    square = 0;
#pragma omp simd reduction(+ : square)
    for (std::int64_t i = first_; i < last_; ++i) square += (x_[i] - q_[i]) * (x_[i] - q_[i]);
    return std::sqrt(add({square, 0})[0]);
  }

  const Call& call_;
  const Product& product_;
  Parts* const parts_;
  const int threads_, thread_;
  const std::int64_t first_, last_;
  double *const x_, *const z_, *const r_, *const p_, *const q_;
  std::int64_t round_ = 0;
};

template <typename Product>
void launch_on_host(const Call& call) {
  auto& state = *static_cast<HostState<Product>*>(call.state);
  for (int t = 0; t < state.threads; ++t) state.parts[t].post(0);
#pragma omp parallel num_threads(state.threads)
  Worker<Product>(call, state).run();
}

template <typename Product>
const char* prepare_on_host(const Call& call, std::unique_ptr<HostState<Product>> made, void** state) {
  Matrix matrix;
  if (const char* why_not = make_matrix(call.problem, &matrix)) return why_not;
  if (const char* why_not = made->product.take(std::move(matrix))) return why_not;
  if (!made->vectors.make(call.problem.extents.x)) return "host memory ran out";
  *state = made.release();
  return nullptr;
}

template <typename Product>
Variant host_variant(const char* description) {
  Variant variant;
  variant.description = description;
  variant.launch = {.float64 = launch_on_host<Product>};
  variant.prepare = [](const Call& call, void** state) {
    return prepare_on_host(call, std::make_unique<HostState<Product>>(), state);
  };
  variant.release = [](void* state) { delete static_cast<HostState<Product>*>(state); };
  variant.workspace = [](const Problem& problem, const int*) {
    return most_entries(problem) * Product::entry_bytes + 8 * 6 * problem.extents.x;
  };
  return variant;
}

}  // namespace
}  // namespace sextant::npb_cg
