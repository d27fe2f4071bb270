// Functions that create the search strategies.
#pragma once

#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Evaluates all points in order.
std::unique_ptr<Strategy> make_exhaustive(const Space& space);

// Evaluates random points, each at most once.
std::unique_ptr<Strategy> make_random(const Space& space, std::uint64_t seed);

// Local search: moves to the first neighbour that is better than the current point. At a local minimum, it
// restarts two random moves away from the best point. After five restarts without success, it restarts at a
// random point.
std::unique_ptr<Strategy> make_local(const Space& space, std::uint64_t seed);

// A genetic algorithm. The population is the twenty best points so far. Each parent is the better of two
// random ones. A child takes each choice from one of its two parents, and one choice in ten at random.
std::unique_ptr<Strategy> make_genetic(const Space& space, std::uint64_t seed);

// Bayesian optimization with a Gaussian process over a candidate pool (surrogate.hpp). `prior` may be null.
std::unique_ptr<Strategy> make_model(const Space& space, const Prior* prior, std::uint64_t seed);

}  // namespace sextant::tuner
