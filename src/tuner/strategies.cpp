#include "tuner/strategies.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "base/nearest.hpp"
#include "tuner/random.hpp"

namespace sextant::tuner {
namespace {

// Draws random points without replacement, all with the same probability.
class Unseen {
 public:
  Unseen(std::size_t points, std::uint64_t seed) : random_(seed), order_(points), place_(points) {
    std::iota(order_.begin(), order_.end(), 0u);
    std::iota(place_.begin(), place_.end(), 0u);
  }

  bool taken(std::size_t point) const { return place_[point] < done_; }
  void take(std::size_t point) {
    if (taken(point)) return;
    const std::uint32_t other = order_[done_], place = place_[point];
    std::swap(order_[done_], order_[place]);
    place_[other] = place;
    place_[point] = static_cast<std::uint32_t>(done_++);
  }
  std::optional<std::size_t> draw() {
    if (done_ == order_.size()) return {};
    return order_[done_ + random_.below(order_.size() - done_)];
  }

 private:
  Random random_;
  // `order_`: all points, the taken ones first (`done_` of them); `place_`: position of a point in `order_`.
  std::vector<std::uint32_t> order_, place_;
  std::size_t done_ = 0;
};

class Exhaustive : public Strategy {
 public:
  explicit Exhaustive(const Space& space) : taken_(space.size(), 0) {}
  std::optional<std::size_t> next() override {
    while (at_ < taken_.size() && taken_[at_]) ++at_;
    return at_ < taken_.size() ? std::optional(at_) : std::nullopt;
  }
  void learn(std::size_t point, const Evaluation&) override { taken_[point] = 1; }
  std::unique_ptr<Strategy> clone() const override { return std::make_unique<Exhaustive>(*this); }

 private:
  std::vector<char> taken_;
  std::size_t at_ = 0;
};

class RandomSearch : public Strategy {
 public:
  RandomSearch(const Space& space, std::uint64_t seed) : unseen_(space.size(), seed) {}
  std::optional<std::size_t> next() override { return unseen_.draw(); }
  void learn(std::size_t point, const Evaluation&) override { unseen_.take(point); }
  std::unique_ptr<Strategy> clone() const override { return std::make_unique<RandomSearch>(*this); }

 private:
  Unseen unseen_;
};

constexpr double never = std::numeric_limits<double>::infinity();

class Local : public Strategy {
 public:
  Local(const Space& space, std::uint64_t seed)
      : space_(space), random_(seed), unseen_(space.size(), seed + 1), times_(space.size(), never) {}

  std::optional<std::size_t> next() override {
    if (!current_) jump_to(unseen_.draw());
    for (int jumps = 0; current_ && jumps < most_jumps; ++jumps) {
      if (!unseen_.taken(*current_)) return current_;
      if (const auto point = descend()) return point;
      jump();
    }
    return unseen_.draw();
  }

  void learn(std::size_t point, const Evaluation& evaluation) override {
    unseen_.take(point);
    times_[point] = evaluation.usable() ? evaluation.time : never;
    if (best_ && times_[*best_] <= times_[point]) return;
    best_ = point;
    jumps_in_vain_ = 0;
  }
  std::unique_ptr<Strategy> clone() const override { return std::make_unique<Local>(*this); }

 private:
  static constexpr int most_jumps = 50, most_in_vain = 5;

  // The next neighbour to try; nothing if the current point is a local minimum.
  std::optional<std::size_t> descend() {
    while (at_ < neighbours_.size()) {
      const std::size_t other = neighbours_[at_];
      if (!unseen_.taken(other)) return other;
      ++at_;
      if (times_[other] < times_[*current_]) jump_to(other);
    }
    return {};
  }

  void jump() {
    if (!best_ || ++jumps_in_vain_ > most_in_vain) {
      jumps_in_vain_ = 0;
      return jump_to(unseen_.draw());
    }
    std::size_t point = *best_;
    for (int move = 0; move < 2; ++move) {
      const std::vector<std::size_t> near = space_.neighbours(point);
      if (!near.empty()) point = near[random_.below(near.size())];
    }
    jump_to(point);
  }

