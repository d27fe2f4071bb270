// Assignments and declarations in a body.
#include <algorithm>
#include <utility>

#include "own/draft/binary_search.hpp"
#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

void Uses::declare(const Node& node) {
  nest_.declare(node.declared);
  if (!node.has_init) return;
  const Node& value = node.children[0];
  if (node.is_pointer)
    if (const std::optional<Alias> alias = pointer_of(value)) {
      arrays_[node.declared] = *alias;
      return walk_offsets(value);
    }
  if (node.is_reference) return refer(node.declared, value) ? void() : change(value, true);
  walk(value);
  ranges_.set(node.declared, searched(node.declared, ranges_.of(value)));
  flags_[node.declared] = {conditions_.size(), value.value == 0};
  if (!value.value) ranges_.set_flag(node.declared, parts_of(value));
}

void Uses::assign(const Node& node, bool reads) {
  const Node& left = node.children[0];
  if (left.kind == Node::Kind::variable) set_.forget(left.declared);
  if (references_.contains(left.declared)) return walk(node.children[1]), change(left, reads);
  if (left.kind == Node::Kind::variable && assign_pointer(node, reads)) return walk_offsets(node.children[1]);
  walk(node.children[1]);
  nest_.note_sum(node, reads);
  const Node& value = node.children[1];
  note_link(left, value);
  const bool constant = value.value || (value.kind == Node::Kind::other && value.children.empty());
  scatters_ = reads ? function_->kernel : !constant;
  if (left.kind != Node::Kind::variable) change(left, reads);
  if (left.kind == Node::Kind::subscript) set_.add(left);
  scatters_ = false;
  if (left.kind != Node::Kind::variable) return;
  const std::vector<Fact> facts = facts_after(node, reads);
  if (reads)
    ranges_.forget(left.declared);
  else if (assigned_.insert(left.declared).second)
    ranges_.set(left.declared, searched(left.declared, ranges_.of(node.children[1])));
  else if (searched_.contains(left.declared))
    ranges_.set(left.declared, searched(left.declared, {}));
  else
    ranges_.forget(left.declared);
  ranges_.set_flag(left.declared, facts);
}

bool Uses::refer(unsigned declared, const Node& value) {
  if (value.kind == Node::Kind::member && value.children.size() == 1)
    return refer(declared, value.children[0]);
  const bool is_element = value.kind == Node::Kind::subscript;
  const bool is_target = value.kind == Node::Kind::unary && value.text == "*";
  if (!is_element && !is_target && !references_.contains(value.declared)) return false;
  std::optional<Alias> alias = pointer_of(is_target || is_element ? value.children[0] : value);
  if (!alias) return false;
  if (is_element) element(value, false, false), alias = moved(alias, value.children[1]);
  arrays_[declared] = *alias;
  references_.insert(declared);
  return true;
}

void Uses::note_link(const Node& left, const Node& value) {
  if (left.kind != Node::Kind::variable || value.kind != Node::Kind::subscript ||
      !mentions(value.children[1], left.declared))
    return;
  if (const std::optional<Alias> array = pointer_of(value.children[0])) {
    function_->parameters[array->parameter].links = true;
    links_.emplace_back(left.declared, array->parameter);
  }
}

bool Uses::assign_pointer(const Node& node, bool moves) {
  const Node& left = node.children[0];
  const Alias* known = alias_of(left);
  if (known && moves) {
    if (node.text == "+=") arrays_[left.declared] = *moved(*known, node.children[1]);
    return true;
  }
  const std::optional<Alias> given = moves ? std::nullopt : pointer_of(node.children[1]);
  if (!known && !given) return false;
  Alias& alias = arrays_[left.declared];
  // After an assignment inside a branch, the pointer may still have its old value. Its offset is then
  // unknown.
  const bool certain = given && (!known || conditions_.empty());
  alias = given && certain ? *given : Alias{alias.parameter, std::nullopt};
  return true;
}

void Uses::walk_offsets(const Node& node) {
  if (alias_of(node) || (is_step(node) && alias_of(node.children[0]))) return;
  const bool is_address = node.kind == Node::Kind::unary && node.text == "&";
  const bool is_sum = node.kind == Node::Kind::binary && (node.text == "+" || node.text == "-");
  const bool is_cast = node.kind == Node::Kind::other && node.children.size() == 1;
  if (!is_address && !is_sum && !is_cast) return walk(node);
  for (const Node& child : is_address ? node.children[0].children : node.children) walk_offsets(child);
}

std::vector<Fact> Uses::parts_of(const Node& value) {
  if (value.kind != Node::Kind::binary || value.text != "&&") return {{&value, true}};
  std::vector<Fact> facts = parts_of(value.children[0]);
  for (const Fact& one : parts_of(value.children[1])) facts.push_back(one);
  return facts;
}

std::vector<Fact> Uses::facts_after(const Node& node, bool combines) {
  const unsigned variable = node.children[0].declared;
  const Node& value = node.children[1];
  const std::vector<Fact> before = ranges_.facts_of(variable);
  Flag& flag = flags_[variable];
  const bool was_false = std::exchange(flag.is_false, flag.is_false && value.value == 0);
  const std::size_t around = conditions_.size() - std::min(conditions_.size(), flag.depth);
  std::vector<Fact> facts;
  if (!combines && value.value == 0) {
    // The variable is true afterwards only if this branch was not taken. So the branch's condition was
    // false.
    facts = before;
    if (around == 1) facts.emplace_back(conditions_.back().first, !conditions_.back().second);
  } else if (value.value && !combines) {
    if (was_false) facts.assign(conditions_.end() - static_cast<std::ptrdiff_t>(around), conditions_.end());
  } else if (around == 0 && (!combines || node.text == "&=")) {
    facts = parts_of(value);
    const bool keeps = combines || std::any_of(facts.begin(), facts.end(), [&](const Fact& one) {
                         return one.first->kind == Node::Kind::variable && one.first->declared == variable;
                       });
    if (keeps) facts.insert(facts.end(), before.begin(), before.end());
  }
  return facts;
}

void Uses::change(const Node& node, bool reads) {
  if (node.kind == Node::Kind::subscript) return element(node, reads, true);
  if (references_.contains(node.declared)) return element(node, at_begin(), reads, true);
  if (node.kind == Node::Kind::member && node.children.size() == 1 && alias_of(node.children[0]))
    return element(node.children[0], at_begin(), reads, true);
  if (node.kind == Node::Kind::member && node.children.size() == 1) return change(node.children[0], reads);
  if (node.kind == Node::Kind::unary && node.text == "*")
    return element(node.children[0], at_begin(), reads, true);
  walk(node);
}

}  // namespace sextant::own
