#include "own/draft/array_pointers.hpp"

#include <utility>

namespace sextant::own {

bool ArrayPointers::is_step(const Node& node) {
  return node.kind == Node::Kind::unary && (node.text == "++" || node.text == "--");
}

const ArrayPointers::Alias* ArrayPointers::alias_of(const Node& node) const {
  const auto found = arrays_.find(node.declared);
  return node.kind == Node::Kind::variable && found != arrays_.end() ? &found->second : nullptr;
}

std::optional<ArrayPointers::Alias> ArrayPointers::pointer_of(const Node& node) {
  if (const Alias* known = alias_of(node)) return *known;
  if (is_step(node))
    if (const auto found = arrays_.find(node.children[0].declared); found != arrays_.end()) {
      const Alias before = found->second;
      if (node.text == "++" && found->second.begin) *found->second.begin = *before.begin + Polynomial(1);
      return node.begin < node.children[0].begin ? found->second : before;
    }
  if (node.kind == Node::Kind::unary && node.text == "&" && node.children[0].kind == Node::Kind::subscript)
    return moved(pointer_of(node.children[0].children[0]), node.children[0].children[1]);
  if (node.kind == Node::Kind::binary && node.text == "+") {
    if (std::optional<Alias> left = pointer_of(node.children[0])) return moved(left, node.children[1]);
    return moved(pointer_of(node.children[1]), node.children[0]);
  }
  if (node.kind == Node::Kind::binary && node.text == "-") {
    std::optional<Alias> left = pointer_of(node.children[0]);
    if (!left) return left;
    const Range by = ranges_.of(node.children[1]);
    if (left->begin) *left->begin = *left->begin - by.low;
    if (by.high) left->low = left->low - *by.high;
    if (!by.high) left->begin.reset();
    return left;
  }
  // A pointer cast: the element size may differ, so the offset is unknown.
  if (node.kind == Node::Kind::other && node.children.size() == 1) {
    std::optional<Alias> seen = pointer_of(node.children[0]);
    if (seen) seen->begin.reset();
    return seen;
  }
  return {};
}

std::optional<ArrayPointers::Alias> ArrayPointers::moved(std::optional<Alias> from, const Node& by) {
  if (!from) return from;
  const Range range = ranges_.of(by);
  from->begin = from->begin && range.high ? std::optional(*from->begin + *range.high) : std::nullopt;
  from->low = from->low + range.low;
  if (from->begin && range.stride) from->slot_end = *from->begin + *range.stride;
  return from;
}

void ArrayPointers::move_pointers(const Node& body, const std::optional<LoopSpan>& span) {
  std::map<unsigned, std::optional<Polynomial>> moves;
  note_moves(body, true, &moves);
  for (const auto& [declared, by] : moves) {
    std::optional<Polynomial>& begin = arrays_.at(declared).begin;
    const std::optional<Polynomial> each = by && span ? by->divided(span->step) : std::nullopt;
    begin = begin && each ? std::optional(*begin + (span->count - span->step) * *each) : std::nullopt;
  }
}

// Collects by how many elements a loop's body moves each known pointer per iteration. The entry is empty if
// the pointer is moved twice, not in each iteration, or by an unknown number.
void ArrayPointers::note_moves(const Node& node, bool each_time,
                               std::map<unsigned, std::optional<Polynomial>>* moves) {
  const bool assigns = node.kind == Node::Kind::compound ||
                       (node.kind == Node::Kind::binary && node.text == "=") || is_step(node);
  if (assigns && alias_of(node.children[0])) {
    std::optional<Polynomial> by;
    if (node.text == "++") by = Polynomial(1);
    if (node.text == "+=")
      if (const Range range = ranges_.of(node.children[1]); range.high && *range.high == range.low)
        by = range.high;
    const auto [known, fresh] = moves->try_emplace(node.children[0].declared, by);
    if (!fresh || !each_time) known->second.reset();
  }
  const bool inner = node.kind == Node::Kind::loop || node.kind == Node::Kind::branch;
  for (const Node& child : node.children) note_moves(child, each_time && !inner, moves);
}

std::optional<Polynomial> ArrayPointers::count_to(const Node& begin, const Node& end) {
  const std::optional<Alias> from = pointer_of(begin), to = pointer_of(end);
  if (!from || !to || !from->begin || !to->begin) return {};
  return *to->begin - *from->begin;
}

}  // namespace sextant::own
