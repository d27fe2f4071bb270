// What cases measured nearby say of a residual: the third term of a prediction.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "predict/option.hpp"

namespace sextant::predict {

// Where a residual (log of a time over what physics and trees say) was measured or is asked for.
struct Place {
  Option option = Option::serial;
  std::string kernel;  // equal: the same code
  std::vector<float>
      form;             // of the kernel, without sizes, each feature divided by its spread; NaN is not known
  double log_size = 0;  // natural logarithm of N
  std::string machine;  // equal: the same machine
  std::vector<float> profile;  // of the machine, likewise
  double work = 1;             // the share of the time that is work, the rest being launches
  double apart = 1;            // how far the options of its device go apart there: cores_apart, of a GPU 1
};

struct Remembered {
  Place place;
  double residual = 0;
  double noise = 0;  // standard deviation of the measured log time
};

// How residuals are related. Each factor of their correlation is 1 for the same and falls with the distance:
//   sizes      `lasting` of the option, what a kernel errs by at every size, and for the rest Matérn 3/2 of
//   the difference
//              of log sizes over `size_length`; for two options the geometric mean of each part
//   work       the cosine between the shares of work and launches: how far off work is says nothing of
//   launches options    1; `same_device` for two options both on the CPU or both on the GPU, the more the
//   less these go `apart`; else
//              `other_device`
//   kernels    1; for others `alike` × exp(-distance of forms / form_length)
//   machines   1; for others `machines_alike` × exp(-distance of profiles / profile_length)
// Distances are Euclidean over the features, a feature that one of the two lacks counting as 1 apart.
struct Relation {
  double size_length = 2.5, form_length = 2, profile_length = 2;
  double same_device = 0.5, other_device = 0.5, alike = 0.5, machines_alike = 0.8;
  std::array<double, option_count> lasting = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};  // by option
  double deviation = 0.7;  // of a residual of which nothing is remembered, in log time
};

// Of two places that differ in nothing but their sizes: Matérn 3/2, without what lasts.
double size_correlation(double log_size, double other, const Relation& relation);

// Of two places of which one's time is work for such a share, and the other's.
double work_correlation(double work, double other);

// How far the errors of two options of a CPU go apart, 1 being as far as those of a device ever do: what they
// take differs by a speed-up of which one knows that its log lies between that of 1 and that of the cores,
// whose variance is (log cores)² / 12, and errors that go together by s differ by a variance of 2 (1 - s)
// deviation².
double cores_apart(double cores);

double correlation(const Place& a, const Place& b, const Relation& relation);

struct Correction {
  double mean = 0;      // to be added to the log time
  double variance = 1;  // the share of the variance that is left
};

// The Gaussian process's answer for a place: its mean is 0 and its variance 1 where nothing near is
// remembered. Only the `most` cases that correlate most with the place are looked at. Throws
// std::invalid_argument for a residual that is not finite, a noise that is negative or not finite, or
// features of different numbers.
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
