// History correction, the third term of a prediction: estimates a residual from cases measured nearby.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// Identifies where a residual was measured or is requested. A residual is the log of measured time over the
// time predicted by the analytic model and the trees.
struct Place {
  Option option = Option::serial;
  std::string kernel;  // equal names: the same code
  // Features of the kernel without sizes, each divided by its spread. NaN: unknown.
  std::vector<float> form;
  double log_size = 0;         // natural logarithm of N
  std::string machine;         // equal names: the same machine
  std::vector<float> profile;  // features of the machine, scaled in the same way
  double work = 1;             // share of the time that is work; the rest is launches
  double apart = 1;            // independence of the errors of this device's options: cores_apart, 1 on a GPU
};

struct Remembered {
  Place place;
  double residual = 0;
  double noise = 0;  // standard deviation of the measured log time
};

// Correlation of residuals. It is the product of these factors, each of which is 1 for equal coordinates:
// - sizes: `lasting` + (1 - `lasting`) × Matérn 3/2 of the log size difference over `size_length`. `lasting`
//   is the part of an error that is equal at all sizes. Two options use the geometric mean of each part.
// - work: cosine between the vectors (work share, launch share), because an error of the work says nothing
//   about launches.
// - options: `same_device` for two options both on the CPU or both on the GPU, more if `apart` is low;
//   otherwise `other_device`.
// - kernels: for different kernels `alike` × exp(-distance of forms / form_length).
// - machines: for different machines `machines_alike` × exp(-distance of profiles / profile_length).
// Distances are Euclidean over the features. A feature that only one of the two has counts as a distance of
// 1.
struct Relation {
  double size_length = 2.5, form_length = 2, profile_length = 2;
  double same_device = 0.5, other_device = 0.5, alike = 0.5, machines_alike = 0.8;
  std::array<double, option_count> lasting = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};  // by option
  double deviation = 0.7;  // standard deviation of a residual without related cases, in log time
};

// Correlation of two cases that differ only in size: Matérn 3/2, without the part that is equal at all sizes.
double size_correlation(double log_size, double other, const Relation& relation);

// Correlation of two cases by the work share of their times.
double work_correlation(double work, double other);

// Independence of the errors of two CPU options, from 0 to 1. Their times differ by a speedup between 1 and
// `cores`, so that the log of the speedup has a variance of (log cores)² / 12. Errors with correlation s
// differ by a variance of 2 (1 - s) deviation². Equating the two gives the result 1 - s.
double cores_apart(double cores);

double correlation(const Place& a, const Place& b, const Relation& relation);

struct Correction {
  double mean = 0;      // added to the log time
  double variance = 1;  // share of the variance that remains
};

// Gaussian process over measured cases. Without related cases, the correction has mean 0 and variance 1. It
// uses only the `most` cases that correlate most with the place. Throws std::invalid_argument for a residual
// that is not finite, a noise that is negative or not finite, or feature lists of different lengths.
class Memory {
 public:
  static constexpr std::size_t most_cases = 64;

  explicit Memory(std::vector<Remembered> cases, const Relation& relation = {},
                  std::size_t most = most_cases);
  Correction at(const Place& place) const;
  std::size_t size() const { return cases_.size(); }

 private:
  std::vector<Remembered> cases_;
  Relation relation_;
  std::size_t most_;
};

}  // namespace sextant::predict
