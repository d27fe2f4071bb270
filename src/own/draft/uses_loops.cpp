// Loops in a body, also those that search.
#include <algorithm>
#include <utility>

#include "own/draft/binary_search.hpp"
#include "own/draft/swaps.hpp"
#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

void Uses::count(const Node& loop) {
  const auto [a, b] = swapped_in(loop.children.back());
  if (arrays_.contains(a) && arrays_.contains(b) && a != b)
    swapped_.emplace_back(arrays_.at(a).parameter, arrays_.at(b).parameter);
  const SetElements before = set_;
  const bool all = all_;
  carry(loop.children.back());
  for (const Node& child : loop.children) {
    if (&child == &loop.children.back()) {
      const std::optional<LoopSpan> span = ranges_.enter(loop);
      move_pointers(child, span);
      nest_.enter(loop, span);
    }
    walk(child);
  }
  nest_.leave();
  set_ = before;
  if (!returns(loop)) all_ = all;  // `continue` leaves only an iteration
}

bool Uses::returns(const Node& node) {
  return (node.kind == Node::Kind::leave && node.text != "continue") ||
         std::any_of(node.children.begin(), node.children.end(), returns);
}

void Uses::carry(const Node& body) {
  ranges_.forget_changed(body);
  set_elements(body);
}

void Uses::set_elements(const Node& node) {
  const bool sets =
      node.kind == Node::Kind::binary && node.text == "=" && node.children[0].kind == Node::Kind::variable &&
      node.children[1].kind == Node::Kind::subscript && alias_of(node.children[1].children[0]) &&
      mentions(node.children[1], node.children[0].declared);
  if (sets)
    ranges_.set(node.children[0].declared,
                either(ranges_.of(node.children[0]), ranges_.of(node.children[1])));
  for (const Node& child : node.children) set_elements(child);
}

bool Uses::searches(const Node& node) {
  static const std::set<std::string> known = {"lower_bound", "upper_bound", "equal_range", "binary_search"};
  return known.contains(node.name.substr(node.name.rfind(':') + 1)) && node.children.size() > 3 &&
         pointer_of(node.children[1]);
}

void Uses::search(const Node& node) {
  const std::optional<Alias> from = pointer_of(node.children[1]), to = pointer_of(node.children[2]);
  Parameter& parameter = function_->parameters[from->parameter];
  parameter.read = parameter.sorted = true;
  if (to && to->begin)
    add(&parameter.lengths, *to->begin);
  else
    parameter.has_unknown = true;
  for (std::size_t i = 1; i < node.children.size(); ++i)
    i < 3 ? walk_offsets(node.children[i]) : walk(node.children[i]);
}

void Uses::note_search(const Node& loop) {
  const Node& condition = loop.children[0];
  if (condition.kind != Node::Kind::binary || !condition.text.starts_with("<")) return;
  const unsigned middle = middle_of_search(loop.children[1]);
  if (middle == 0) return;
  const std::optional<Polynomial> high = ranges_.of(condition.children[1]).high;
  searched_[middle] = high && condition.text == "<" ? std::optional(*high - Polynomial(1)) : high;
  mark_sorted(loop.children[1], middle);
}

void Uses::mark_sorted(const Node& node, unsigned middle) {
  if (node.kind == Node::Kind::subscript && mentions(node.children[1], middle))
    if (const std::optional<Alias> array = pointer_of(node.children[0]))
      function_->parameters[array->parameter].sorted = true;
  for (const Node& child : node.children) mark_sorted(child, middle);
}

Range Uses::searched(unsigned declared, const Range& range) const {
  const auto found = searched_.find(declared);
  if (found == searched_.end() || !found->second) return range;
  Range within;
  within.high = found->second;
  return within;
}

}  // namespace sextant::own
