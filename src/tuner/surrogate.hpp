// A Gaussian process on log time over a pool of candidates, updated in place. An observation adds one row to
// the Cholesky factor and one entry to each candidate's column, and updates means and variances. No system of
// equations is solved again.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace sextant::tuner {

struct Normal {
  float mean = 0, deviation = 0;
};

// Covariance: Matérn 3/2 of the distance over features divided by `lengths`, plus `nugget` on the diagonal,
// times a scale from the data. Mean: a constant plus slopes times the bases, by generalized least squares.
// The slopes have the prior N(1 / bases, slope_deviation^2).
struct Shape {
  std::vector<float> lengths;
  float nugget = 1e-3f;
  float slope_deviation = 0.5f;
};

class Surrogate {
 public:
  static constexpr std::size_t most_bases = 6;

  // `axes` features and `bases` values per candidate.
  Surrogate(std::size_t axes, std::size_t bases) : axes_(axes), bases_(bases) {}

  // Adds `count` candidates, with `axes` features and `bases` values each. Returns the index of the first
  // one.
  std::size_t add(std::span<const float> features, std::span<const float> bases, std::size_t count);
  std::size_t candidates() const { return count_; }
  std::size_t observations() const { return observed_.size(); }

  // Adds an observation: the log time at a candidate. A failed candidate counts as the worst time, which
  // later observations may raise.
  void observe(std::size_t candidate, float log_time);
  void observe_failed(std::size_t candidate);

  // Changes the shape and computes everything again.
  void reshape(const Shape& shape);
  const Shape& shape() const { return shape_; }
  // Log likelihood of the observations under a shape, up to a constant. The scale is maximized out.
  // Candidates have no effect.
  double log_likelihood(const Shape& shape) const;

  // Mean and standard deviation at all candidates; valid until the next call.
  std::span<const Normal> predict();
  double slope(std::size_t basis) const { return coefficients_[basis + 1]; }

 private:
  struct Columns;  // whitened columns: constant, bases, times, failures

  void add_row(std::size_t observation);
  void extend(std::size_t row, std::size_t from, std::size_t to);
  void solve_mean();

  std::size_t axes_, bases_, count_ = 0, capacity_ = 0;
  Shape shape_;
  std::vector<float> features_, base_values_;  // [axis or basis][capacity]
  std::vector<std::size_t> observed_;          // candidate of each observation
  std::vector<float> times_;                   // its log time; 0 if it failed
  std::vector<char> failed_;
  float worst_ = 0;

  std::vector<std::vector<float>> factor_;                   // Cholesky rows, diagonal last
  std::vector<std::array<float, most_bases + 3>> whitened_;  // by observation: constant, bases, time, failure
  std::vector<std::vector<float>> rows_;                     // [observation][capacity]
  std::vector<float> explained_;                             // [capacity]: sum of squares of the column
  std::array<std::vector<float>, most_bases + 3> sums_;      // [capacity]: column times whitened column
  std::array<double, most_bases + 1> coefficients_ = {};
  double scale_ = 0;
  std::vector<float> work_;
  std::vector<Normal> normals_;
};

}  // namespace sextant::tuner
