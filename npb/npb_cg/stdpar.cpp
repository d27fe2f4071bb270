#include "short_columns.hpp"
#include "toolbox/host/algorithms.hpp"

namespace sextant {
namespace {

using namespace npb_cg;
using State = HostState<ShortColumns>;

constexpr std::int64_t block = 1024;  // rows per iteration of the product's parallel loop

// The CG program of host.hpp with one parallel algorithm of the C++ standard library per loop.
class Program {
 public:
  Program(const Call& call, State& state)
      : call_(call),
        product_(state.product),
        n_(call.problem.extents.x),
        x_(state.vectors.x.get()),
        z_(state.vectors.z.get()),
        r_(state.vectors.r.get()),
        p_(state.vectors.p.get()),
        q_(state.vectors.q.get()) {}

  void run() const {
    const bool all = with_vector(call_.problem);
    std::fill(std::execution::par, x_, x_ + n_, 1.0);
    for (std::int64_t it = 0; it < iterations(call_.problem); ++it) {
      call_.phase("conj_grad");
      const double rnorm = solve();
      call_.phase("norm");
      call_.array<double>(zetas)[all ? it : 0] = shift(call_.problem) + 1 / dot(x_, z_);
      call_.array<double>(residuals)[all ? it : 0] = rnorm;
      const double scale = 1 / std::sqrt(dot(z_, z_));
      std::transform(std::execution::par, z_, z_ + n_, x_, [=](double z) { return scale * z; });
    }
    call_.phase("");
    if (all) std::copy(std::execution::par, x_, x_ + n_, call_.array<double>(eigenvector));
  }

 private:
  double dot(const double* a, const double* b) const {
    return std::transform_reduce(std::execution::par, a, a + n_, b, 0.0);
  }
  // Computes to = a + factor * b.
  void add(const double* a, double factor, const double* b, double* to) const {
    std::transform(std::execution::par, a, a + n_, b, to, [=](double u, double v) { return u + factor * v; });
  }
  void multiply(const double* p, double* q) const {
    std::for_each(std::execution::par, Counter(0), Counter((n_ + block - 1) / block),
                  [=, this](std::int64_t index) {
                    product_.multiply(index * block, std::min(n_, (index + 1) * block), p, q);
                  });
  }

  // Solves A z = x approximately by conjugate gradients and returns the norm of x - A z.
  double solve() const {
    std::fill(std::execution::par, z_, z_ + n_, 0.0);
    std::copy(std::execution::par, x_, x_ + n_, r_);
    std::copy(std::execution::par, x_, x_ + n_, p_);
    double rho = dot(r_, r_);
    for (int inner = 0; inner < inner_iterations; ++inner) {
      multiply(p_, q_);
      const double alpha = rho / dot(p_, q_), before = rho;
      add(z_, alpha, p_, z_);
      add(r_, -alpha, q_, r_);
      rho = dot(r_, r_);
      add(r_, rho / before, p_, p_);
    }
    multiply(z_, q_);
    add(x_, -1, q_, r_);
    return std::sqrt(dot(r_, r_));
  }

  const Call& call_;
  const ShortColumns& product_;
  const std::int64_t n_;
  double *const x_, *const z_, *const r_, *const p_, *const q_;
};

void launch(const Call& call) {
  on_algorithm_threads([&] { Program(call, *static_cast<State*>(call.state)).run(); });
}

}  // namespace

std::vector<Variant> npb_cg_stdpar() {
  Variant variant = host_variant<ShortColumns>(
      "one parallel algorithm per loop; for_each over blocks of rows; 16-bit columns");
  variant.name = "rows";
  variant.launch = {.float64 = launch};
  return {variant};
}

}  // namespace sextant
