// The default strategy: Bayesian optimization with a Gaussian process over a pool of candidate points. It
// models a rate instead of the time, because the times of bad points vary widely. It minimizes y = (1 - (t0 /
// t)^power) / power, where t is a point's time and t0 is the first measured time.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "tuner/fast_math.hpp"
#include "tuner/random.hpp"
#include "tuner/strategies.hpp"
#include "tuner/surrogate.hpp"

namespace sextant::tuner {
namespace {

constexpr double power = 1.5;
constexpr std::size_t pool_size = 512;
// Number of points, far from one another, that start a search without a prior.
constexpr std::size_t start_points = 8;
constexpr std::size_t start_draws = 30;  // number of random points among which the farthest one is chosen
// Number of the prior's best points that start a search with a prior.
constexpr std::size_t start_with_prior = 2;
constexpr std::size_t pool_by_prior = 20;  // number of the prior's best points in the candidate pool
constexpr std::size_t tops = 3;            // number of best points whose neighbours are tried in turn
constexpr float first_length = 1.2f;
// With this number of observations, the process is rebuilt from the best and the latest ones.
constexpr std::size_t most_observed = 400;
constexpr std::size_t kept_best = 100, kept_latest = 100;
// Numbers of observations after which the length scales are fitted again.
constexpr std::size_t refits[] = {6, 12, 24, 36, 48, 72, 96};

class Model : public Strategy {
 public:
  Model(const Space& space, const Prior* prior, std::uint64_t seed)
      : space_(space),
        prior_(prior && !prior->empty() ? prior : nullptr),
        random_(seed),
        seen_(space.size(), 0),
        bases_(prior_ ? std::min(prior_->sources.size(), Surrogate::most_bases) : 0),
        surrogate_(features(), bases_) {
    if (prior_) average_prior();
    shape_.lengths.assign(features(), first_length);
    rebuild();
  }

  std::optional<std::size_t> next() override {
    if (told_ == space_.size()) return {};
    if (prior_ && told_ < start_with_prior) return best_of_prior();
    if (tops_.empty() || told_ < (prior_ ? start_with_prior : start_points)) return far_point();
    predicted_ = surrogate_.predict();
    if (told_ % 2 == 1)
      for (std::size_t i = 0; i < tops_.size(); ++i)
        if (const auto point = best_among(space_.neighbours(tops_[turn_++ % tops_.size()].second)))
          return point;
    if (const auto point = best_among(pool_)) return point;
    return any_unseen();
  }

  void learn(std::size_t point, const Evaluation& evaluation) override {
    if (seen_[point]) return;
    seen_[point] = 1;
    ++told_;
    add({point});
    if (first_time_ == 0 && evaluation.usable()) first_time_ = evaluation.time;
    history_.push_back({point, evaluation.usable(), value_of(evaluation)});
    observe(history_.back());
    if (evaluation.usable()) rank(history_.back());
    if (surrogate_.observations() >= most_observed) rebuild();
    if (std::find(std::begin(refits), std::end(refits), told_) != std::end(refits)) refit();
  }

  double expected_gain() const override { return gain_; }
  std::unique_ptr<Strategy> clone() const override { return std::make_unique<Model>(*this); }

 private:
  struct Seen {
    std::size_t point;
    bool usable;
    float value;
  };

  // Number of features per point: one per tunable and, with a prior, the mean time in its sources. Points
  // with similar times in the sources thus count as similar.
  std::size_t features() const { return space_.axes().size() + (prior_ ? 1 : 0); }

  float value_of(const Evaluation& evaluation) const {
    if (!evaluation.usable()) return 0;
    return static_cast<float>((1 - std::pow(first_time_ / evaluation.time, power)) / power);
  }

  // Converts log(time / best time) of a source to the scale of y.
  static float value_of(float log_ratio) {
    return (1 - std::exp(-static_cast<float>(power) * log_ratio)) / static_cast<float>(power);
  }

