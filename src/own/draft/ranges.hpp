// Bounds of the integer values in a function's body.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/polynomial.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct Range {
  Polynomial low;                           // lower bound; 0 if unknown
  std::optional<Polynomial> high;           // inclusive upper bound; empty if unknown
  std::array<bool, 3> threads{}, blocks{};  // depends on threadIdx or blockIdx of the axis
  // Per axis: equals threadIdx, blockIdx, blockDim, the index of the block's first thread, or the global
  // thread index.
  std::array<bool, 3> thread{}, block{}, size{}, first{}, number{};
  // Constant factor of a block index; 0 if it is not constant.
  std::array<std::int64_t, 3> block_size{};
  std::array<std::string, 3> block_name;  // name of the factor of a block index, or empty
  std::vector<unsigned> of_arrays;        // declarations of the arrays whose elements it depends on
  std::optional<Polynomial> factor;       // factor of the single array element in it
  Polynomial rest;                        // upper bound of the terms added to that element
  unsigned rows = 0;                      // the row-offset array whose adjacent elements bound it; 0 if none
};

// Tracks the ranges of variables while a body is read from begin to end.
class Ranges {
 public:
  explicit Ranges(Signature* kernel) : kernel_(kernel) {}

  void set(unsigned declared, const Range& range) { known_[declared] = range; }
  void forget(unsigned declared);
  Range of(const Node& node);
  // Uses the condition, or its opposite if `holds` is false, for the following code.
  void learn(const Node& condition, bool holds);
  // Sets the range of a loop's variable from its start value and condition.
  void enter(const Node& loop);

 private:
  Range of_binary(const Node& node);
  Range of_call(const Node& node);
  void number_threads(const Range& first, const Range& place, Range* result) const;
  void note_items(const Range& range, const Polynomial& items);
  void bound(const Node& variable, const std::optional<Polynomial>& high);

  Signature* kernel_;
  std::map<unsigned, Range> known_;
  // Upper bound of the global thread index from a condition, per axis.
  std::array<std::optional<Polynomial>, 3> numbers_;
  std::map<std::set<unsigned>, Polynomial> sums_;  // upper bound of the sum of two variables from a condition
};

}  // namespace sextant::own
