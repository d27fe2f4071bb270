// Interface of search strategies: ask for a point, then report its result. A strategy depends only on space,
// prior, seed and the reported results. Reporting stored results again therefore continues a search without
// any difference.
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
  // A point without a reported result; none if all points have one.
  virtual std::optional<std::size_t> next() = 0;
  virtual void learn(std::size_t point, const Evaluation& evaluation) = 0;
  // Expected decrease of the best time at the next point, as a fraction of it; infinite if unknown.
  virtual double expected_gain() const { return std::numeric_limits<double>::infinity(); }
  // A copy that continues in the same way.
  virtual std::unique_ptr<Strategy> clone() const = 0;
};

// Up to `count` points that `strategy` would request after `point`, its last one, if each of them took 1.5 ×
// `best` seconds. Exact for strategies that do not learn, likely for the others. The strategy stays
// unchanged.
std::vector<std::size_t> likely_after(const Strategy& strategy, std::size_t point, double best,
                                      std::size_t count);

// model, local, genetic, random, exhaustive: the first is the default.
const std::vector<std::string>& strategy_names();

// Throws UserError, naming the nearest, if no strategy has this name.
void require_strategy(std::string_view name);

// `space` and `prior` must outlive the strategy. `prior` may be null; only `model` uses it. Throws like
// require_strategy.
std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space, const Prior* prior,
                                        std::uint64_t seed);

}  // namespace sextant::tuner
