// A Gaussian process over a pool of candidate points with incremental updates. An observation adds one row to
// the Cholesky factor and updates the mean and variance of each candidate.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sextant::tuner {

struct Normal {
  float mean = 0, deviation = 0;
};

// Parameters of the Gaussian process. Its covariance is Matérn 3/2 of the features divided by `lengths`, plus
// `nugget` on the diagonal, times a fitted scale. Its mean is a constant plus slopes times basis functions.
// Each slope has the prior mean 1 / (number of bases) and the prior deviation `slope_deviation`.
struct Shape {
  std::vector<float> lengths;
  float nugget = 1e-3f;
  float slope_deviation = 0.5f;
};

class Surrogate {
 public:
  static constexpr std::size_t most_bases = 6;

  // Each candidate has `axes` features and `bases` values of basis functions.
  Surrogate(std::size_t axes, std::size_t bases) : axes_(axes), bases_(bases) {}

  // Adds `count` candidates. `features` and `bases` hold the values of one candidate after the other. Returns
  // the index of the first new candidate.
  std::size_t add(std::span<const float> features, std::span<const float> bases, std::size_t count);
  std::size_t candidates() const { return count_; }
  std::size_t observations() const { return observed_.size(); }

  // Adds an observation of a candidate. A failed candidate counts as the worst time observed so far.
  void observe(std::size_t candidate, float log_time);
  void observe_failed(std::size_t candidate);

  // Changes the parameters and recomputes everything.
  void reshape(const Shape& shape);
  const Shape& shape() const { return shape_; }
  // Log likelihood of the observations with these parameters, up to a constant, maximized over the scale.
  double log_likelihood(const Shape& shape) const;

  // Mean and standard deviation of each candidate's log time. The result is valid until the next call.
  std::span<const Normal> predict();
  double slope(std::size_t basis) const { return coefficients_[basis + 1]; }

 private:
  void add_row(std::size_t observation);
  void extend(std::size_t row, std::size_t from, std::size_t to);
  void solve_mean();

  std::size_t axes_, bases_, count_ = 0, capacity_ = 0;
  Shape shape_;
  // Values by axis or basis function, then by candidate. Each row has room for `capacity_` candidates.
  std::vector<float> features_, base_values_;
  std::vector<std::size_t> observed_;  // for each observation: the index of its candidate
  std::vector<float> times_;           // for each observation: its log time; 0 if it failed
  std::vector<char> failed_;
  float worst_ = 0;

  std::vector<std::vector<float>> factor_;  // rows of the Cholesky factor; the diagonal element comes last
  // For each observation: constant, bases, time and failure, whitened by the Cholesky factor.
  std::vector<std::array<float, most_bases + 3>> whitened_;
  std::vector<std::vector<float>> rows_;  // by observation, then by candidate: the whitened covariance
  std::vector<float> explained_;          // for each candidate: sum of the squares of its column in `rows_`
  // For each candidate: products of its column in `rows_` and each whitened column.
  std::array<std::vector<float>, most_bases + 3> sums_;
  std::array<double, most_bases + 1> coefficients_ = {};
  double scale_ = 0;
  std::vector<float> work_;
  std::vector<Normal> normals_;
};

}  // namespace sextant::tuner
