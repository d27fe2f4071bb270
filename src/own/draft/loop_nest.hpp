// The loops around the code that is being read, which tell how much work it is and how long its sums are.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "own/draft/node.hpp"
#include "own/draft/polynomial.hpp"
#include "own/draft/ranges.hpp"
#include "own/draft/signature.hpp"

namespace sextant::own {

class LoopNest {
 public:
  // Sets `work` and `terms` of `function`.
  explicit LoopNest(Signature* function) : function_(function) {}

  // Begins and ends the body of a loop. `span` has the values of its variable, if they are known.
  void enter(const Node& loop, const std::optional<LoopSpan>& span);
  void leave() { loops_.pop_back(); }
  // Returns the source offset of the outermost loop's end; 0 outside loops.
  unsigned end() const { return loops_.empty() ? 0 : loops_.front().end; }
  // Records that a variable is declared here.
  void declare(unsigned declared) { depth_of_[declared] = loops_.size(); }
  // Records `each` units of work in each iteration of the loops.
  void add_work(const Polynomial& each);
  // Records an assignment that continues a sum or a product of real numbers: `s += x`, or `s = f(s, x)`
  // unless it is a choice. `compound` is true for assignments such as +=.
  void note_sum(const Node& assignment, bool compound);

 private:
  struct Around {
    unsigned variable = 0, end = 0;
    Polynomial count, step;  // number of values below the bound, and their step; both 1 if they are unknown
  };

  template <typename Counts>
  Polynomial iterations(const Counts& counts) const;
  void add_terms(const Polynomial& terms, bool sums);

  Signature* function_;
  std::vector<Around> loops_;
  std::map<unsigned, std::size_t> depth_of_;  // maps a variable to the number of loops around its declaration
};

}  // namespace sextant::own
