// Functions that create the strategies.
#pragma once

#include "tuner/strategy.hpp"

namespace sextant::tuner {

// All points in order.
std::unique_ptr<Strategy> make_exhaustive(const Space& space);

// Random points without replacement.
std::unique_ptr<Strategy> make_random(const Space& space, std::uint64_t seed);

// Descends to the first better neighbour that it finds. At a local minimum it jumps two random moves away
// from the best point. After five jumps without success it jumps to a random point.
std::unique_ptr<Strategy> make_local(const Space& space, std::uint64_t seed);

// The twenty best points so far are parents. Each parent of a child is the better of two draws. The child
// takes each choice from one of its parents; one choice in ten is random.
std::unique_ptr<Strategy> make_genetic(const Space& space, std::uint64_t seed);

// A Gaussian process over a pool of candidates (surrogate.hpp); `prior` may be null.
std::unique_ptr<Strategy> make_model(const Space& space, const Prior* prior, std::uint64_t seed);

}  // namespace sextant::tuner
