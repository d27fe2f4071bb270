#include "own/draft/binary_search.hpp"

#include <algorithm>

namespace sextant::own {
namespace {

bool halves(const Node& node) {
  if (node.kind == Node::Kind::binary && ((node.text == "/" && node.children[1].value == 2) ||
                                          (node.text == ">>" && node.children[1].value == 1)))
    return true;
  return std::any_of(node.children.begin(), node.children.end(), halves);
}

// Returns the variable that is set to half of something, or 0.
unsigned middle_in(const Node& node) {
  const bool sets = (node.kind == Node::Kind::declaration && node.has_init) ||
                    (node.kind == Node::Kind::binary && node.text == "=");
  if (sets && halves(node.children.back()))
    return node.kind == Node::Kind::declaration ? node.declared : node.children[0].declared;
  for (const Node& child : node.children)
    if (const unsigned found = middle_in(child); found > 0) return found;
  return 0;
}

bool is_moved_to(const Node& node, unsigned middle) {
  if (node.kind == Node::Kind::binary && node.text == "=" && node.children[0].declared != middle &&
      mentions(node.children[1], middle))
    return true;
  return std::any_of(node.children.begin(), node.children.end(),
                     [&](const Node& child) { return is_moved_to(child, middle); });
}

}  // namespace

bool mentions(const Node& node, unsigned declared) {
  return (node.kind == Node::Kind::variable && node.declared == declared && declared > 0) ||
         std::any_of(node.children.begin(), node.children.end(),
                     [&](const Node& child) { return mentions(child, declared); });
}

unsigned middle_of_search(const Node& body) {
  const unsigned middle = middle_in(body);
  return middle > 0 && is_moved_to(body, middle) ? middle : 0;
}

}  // namespace sextant::own
