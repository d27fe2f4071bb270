// Calls in a body.
#include <algorithm>
#include <utility>

#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

bool Uses::swaps(const Node& node) {
  if (!node.name.ends_with("swap") || node.children.size() != 3) return false;
  const Alias *a = alias_of(node.children[1]), *b = alias_of(node.children[2]);
  if (!a || !b) return false;
  swapped_.emplace_back(a->parameter, b->parameter);
  return true;
}

bool Uses::writes_many(const Node& node) {
  const std::string name = node.name.substr(node.name.rfind(':') + 1);
  const bool copies = name == "copy" || name == "memcpy", by_end = name == "fill" || name == "copy";
  if (node.children.size() != 4 || (!copies && name != "fill" && name != "fill_n" && name != "memset"))
    return false;
  const Node &first = node.children[1], &second = node.children[2], &third = node.children[3];
  const std::optional<Alias> to = pointer_of(name == "copy" ? third : first);
  const std::optional<Alias> from = copies ? pointer_of(name == "copy" ? first : second) : std::nullopt;
  std::optional<Polynomial> count =
      by_end ? count_to(first, second) : count_of(name == "fill_n" ? second : third);
  for (const Node* one : {&first, &second, &third}) walk_offsets(*one);
  if (from) use_many(*from, count), writes_.read(from->parameter, nest_.end());
  if (!to) return true;
  use_many(*to, count);
  function_->parameters[to->parameter].written = true;
  if (!all_ || !count || !to->begin || !(to->low == Polynomial(0)) || !(*to->begin == to->low)) return true;
  writes_.write(to->parameter, Polynomial(0), *count - Polynomial(1), node.end);
  return true;
}

void Uses::use_many(const Alias& array, const std::optional<Polynomial>& count) {
  Parameter& parameter = function_->parameters[array.parameter];
  if (count && array.begin)
    add(&parameter.lengths, *array.begin + *count);
  else
    parameter.has_unknown = true;
}

std::optional<Polynomial> Uses::count_of(const Node& node) {
  const auto is_size = [](const Node& one) { return one.kind == Node::Kind::other && !one.value; };
  if (node.kind == Node::Kind::binary && node.text == "*")
    for (const std::size_t i : {0, 1})
      if (is_size(node.children[i])) return count_of(node.children[1 - i]);
  return ranges_.of(node).high;
}

const Helper* Uses::helper_of(const Node& node) const {
  constexpr std::size_t most_depth = 8;
  const Helper* found = helper_called(helpers_, node);
  const bool fits = found && found->signature.parameters.size() + 1 == node.children.size();
  const bool inside = std::find(called_.begin(), called_.end(), found) != called_.end();
  return fits && !inside && called_.size() < most_depth ? found : nullptr;
}

void Uses::call(const Node& node, const Helper& helper) {
  const std::vector<Parameter>& parameters = helper.signature.parameters;
  std::vector<std::optional<Alias>> pointers;
  std::vector<Range> numbers;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Node& given = node.children[i + 1];
    pointers.push_back(parameters[i].pointer ? pointer_of(given) : std::nullopt);
    numbers.push_back(parameters[i].pointer ? Range{} : ranges_.of(given));
    if (parameters[i].unfit == "a reference" && refer(helper.places[i], given)) continue;
    pointers[i] ? walk_offsets(given) : walk(given);
  }
  const Ranges outside = ranges_;
  const std::set<unsigned> assigned = assigned_;
  const SetElements before = set_;
  const bool all = all_;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (references_.contains(helper.places[i])) continue;
    arrays_.erase(helper.places[i]);
    if (pointers[i])
      arrays_[helper.places[i]] = *pointers[i];
    else
      ranges_.set(helper.places[i], numbers[i]);
  }
  called_.push_back(&helper);
  walk(helper.body);
  called_.pop_back();
  for (const unsigned place : helper.places) references_.erase(place);
  ranges_ = outside;
  assigned_ = assigned;
  set_ = before;
  all_ = all;
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].unfit == "a reference") ranges_.forget(node.children[i + 1].declared);
}

void Uses::pass(const Node& node) {
  const Alias* alias = alias_of(node);
  if (!alias) return;
  Parameter& parameter = function_->parameters[alias->parameter];
  parameter.read = true;
  parameter.written = parameter.written || !parameter.is_const;
  parameter.has_unknown = true;
}

bool Uses::changes_one(const Node& call) {
  return call.name.starts_with("atomic") && call.children.size() > 1 && pointer_of(call.children[1]);
}

void Uses::change_one(const Node& call) {
  adds_atomically_ = adds_atomically_ || (call.name.starts_with("atomicAdd") && call.real);
  walk_offsets(call.children[1]);
  const Node& at = call.children[1];
  if (at.kind == Node::Kind::unary && at.text == "&")
    change(at.children[0], true);
  else
    element(at, at_begin(), true, true);
  for (std::size_t i = 2; i < call.children.size(); ++i) walk(call.children[i]);
}

}  // namespace sextant::own
