// Between what values the whole numbers of a body lie.
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
  Polynomial low;                           // 0 where it is not known
  std::optional<Polynomial> high;           // inclusive; nothing: not known
  std::array<bool, 3> threads{}, blocks{};  // whether it is a place among threads and blocks, by axis
  // Whether it is such a place itself, the number of threads of a block, of a block's first thread, or of a
  // thread.
  std::array<bool, 3> thread{}, block{}, size{}, first{}, number{};
  std::array<std::int64_t, 3>
      block_size{};                       // what a place among blocks is multiplied with; 0: not a constant
  std::array<std::string, 3> block_name;  // or the number that it is multiplied with; may be empty
  std::vector<unsigned> of_arrays;        // arrays whose elements it is made of, by where they are declared
  std::optional<Polynomial> factor;       // of the one element that it is made of, and
  Polynomial rest;                        // the highest of what is added to that
  unsigned rows = 0;                      // the array whose neighbours it lies between; 0: none
};

// Follows a body in its order.
class Ranges {
 public:
  explicit Ranges(Signature* kernel) : kernel_(kernel) {}

  void set(unsigned declared, const Range& range) { known_[declared] = range; }
  void forget(unsigned declared);
  Range of(const Node& node);
  // `holds`: what is known from then on; else its opposite is.
  void learn(const Node& condition, bool holds);
  // A loop's variable takes values from its start to what its condition allows.
  void enter(const Node& loop);

 private:
  Range of_binary(const Node& node);
  Range of_call(const Node& node);
  void number_threads(const Range& first, const Range& place, Range* result) const;
  void note_items(const Range& range, const Polynomial& items);
  void bound(const Node& variable, const std::optional<Polynomial>& high);

  Signature* kernel_;
  std::map<unsigned, Range> known_;
  std::array<std::optional<Polynomial>, 3>
      numbers_;  // of threads: the highest that a condition on their sum allows
  std::map<std::set<unsigned>, Polynomial> sums_;  // of two variables: the highest that a condition allows
};

}  // namespace sextant::own
