// Visits a function's body and records how it uses its arrays. Each kind of statement has a source file of
// its own.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "own/draft/array_pointers.hpp"
#include "own/draft/array_writes.hpp"
#include "own/draft/helpers.hpp"
#include "own/draft/loop_nest.hpp"
#include "own/draft/node.hpp"
#include "own/draft/ranges.hpp"
#include "own/draft/set_elements.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

inline Range at_begin() { return exactly(Polynomial(0)); }

class Uses : private ArrayPointers {
 public:
  Uses(const std::vector<unsigned>& places, const Helpers& helpers, Signature* function);
  void walk(const Node& node);
  // Returns the pairs of arrays that the body swaps, as indices of parameters.
  const std::vector<std::pair<std::size_t, std::size_t>>& swapped() const { return swapped_; }
  bool adds_atomically() const { return adds_atomically_; }

  // Decides for each array that was read after it was written whether the read values are older than that.
  void finish();

 private:
  // A variable, such as a bool, that may tell whether an index is valid.
  struct Flag {
    std::size_t depth = 0;  // number of conditions around its declaration
    bool is_false = false;  // true if it was never set to anything but false
  };

  // Assignments and declarations.
  void declare(const Node& node);
  void assign(const Node& node, bool reads);
  // Records that a variable refers to an array element or a member of it. Returns false for other values.
  bool refer(unsigned declared, const Node& value);
  // Records that elements of an array are indices of next elements: j = next[j].
  void note_link(const Node& left, const Node& value);
  // Handles an assignment to a pointer variable. Returns false if `node` assigns no pointer. `moves` is true
  // for an assignment such as p += n.
  bool assign_pointer(const Node& node, bool moves);
  // Visits the index expressions inside a pointer expression. The array elements themselves are not accessed.
  void walk_offsets(const Node& node);
  // Returns the conditions that hold if `value` is true: its operands if it joins them by &&, else `value`
  // itself.
  static std::vector<Fact> parts_of(const Node& value);
  // Returns the conditions that hold if the assigned variable is true after the assignment. `combines` is
  // true for compound assignments such as &=.
  std::vector<Fact> facts_after(const Node& node, bool combines);
  // Records that an element is written and, if `reads` is true, also read.
  void change(const Node& node, bool reads);

  // Accesses to elements.
  void element(const Node& node, bool reads, bool writes);
  // Records that all threads index an array of the kernel's own by their place in the block. Other sizes than
  // powers of two have a rim, or a column against bank conflicts.
  void note_shared(long long elements, const Range& index);
  // Limits a number that is the number of used elements of an array of constant size.
  void note_room(long long elements, const Range& index);
  void element(const Node& array, const Range& index, bool reads, bool writes);
  // Returns true if whole numbers of an array decide the index. An index that is computed from real numbers
  // has the bounds of its conditions.
  bool is_chosen(const Range& index) const;
  template <typename Value>
  static void add(std::vector<Value>* values, const Value& value) {
    if (std::find(values->begin(), values->end(), value) == values->end()) values->push_back(value);
  }
  // Records what an operation says of the elements of an array: it divides by them, or compares them
  // with a parameter or with zero.
  void note_element(const Node& node);
  void divide_by(const Node& number, const Node& by, bool remainder);
  // Calls `use` for the parameters to which declarations of arrays refer.
  template <typename Use>
  void for_arrays(const std::vector<unsigned>& declared, const Use& use) {
    for (const unsigned array : declared)
      if (const auto found = arrays_.find(array); found != arrays_.end())
        use(function_->parameters[found->second.parameter]);
  }
  // Returns true for elements of arrays and for sums and products of them, which are positive if they are.
  bool is_sum_of_products(const Node& node);
  void compare(const Node& element, const Node& number);

  // Loops. The first function visits one with a header.
  void count(const Node& loop);
  static bool returns(const Node& node);
  // Sets the ranges of variables that a loop's body changes, at the begin of an iteration. A variable that
  // the body sets to an array element may have such a value.
  void carry(const Node& body);
  void set_elements(const Node& node);

  // Calls. The first function records one such as std::swap(a, b) of two arrays. Returns false for other
  // calls.
  bool swaps(const Node& node);
  // Records a call that writes many elements: fill(p, p + n, x), fill_n(p, n, x), memset(p, 0, n * size) and
  // copy(q, q + n, p), memcpy(p, q, n * size). Returns false for other calls.
  bool writes_many(const Node& node);
  void use_many(const Alias& array, const std::optional<Polynomial>& count);
  // Returns a number of elements, without the factor for their size in bytes.
  std::optional<Polynomial> count_of(const Node& node);
  // Returns true for a call such as std::lower_bound(begin, end, x) of an array.
  bool searches(const Node& node);
  void search(const Node& node);
  // Detects a binary search: a loop while (low < high) that compares the element at (low + high) / 2, and
  // moves `low` or `high` there.
  void note_search(const Node& loop);
  void mark_sorted(const Node& node, unsigned middle);
  // Returns the range of a variable. If it is the middle of a binary search, it stays within the searched
  // part.
  Range searched(unsigned declared, const Range& range) const;
  // Returns the function of the file that a call names; null for a function that is being read already.
  const Helper* helper_of(const Node& node) const;
  // Visits the body of a called function, whose parameters have the values of the arguments.
  void call(const Node& node, const Helper& helper);
  // Records that an array is passed to a function. The function may then read and write any element.
  void pass(const Node& node);
  // Returns true for a call such as atomicAdd(sum, x), which changes only the element to which its first
  // argument points.
  bool changes_one(const Node& call);
  void change_one(const Node& call);

  // Conditions.
  void branch(const Node& node);
  // Returns true if the condition limits indices only from above. `holds` tells whether it is true or false.
  bool is_end(const Node& condition, bool holds) const;
  // Visits a statement without `else`. A variable that it changes has the new value behind it, or the old one
  // where the condition is false.
  void may_run(const Node& condition, const Node& then);
  void join_changed(const Node& node, Ranges& run, Ranges& skipped);
  // Visits the statement `part`, which runs only if the condition has the value `holds`.
  // Stores the ranges at its end in `after`, unless that is null.
  void within(const Node& condition, bool holds, const Node& part, Ranges* after = nullptr);

  Signature* function_;
  const Helpers& helpers_;
  std::set<unsigned> assigned_;
  std::set<unsigned> asked_;  // variables that the function compares with a negative number
  std::vector<std::pair<unsigned, std::size_t>> links_;  // variables that follow the links of an array
  SetElements set_;
  std::vector<const Helper*> called_;  // functions whose calls contain the code being read
  std::vector<Fact> conditions_;       // the conditions under which the code being read runs
  std::map<unsigned, Flag> flags_;
  // false while the code being read runs only for some of the indices below their bound
  bool all_ = true;
  bool scatters_ = false;  // true while the target of an assignment of different values is being read
  bool adds_atomically_ = false;
  LoopNest nest_;  // the loops around the code being read
  // Maps the variable that halves the searched part of an array to its upper bound.
  std::map<unsigned, std::optional<Polynomial>> searched_;
  std::vector<std::pair<std::size_t, std::size_t>> swapped_;
  ArrayWrites writes_;
};

}  // namespace sextant::own
