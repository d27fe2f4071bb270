#include "own/draft/swaps.hpp"

#include <vector>

namespace sextant::own {
namespace {

// Finds two variables that a loop's body swaps, by a function of that name or by three assignments.
class Swap {
 public:
  explicit Swap(const Node& body) {
    walk(body);
    for (std::size_t i = 2; i < copies_.size(); ++i) {
      const auto [kept, first] = copies_[i - 2];
      const auto [to, from] = copies_[i - 1];
      if (to == first && copies_[i] == std::pair(from, kept)) swapped = {to, from};
    }
  }

  std::pair<unsigned, unsigned> swapped = {};

 private:
  void walk(const Node& node) {
    if (node.kind == Node::Kind::loop) return;
    if (node.kind == Node::Kind::call && node.name.ends_with("swap") && node.children.size() == 3)
      swapped = {variable_in(node.children[1]), variable_in(node.children[2])};
    const bool is_copy = (node.kind == Node::Kind::binary && node.text == "=") ||
                         (node.kind == Node::Kind::declaration && node.has_init);
    if (is_copy && node.children.back().kind == Node::Kind::variable)
      copies_.emplace_back(node.kind == Node::Kind::binary ? node.children[0].declared : node.declared,
                           node.children.back().declared);
    for (const Node& child : node.children) walk(child);
  }

  // The variables that are set to other variables, each with that variable, in the order of the file.
  std::vector<std::pair<unsigned, unsigned>> copies_;
};

}  // namespace

unsigned variable_in(const Node& node) {
  if (node.kind == Node::Kind::variable) return node.declared;
  for (const Node& child : node.children)
    if (const unsigned found = variable_in(child); found > 0) return found;
  return 0;
}

std::pair<unsigned, unsigned> swapped_in(const Node& body) { return Swap(body).swapped; }

}  // namespace sextant::own
