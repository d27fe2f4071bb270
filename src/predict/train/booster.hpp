// Trains boosted trees with XGBoost, which is opened at the first use. Builds without XGBoost compile
// absent/booster.cpp instead.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sextant::predict {

// The reason why training is unavailable: the build excludes XGBoost, or the library cannot be opened. Empty
// if training is available.
std::string why_no_training();

struct Samples {
  std::size_t features = 0;
  std::vector<float> x, y, weight;  // `x` holds the rows one after the other; NaN means missing

  std::size_t size() const { return y.size(); }
};

struct BoostSettings {
  int depth = 4;
  float rate = 0.1f;  // learning rate: weight of each tree
  float base = 0;     // prediction before the first tree
};

// Grows trees that minimize the weighted squared error. Uses one thread and no random numbers, so that equal
// samples give equal bytes.
class Booster {
 public:
  // Throws UserError with the reason of why_no_training or with the library's message.
  Booster(const Samples& samples, const Samples& held_out, const BoostSettings& settings);
  ~Booster();
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;

  void grow();                       // adds one tree
  std::vector<float> on_held_out();  // predictions of the current trees for the held-out samples
  std::string json() const;          // the model in XGBoost's JSON format

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sextant::predict
