// Search strategies: ask for a point, tell what came of it. Each is a pure function of space, prior, seed and what it
// was told, so that a search which is told again what it knew goes on as if nothing had been between.
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
  // A point that was not told before, or none when all were.
  virtual std::optional<std::size_t> next() = 0;
  virtual void learn(std::size_t point, const Evaluation& evaluation) = 0;
  // By how much the best time is expected to fall at the next point, as a share of it; infinite if not known.
  virtual double expected_gain() const { return std::numeric_limits<double>::infinity(); }
};

// model, local, genetic, random, exhaustive: the first is the default.
const std::vector<std::string>& strategy_names();

// Throws UserError, naming the nearest, if no strategy has this name.
void require_strategy(std::string_view name);

// `space` and `prior` must outlive the strategy; `prior` may be null and serves `model` alone. Throws as
// require_strategy.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space, const Prior* prior,
                                        std::uint64_t seed);

}  // namespace sextant::tuner
