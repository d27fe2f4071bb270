// The array elements that a function has set before the code that is being read.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "own/draft/node.hpp"

namespace sextant::own {

// An element is known by the text of its array and index. It is forgotten when a variable in that text
// changes.
class SetElements {
 public:
  void add(const Node& element);
  bool has(const Node& element) const;
  void forget(unsigned declared);         // forgets the elements whose text has the variable
  void forget_changed(const Node& code);  // the same for each variable that the code changes

 private:
  std::set<std::string> elements_;
};

// Returns true if the node changes the variable, pointer or element that is its first child.
bool changes(const Node& node);

}  // namespace sextant::own
