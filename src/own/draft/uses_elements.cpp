// Accesses to the elements of arrays in a body.
#include <algorithm>
#include <bit>
#include <utility>

#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

void Uses::element(const Node& node, bool reads, bool writes) {
  const Range index = ranges_.of(node.children[1]);
  walk(node.children[1]);
  note_shared(node.children[0].elements, index);
  if (!alias_of(node.children[0])) note_room(node.children[0].elements, index);
  element(node.children[0], index, reads && !set_.has(node), writes);
}

void Uses::note_shared(long long elements, const Range& index) {
  if (elements > 1 && std::has_single_bit(static_cast<unsigned long long>(elements - 1))) --elements;
  if (elements < 2 || !std::has_single_bit(static_cast<unsigned long long>(elements))) return;
  for (std::size_t i = 0; i < 3; ++i)
    if (Axis& axis = function_->axes[i]; index.thread[i] && !axis.of_block)
      axis.shared_size =
          axis.shared_size == 0 ? elements : std::min<std::int64_t>(axis.shared_size, elements);
}

void Uses::note_room(long long elements, const Range& index) {
  if (elements < 2 || !index.high || function_->kernel) return;
  for (Parameter& one : function_->parameters)
    if (!one.pointer && *index.high + Polynomial(1) == Polynomial::of(one.name))
      one.most = one.most == 0 ? elements : std::min<std::int64_t>(one.most, elements);
}

void Uses::element(const Node& array, const Range& index, bool reads, bool writes) {
  const std::optional<Alias> alias = pointer_of(array);
  if (!alias) return walk(array);
  Parameter& parameter = function_->parameters[alias->parameter];
  if (reads) writes_.read(alias->parameter, nest_.end());
  parameter.written = parameter.written || writes;
  for_arrays(index.remainder_of, [](Parameter& of) { of.remainder = true; });
  for (const unsigned chooser : index.of_arrays)
    if (const auto found = arrays_.find(chooser); found != arrays_.end())
      add(&parameter.chosen_by, Chooser{function_->parameters[found->second.parameter].name, index.factor,
                                        index.rest, writes && scatters_});
  if (const auto rows = arrays_.find(index.rows); index.rows > 0 && rows != arrays_.end())
    add(&function_->parameters[rows->second.parameter].rows_of, parameter.name);
  if (index.high && alias->begin && !is_chosen(index)) {
    add(&parameter.lengths, *alias->begin + *index.high + Polynomial(1));
    if (writes && all_)
      writes_.write(alias->parameter, alias->low + index.low, *alias->begin + *index.high, nest_.end());
  } else {
    parameter.has_unknown = true;
    if (alias->slot_end) add(&parameter.lengths, *alias->slot_end);
  }
}

bool Uses::is_chosen(const Range& index) const {
  return std::any_of(index.of_arrays.begin(), index.of_arrays.end(), [&](unsigned declared) {
    const auto found = arrays_.find(declared);
    if (found == arrays_.end()) return true;
    const std::string& type = function_->parameters[found->second.parameter].type;
    return type.find("float") == std::string::npos && type.find("double") == std::string::npos;
  });
}

void Uses::note_element(const Node& node) {
  const Node &left = node.children[0], &right = node.children[1];
  if ((node.text == "/" || node.text == "/=") && (right.real || right.is_struct) && is_sum_of_products(right))
    for_arrays(ranges_.of(right).of_arrays, [](Parameter& one) { one.divides = true; });
  if (left.real || right.real) return;
  if ((node.text == "/" || node.text == "%") && ranges_.of(left).of_arrays.empty())
    divide_by(left, right, node.text == "%");
  if (node.text.starts_with("<") || node.text.starts_with(">")) compare(left, right), compare(right, left);
  const bool asks = (right.value == 0 && (node.text == ">=" || node.text == "<")) ||
                    (right.value == -1 && (node.text == "!=" || node.text == "==" || node.text == ">"));
  if (!asks) return;
  for_arrays(ranges_.of(left).of_arrays, [](Parameter& one) { one.negative = true; });
  asked_.insert(left.declared);
}

void Uses::divide_by(const Node& number, const Node& by, bool remainder) {
  const std::optional<Polynomial> most = ranges_.of(number).high;
  for (Parameter& one : function_->parameters) {
    if (by.kind != Node::Kind::variable || one.name != by.name || one.pointer) continue;
    one.divisor = true;
    one.block = one.block || (!remainder && most && most->grows_with(by.name) && most->degree() == 1);
  }
}

bool Uses::is_sum_of_products(const Node& node) {
  if (node.kind == Node::Kind::binary)
    return (node.text == "+" || node.text == "*") && is_sum_of_products(node.children[0]) &&
           is_sum_of_products(node.children[1]);
  const Range range = ranges_.of(node);
  return range.of_arrays.empty() || range.element || node.is_struct || node.kind == Node::Kind::member;
}

void Uses::compare(const Node& element, const Node& number) {
  if (number.kind != Node::Kind::variable) return;
  for (Parameter& one : function_->parameters)
    if (!one.pointer && one.name == number.name &&
        (one.type.find("int") != std::string::npos || one.type.find("long") != std::string::npos))
      for_arrays(ranges_.of(element).of_arrays,
                 [&](const Parameter& array) { one.compared_to = array.type; });
}

}  // namespace sextant::own
