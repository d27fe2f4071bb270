// The variables of a function that point into its array parameters or refer to their elements.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>

#include "own/draft/node.hpp"
#include "own/draft/polynomial.hpp"
#include "own/draft/ranges.hpp"

namespace sextant::own {

class ArrayPointers {
 protected:
  struct Alias {
    std::size_t parameter;
    std::optional<Polynomial> begin;  // upper bound of the offset from the parameter; empty if unknown
    Polynomial low = {};              // lower bound of the offset
    // End of the slot in which the pointer is, if its offset was a multiple of a number; empty if unknown.
    std::optional<Polynomial> slot_end = std::nullopt;
  };

  explicit ArrayPointers(Ranges ranges) : ranges_(std::move(ranges)) {}

  static bool is_step(const Node& node);
  // Returns the parameter and offset that a pointer variable refers to, or null.
  const Alias* alias_of(const Node& node) const;
  // Returns the parameter and offset of a pointer expression, and moves the variable in p++.
  std::optional<Alias> pointer_of(const Node& node);
  std::optional<Alias> moved(std::optional<Alias> from, const Node& by);
  // Returns the number of elements between two pointers.
  std::optional<Polynomial> count_to(const Node& begin, const Node& end);
  // Sets the offsets of pointers after a loop. A pointer that the body moves once per iteration gets its
  // offset in the last iteration. Other moved pointers get an unknown offset.
  void move_pointers(const Node& body, const std::optional<LoopSpan>& span);

  Ranges ranges_;
  // Maps a declaration to the parameter that it refers to. The declared variable is the parameter itself or a
  // pointer into it.
  std::map<unsigned, Alias> arrays_;
  std::set<unsigned> references_;  // variables of arrays_ that refer to an element

 private:
  void note_moves(const Node& node, bool each_time, std::map<unsigned, std::optional<Polynomial>>* moves);
};

}  // namespace sextant::own
