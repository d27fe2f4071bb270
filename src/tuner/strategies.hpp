// Functions that create the strategies.
#pragma once

#include "tuner/strategy.hpp"

namespace sextant::tuner {

// Evaluates all points in order.
std::unique_ptr<Strategy> make_exhaustive(const Space& space);

// Evaluates random points, each at most once.
std::unique_ptr<Strategy> make_random(const Space& space, std::uint64_t seed);

// A local search. It moves to the first neighbour that is better than the current point. At a local minimum,
// it makes two random moves away from the best point. After five such jumps without success, it jumps to a
// random point.
std::unique_ptr<Strategy> make_local(const Space& space, std::uint64_t seed);

// A genetic algorithm. The twenty best points so far are parents. Each of the two parents of a child is the
// better of two drawn points. The child takes each choice from one of its parents, but one choice in ten is
// random.
std::unique_ptr<Strategy> make_genetic(const Space& space, std::uint64_t seed);

// Bayesian optimization by a Gaussian process over a pool of candidates (surrogate.hpp). `prior` may be null.
std::unique_ptr<Strategy> make_model(const Space& space, const Prior* prior, std::uint64_t seed);

}  // namespace sextant::tuner
