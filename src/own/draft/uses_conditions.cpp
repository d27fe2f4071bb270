// Conditions in a body.
#include <algorithm>
#include <utility>

#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

void Uses::branch(const Node& node) {
  if (node.children.size() < 2) return;
  walk(node.children[0]);
  const Node& then = node.children[1];
  const bool leaves =
      then.kind == Node::Kind::leave || (then.kind == Node::Kind::other && then.children.size() == 1 &&
                                         then.children[0].kind == Node::Kind::leave);
  if (leaves) {
    walk(then);
    all_ = all_ && is_end(node.children[0], false);
    return ranges_.learn(node.children[0], false);
  }
  if (node.children.size() == 2) return may_run(node.children[0], then);
  within(node.children[0], true, then);
  if (node.children.size() > 2) within(node.children[0], false, node.children[2]);
}

bool Uses::is_end(const Node& condition, bool holds) const {
  if (condition.kind == Node::Kind::unary && condition.text == "!")
    return is_end(condition.children[0], !holds);
  if (condition.kind == Node::Kind::variable && holds) {
    const std::vector<Fact>& facts = ranges_.facts_of(condition.declared);
    return !facts.empty() && std::all_of(facts.begin(), facts.end(),
                                         [&](const Fact& one) { return is_end(*one.first, one.second); });
  }
  if (condition.kind != Node::Kind::binary) return false;
  if (condition.text == (holds ? "&&" : "||"))
    return is_end(condition.children[0], holds) && is_end(condition.children[1], holds);
  const bool plain =
      condition.children[0].kind == Node::Kind::variable || condition.children[0].kind == Node::Kind::binary;
  return plain && (holds ? condition.text == "<" : condition.text == ">=");
}

void Uses::may_run(const Node& condition, const Node& then) {
  Ranges skipped = ranges_;
  skipped.learn(condition, false);
  Ranges run = ranges_;
  within(condition, true, then, &run);
  join_changed(then, run, skipped);
}

void Uses::join_changed(const Node& node, Ranges& run, Ranges& skipped) {
  if (changes(node) && node.children[0].kind == Node::Kind::variable && !alias_of(node.children[0])) {
    const Range both = either(run.of(node.children[0]), skipped.of(node.children[0]));
    if (both.high) ranges_.set(node.children[0].declared, both);
  }
  for (const Node& child : node.children) join_changed(child, run, skipped);
}

void Uses::within(const Node& condition, bool holds, const Node& part, Ranges* after) {
  const Ranges outside = ranges_;
  const SetElements before = set_;
  const bool all = all_;
  all_ = all_ && is_end(condition, holds);
  ranges_.learn(condition, holds);
  conditions_.emplace_back(&condition, holds);
  walk(part);
  conditions_.pop_back();
  set_ = before;
  set_.forget_changed(part);
  const Ranges inside = std::exchange(ranges_, outside);
  if (after) *after = inside;
  for (const auto& [declared, flag] : flags_) ranges_.set_flag(declared, inside.facts_of(declared));
  all_ = all;
}

}  // namespace sextant::own
