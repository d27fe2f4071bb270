// The range of values that each integer variable in a function's body can have.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "own/draft/helpers.hpp"
#include "own/draft/node.hpp"
#include "own/draft/polynomial.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

struct Range {
  Polynomial low;                           // lower bound; 0 if no bound is known
  std::optional<Polynomial> high;           // inclusive upper bound; empty if no bound is known
  std::array<bool, 3> threads{}, blocks{};  // per axis: the value depends on threadIdx or blockIdx
  // Per axis: the value equals threadIdx, blockIdx, blockDim, the index of the block's first thread, or the
  // global thread index.
  std::array<bool, 3> thread{}, block{}, size{}, first{}, number{};
  // Per axis: the constant by which a block index is multiplied; 0 if it is not constant.
  std::array<std::int64_t, 3> block_size{};
  std::array<std::string, 3> block_name;  // per axis: the name by which a block index is multiplied, or empty
  std::vector<unsigned> of_arrays;        // declarations of the arrays on whose elements the value depends
  // If the value has the form factor * e + rest, where e is an array's element, this is its factor.
  std::optional<Polynomial> factor;
  Polynomial rest;  // upper bound of the other summands in this form
  // If two neighbouring row offsets bound the value, the declaration of the array that holds them; else 0.
  unsigned rows = 0;
  std::vector<unsigned>
      remainder_of;               // declarations of arrays with signs, of whose elements it is a remainder
  unsigned row_length = 0;        // the same for a number of elements of a row
  const Node* element = nullptr;  // the array element that is the value, or null
  // A divisor and the upper bound of the value's product with it, for quotients whose bound is no polynomial.
  std::optional<std::pair<Polynomial, Polynomial>> quotient;
  Polynomial divided_by =
      Polynomial(1);  // the value is the index of a thread or block divided by this number
  // If the value is a multiple of a number, that number; empty for other values.
  std::optional<Polynomial> stride;
};

// A condition, and whether it is true or false.
using Fact = std::pair<const Node*, bool>;

// The values of a loop variable. They begin at a start value, change by `step`, and stay within `count` of
// the start value.
struct LoopSpan {
  Polynomial count, step;
};

// Returns the range of a known value.
Range exactly(const Polynomial& value);
// Returns a range that contains both ranges.
Range either(const Range& a, const Range& b);

// Tracks the ranges of variables while a function's body is read from begin to end.
class Ranges {
 public:
  // Calls of `helpers` have the ranges that these functions return.
  Ranges(Signature* kernel, const Helpers* helpers) : kernel_(kernel), helpers_(helpers) {}

  void set(unsigned declared, const Range& range);
  void forget(unsigned declared);
  void forget_changed(const Node& code);  // forgets the variables that the code changes
  Range of(const Node& node);
  // Records the value of a condition for the code that follows. `holds` is true if the condition is true
  // there.
  void learn(const Node& condition, bool holds);
  // Sets the range of a loop variable from its start value and the loop condition. Returns the values that
  // the variable takes, if they are known.
  std::optional<LoopSpan> enter(const Node& loop);
  // Records conditions that hold wherever the variable `declared` is true.
  void set_flag(unsigned declared, const std::vector<Fact>& facts);
  const std::vector<Fact>& facts_of(unsigned declared) const;

 private:
  void drop_facts_on(unsigned declared);
  Range of_binary(const Node& node);
  Range of_call(const Node& node);
  Range of_choice(const Node& node);
  void learn_rows(const Node& a, const Node& b);
  unsigned start(const Node& loop, const Node** condition);
  std::optional<LoopSpan> enter_down(const Node& loop, const Node& condition, unsigned variable);
  Range member_of(const Node& of_struct);
  void number_threads(const Range& first, const Range& place, Range* result) const;
  void note_items(const Range& range, const Polynomial& values);
  void bound(const Node& variable, const std::optional<Polynomial>& high);

  Signature* kernel_;
  const Helpers* helpers_;
  int depth_ = 0;  // number of calls around the code whose ranges are computed
  std::map<unsigned, Range> known_;
  std::map<unsigned, std::vector<Fact>> flags_;
  // Per axis: upper bound of the global thread index, taken from a condition.
  std::array<std::optional<Polynomial>, 3> numbers_;
  // Maps a pair of variables to the upper bound of their sum, taken from a condition.
  std::map<std::set<unsigned>, Polynomial> sums_;
};

}  // namespace sextant::own
