// Boosting by XGBoost, which is opened when it is first needed: only `sextant train` needs it. Builds that
// did not find it have absent/booster.cpp in its place.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace sextant::predict {

// Why nothing can be trained here: the build left it out, or the library cannot be opened. Empty if it can.
std::string why_no_training();

struct Samples {
  std::size_t features = 0;
  std::vector<float> x, y, weight;  // x: row after row; NaN is missing

  std::size_t size() const { return y.size(); }
};

struct BoostSettings {
  int depth = 4;
  float rate = 0.1f;  // by how much each tree is believed
  float base = 0;     // what it begins with
};

// Trees on the weighted squared error, one thread, no chance: the same samples give the same bytes.
class Booster {
 public:
  // Throws UserError if why_no_training has a reason, or with what the library says.
  Booster(const Samples& samples, const Samples& held_out, const BoostSettings& settings);
  ~Booster();
  Booster(const Booster&) = delete;
  Booster& operator=(const Booster&) = delete;

  void grow();                       // one tree more
  std::vector<float> on_held_out();  // what the trees so far say of the samples held out
  std::string json() const;          // the library's own model

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sextant::predict
