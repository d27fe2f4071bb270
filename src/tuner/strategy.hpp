// The interface of search strategies: ask for a point, then report its result. A strategy depends only on the
// space, prior, seed and reported results. Reporting the results of a stored search again therefore continues
// it exactly.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/evaluation.hpp"
#include "tuner/prior.hpp"
#include "tuner/space.hpp"

namespace sextant::tuner {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // The next point to evaluate, which has no reported result yet; nothing if all points have one.
  virtual std::optional<std::size_t> next() = 0;
  virtual void learn(std::size_t point, const Evaluation& evaluation) = 0;
  // Expected decrease of the best time by the next point, as a fraction; infinite if unknown.
  virtual double expected_gain() const { return std::numeric_limits<double>::infinity(); }
  // A copy that makes the same choices as this strategy.
  virtual std::unique_ptr<Strategy> clone() const = 0;
};

// Returns up to `count` points that the strategy will probably choose after `point`, its last choice. Assumes
// that each point takes 1.5 × `best` seconds. Does not change `strategy`.
std::vector<std::size_t> likely_after(const Strategy& strategy, std::size_t point, double best,
                                      std::size_t count);

// The names model, local, genetic, random and exhaustive. The first one is the default.
const std::vector<std::string>& strategy_names();

// Throws UserError if no strategy has this name. The message suggests the most similar name.
void require_strategy(std::string_view name);

// Creates a strategy. `space` and `prior` must outlive it. `prior` may be null; only the strategy `model`
// uses it. Throws UserError if no strategy has this name.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space, const Prior* prior,
                                        std::uint64_t seed);

}  // namespace sextant::tuner
