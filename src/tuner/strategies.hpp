// The strategies beside `model`, each made by its function.
#pragma once

#include "tuner/strategy.hpp"

namespace sextant::tuner {

// All points in their order.
std::unique_ptr<Strategy> make_exhaustive(const Space& space);

// Without replacement.
std::unique_ptr<Strategy> make_random(const Space& space, std::uint64_t seed);

// Descends to the first better neighbour found; from where none is better it jumps two random moves away from
// the best, and after five jumps in vain to a random point.
std::unique_ptr<Strategy> make_local(const Space& space, std::uint64_t seed);

// The twenty best so far are parents: two of them, the better of two drawn each, give a child that has each
// choice from one or the other; one choice in ten is drawn anew.
std::unique_ptr<Strategy> make_genetic(const Space& space, std::uint64_t seed);

// A Gaussian process over a pool of candidates (surrogate.hpp); `prior` may be null.
std::unique_ptr<Strategy> make_model(const Space& space, const Prior* prior, std::uint64_t seed);

}  // namespace sextant::tuner