  void jump_to(std::optional<std::size_t> point) {
    current_ = point;
    at_ = 0;
    neighbours_ = point ? space_.neighbours(*point) : std::vector<std::size_t>();
    for (std::size_t i = neighbours_.size(); i > 1; --i)
      std::swap(neighbours_[i - 1], neighbours_[random_.below(i)]);
  }

  const Space& space_;
  Random random_;
  Unseen unseen_;
  std::vector<double> times_;
  std::optional<std::size_t> current_, best_;
  std::vector<std::size_t> neighbours_;
  std::size_t at_ = 0;
  int jumps_in_vain_ = 0;
};

class Genetic : public Strategy {
 public:
  Genetic(const Space& space, std::uint64_t seed)
      : space_(space), random_(seed), unseen_(space.size(), seed + 1) {}

  std::optional<std::size_t> next() override {
    for (int attempt = 0; told_ >= parents && !population_.empty() && attempt < 50; ++attempt)
      if (const auto child = space_.find(cross()); child && !unseen_.taken(*child)) return child;
    return unseen_.draw();
  }

  void learn(std::size_t point, const Evaluation& evaluation) override {
    unseen_.take(point);
    ++told_;
    if (!evaluation.usable()) return;
    const std::pair<double, std::size_t> one(evaluation.time, point);
    population_.insert(std::upper_bound(population_.begin(), population_.end(), one), one);
    if (population_.size() > parents) population_.pop_back();
  }
  std::unique_ptr<Strategy> clone() const override { return std::make_unique<Genetic>(*this); }

 private:
  static constexpr std::size_t parents = 20;

  // Tournament selection: the better of two random points. The population is sorted, so the smaller index
  // wins.
  std::size_t parent() {
    return population_[std::min(random_.below(population_.size()), random_.below(population_.size()))].second;
  }

  std::vector<Choice> cross() {
    const std::span<const Choice> one = space_.choices(parent()), other = space_.choices(parent());
    std::vector<Choice> child;
    for (std::size_t a = 0; a < one.size(); ++a) {
      child.push_back(random_.below(2) ? one[a] : other[a]);
      if (random_.below(10) == 0)
        child[a] = static_cast<Choice>(random_.below(space_.axes()[a].texts.size()));
    }
    return child;
  }

  const Space& space_;
  Random random_;
  Unseen unseen_;
  std::vector<std::pair<double, std::size_t>> population_;  // times and points, the fastest first
  std::size_t told_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_exhaustive(const Space& space) { return std::make_unique<Exhaustive>(space); }
std::unique_ptr<Strategy> make_random(const Space& space, std::uint64_t seed) {
  return std::make_unique<RandomSearch>(space, seed);
}
std::unique_ptr<Strategy> make_local(const Space& space, std::uint64_t seed) {
  return std::make_unique<Local>(space, seed);
}
std::unique_ptr<Strategy> make_genetic(const Space& space, std::uint64_t seed) {
  return std::make_unique<Genetic>(space, seed);
}

std::vector<std::size_t> likely_after(const Strategy& strategy, std::size_t point, double best,
                                      std::size_t count) {
  const std::unique_ptr<Strategy> copy = strategy.clone();
  Evaluation worse;
  worse.time = 1.5 * best;
  std::vector<std::size_t> points;
  while (points.size() < count) {
    copy->learn(points.empty() ? point : points.back(), worse);
    const std::optional<std::size_t> next = copy->next();
    if (!next) break;
    points.push_back(*next);
  }
  return points;
}

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names = {"model", "local", "genetic", "random", "exhaustive"};
  return names;
}

void require_strategy(std::string_view name) {
  const std::vector<std::string>& names = strategy_names();
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  const std::string wrong(name);
  throw UserError("there is no strategy `" + wrong + "`." + did_you_mean(wrong, names) +
                  " Choose `model`, `local`, `genetic`, `random` or `exhaustive`.");
}

std::unique_ptr<Strategy> make_strategy(std::string_view name, const Space& space, const Prior* prior,
                                        std::uint64_t seed) {
  require_strategy(name);
  if (name == "local") return make_local(space, seed);
  if (name == "genetic") return make_genetic(space, seed);
  if (name == "random") return make_random(space, seed);
  if (name == "exhaustive") return make_exhaustive(space);
  return make_model(space, prior, seed);
}

}  // namespace sextant::tuner