  void average_prior() {
    prior_mean_.assign(space_.size(), 0.0f);
    for (const std::vector<float>& source : prior_->sources)
      for (std::size_t point = 0; point < source.size(); ++point)
        prior_mean_[point] += source[point] / static_cast<float>(prior_->sources.size());
  }

  // Value of basis function `b` of the process's mean: the average over every `bases_`-th source of the
  // prior, starting at source `b`.
  float basis(std::size_t b, std::size_t point) const {
    float sum = 0, count = 0;
    for (std::size_t i = b; i < prior_->sources.size(); i += bases_)
      sum += value_of(prior_->sources[i][point]), ++count;
    return sum / count;
  }

  // Starts a new process and a new candidate pool from all observations or, if there are too many, from the
  // best and the latest ones.
  void rebuild() {
    surrogate_ = Surrogate(features(), bases_);
    surrogate_.reshape(shape_);
    pool_.clear();
    slots_.assign(space_.size(), -1);
    std::vector<std::size_t> drawn;
    if (space_.size() <= pool_size) {
      drawn.resize(space_.size());
      std::iota(drawn.begin(), drawn.end(), std::size_t{0});
    } else {
      if (prior_) drawn = first_of_prior();
      while (drawn.size() < pool_size) drawn.push_back(random_.below(space_.size()));
    }
    add(drawn);
    for (const auto& [value, point] : tops_) add(space_.neighbours(point));
    std::vector<Seen> kept = history_;
    if (kept.size() >= most_observed) {
      std::vector<Seen> latest(kept.end() - kept_latest, kept.end());
      kept.resize(kept.size() - kept_latest);
      std::stable_sort(kept.begin(), kept.end(), [](const Seen& a, const Seen& b) {
        return std::pair(!a.usable, a.value) < std::pair(!b.usable, b.value);
      });
      kept.resize(kept_best);
      kept.insert(kept.end(), latest.begin(), latest.end());
      history_ = kept;
    }
    for (const Seen& one : kept) add({one.point});
    for (const Seen& one : kept) observe(one);
  }

  void observe(const Seen& one) {
    const auto slot = static_cast<std::size_t>(slots_[one.point]);
    if (one.usable)
      surrogate_.observe(slot, one.value);
    else
      surrogate_.observe_failed(slot);
  }

  // Adds a point to the best ones if it is good enough. Its neighbours then become candidates.
  void rank(const Seen& one) {
    const std::pair<float, std::size_t> entry(one.value, one.point);
    tops_.insert(std::upper_bound(tops_.begin(), tops_.end(), entry), entry);
    if (tops_.size() > tops) tops_.pop_back();
    if (std::find(tops_.begin(), tops_.end(), entry) != tops_.end()) add(space_.neighbours(one.point));
  }

  // Adds points to the candidate pool, except those that are already in it.
  void add(const std::vector<std::size_t>& points) {
    std::vector<float> values, bases;
    std::size_t count = 0;
    for (const std::size_t point : points) {
      if (slots_[point] >= 0) continue;
      slots_[point] = static_cast<std::int32_t>(pool_.size());
      pool_.push_back(point);
      values.resize(values.size() + features());
      space_.features(point, values.data() + count++ * features());
      if (!prior_) continue;
      values.back() = value_of(prior_mean_[point]);
      for (std::size_t b = 0; b < bases_; ++b) bases.push_back(basis(b, point));
    }
    if (count > 0) surrogate_.add(values, bases, count);
  }

  // The unmeasured candidate with the largest expected improvement; nothing if there is none.
  std::optional<std::size_t> best_among(const std::vector<std::size_t>& points) {
    const float best = tops_.front().first;
    float largest = -1;
    std::optional<std::size_t> found;
    for (const std::size_t point : points) {
      if (seen_[point] || slots_[point] < 0) continue;
      const Normal at = predicted_[static_cast<std::size_t>(slots_[point])];
      const float improvement = at.deviation * expected_improvement((best - at.mean) / at.deviation);
      if (improvement > largest) largest = improvement, found = point;
    }
    // An improvement dy corresponds to the relative gain in time dt / t = dy / (t0 / t)^power.
    if (found) gain_ = static_cast<double>(largest) / (1 - power * static_cast<double>(best));
    return found;
  }

