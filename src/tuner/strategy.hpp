// Search strategies: ask for a point, tell what came of it. Each is a pure function of space, prior, seed and
// what it was told, so that a search which is told again what it knew goes on as if nothing had been between.
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
  // One that would go on as this one does.
  virtual std::unique_ptr<Strategy> clone() const = 0;
};

// Up to `count` points that `strategy` would ask for after `point`, its last, if all of them took one and a
// half times `best` seconds: right for strategies that do not learn, likely for the others. The strategy
// stays as it is.
std::vector<std::size_t> likely_after(const Strategy& strategy, std::size_t point, double best,
                                      std::size_t count);

// model, local, genetic, random, exhaustive: the first is the default.
const std::vector<std::string>& strategy_names();

// Throws UserError, naming the nearest, if no strategy has this name.
void require_strategy(std::string_view name);

// `space` and `prior` must outlive the strategy; `prior` may be null and serves `model` alone. Throws as
// require_strategy.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space, const Prior* prior,
                                        std::uint64_t seed);

}  // namespace sextant::tuner