  std::vector<std::size_t> first_of_prior() const {
    std::vector<std::size_t> order(space_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(pool_by_prior, order.size()));
    std::partial_sort(order.begin(), middle, order.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(prior_mean_[a], a) < std::pair(prior_mean_[b], b);
    });
    order.erase(middle, order.end());
    return order;
  }

  std::optional<std::size_t> best_of_prior() const {
    std::optional<std::size_t> best;
    for (std::size_t point = 0; point < space_.size(); ++point)
      if (!seen_[point] && (!best || prior_mean_[point] < prior_mean_[*best])) best = point;
    return best;
  }

  std::size_t far_point() {
    std::optional<std::size_t> farthest;
    float largest = -1;
    std::vector<float> own(features()), other(features());
    for (std::size_t draw = 0; draw < start_draws; ++draw) {
      const std::size_t point = random_.below(space_.size());
      if (seen_[point]) continue;
      space_.features(point, own.data());
      float nearest = std::numeric_limits<float>::max();
      for (const Seen& one : history_) {
        space_.features(one.point, other.data());
        float squared = 0;
        for (std::size_t a = 0; a < space_.axes().size(); ++a)
          squared += (own[a] - other[a]) * (own[a] - other[a]);
        nearest = std::min(nearest, squared);
      }
      if (nearest > largest) largest = nearest, farthest = point;
    }
    return farthest ? *farthest : any_unseen();
  }

  std::size_t any_unseen() {
    std::size_t point = random_.below(space_.size());
    while (seen_[point]) point = (point + 1) % space_.size();
    return point;
  }

  // Fits the length scales by coordinate search: each one is doubled or halved if this increases the marginal
  // likelihood with a log-normal prior of sigma 1.
  void refit() {
    surrogate_.predict();  // computes the slopes of the mean again
    const auto score = [&](const Shape& shape) {
      double penalty = 0;
      for (const float length : shape.lengths) {
        const double z = std::log(static_cast<double>(length / first_length));
        penalty += 0.5 * z * z;
      }
      return surrogate_.log_likelihood(shape) - penalty;
    };
    double likeliest = score(shape_);
    for (std::size_t a = 0; a < shape_.lengths.size(); ++a) {
      if (a < space_.axes().size() && space_.axes()[a].texts.size() < 2) continue;
      const float before = shape_.lengths[a];
      float chosen = before;
      for (const float factor : {2.0f, 0.5f}) {
        shape_.lengths[a] = before * factor;
        const double likelihood = score(shape_);
        if (likelihood > likeliest) likeliest = likelihood, chosen = shape_.lengths[a];
      }
      shape_.lengths[a] = chosen;
    }
    surrogate_.reshape(shape_);
  }

  const Space& space_;
  const Prior* prior_;
  Random random_;
  std::vector<char> seen_;
  std::vector<float> prior_mean_;
  std::size_t bases_;
  Shape shape_;
  Surrogate surrogate_;
  std::vector<std::size_t> pool_;    // index of a candidate -> its point
  std::vector<std::int32_t> slots_;  // point -> index of its candidate; -1: the point is not in the pool
  std::vector<Seen> history_;        // the observations that the process contains
  std::vector<std::pair<float, std::size_t>> tops_;  // value y and point of the best points, best first
  std::span<const Normal> predicted_;
  std::size_t told_ = 0, turn_ = 0;
  double first_time_ = 0, gain_ = std::numeric_limits<double>::infinity();
};

}  // namespace

std::unique_ptr<Strategy> make_model(const Space& space, const Prior* prior, std::uint64_t seed) {
  return std::make_unique<Model>(space, prior, seed);
}

}  // namespace sextant::tuner
