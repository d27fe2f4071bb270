#include "own/draft/array_uses.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "own/draft/ranges.hpp"

namespace sextant::own {
namespace {

Range exactly(const Polynomial& value) {
  Range range;
  range.low = value;
  range.high = value;
  return range;
}
Range at_begin() { return exactly(Polynomial(0)); }

class Uses {
 public:
  Uses(const std::vector<unsigned>& places, Signature* function) : function_(function), ranges_(function) {
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Parameter& one = function->parameters[i];
      if (one.pointer)
        arrays_[places[i]] = {i, Polynomial(0)};
      else
        ranges_.set(places[i], exactly(Polynomial::of(one.name)));
    }
  }

  void walk(const Node& node) {
    switch (node.kind) {
      case Node::Kind::declaration:
        return declare(node);
      case Node::Kind::binary:
        if (node.text == "=") return assign(node, false);
        // The second operand of && is evaluated only if the first is true, that of || only if it is false.
        if (node.text == "&&" || node.text == "||") {
          walk(node.children[0]);
          return within(node.children[0], node.text == "&&", node.children[1]);
        }
        break;
      case Node::Kind::compound:
        return assign(node, true);
      case Node::Kind::unary:
        if (node.text == "++" || node.text == "--" || node.text == "&") return change(node.children[0], true);
        if (node.text == "*") return element(node.children[0], at_begin(), true, false);
        break;
      case Node::Kind::subscript:
        return element(node, true, false);
      case Node::Kind::member:  // an element access in the form p->x
        if (!node.children.empty() && alias_of(node.children[0]))
          return element(node.children[0], at_begin(), true, false);
        break;
      case Node::Kind::variable:
        return pass(node);
      case Node::Kind::branch:
        return branch(node);
      case Node::Kind::loop:
        if (node.children.size() == 2) {
          forget_changed(node.children[1]);
          walk(node.children[0]);
          return within(node.children[0], true, node.children[1]);
        }
        for (const Node& child : node.children) {
          if (&child == &node.children.back()) ranges_.enter(node);
          walk(child);
        }
        return;
      default:
        break;
    }
    for (const Node& child : node.children) walk(child);
  }

 private:
  struct Alias {
    std::size_t parameter;
    std::optional<Polynomial> begin;  // upper bound of the offset from the parameter; empty if unknown
  };

  // Returns the parameter and offset that a pointer variable refers to, or null.
  const Alias* alias_of(const Node& node) const {
    const auto found = arrays_.find(node.declared);
    return node.kind == Node::Kind::variable && found != arrays_.end() ? &found->second : nullptr;
  }

  std::optional<Alias> pointer_of(const Node& node) {
    if (const Alias* known = alias_of(node)) return *known;
    if (node.kind == Node::Kind::unary && node.text == "&" && node.children[0].kind == Node::Kind::subscript)
      return moved(pointer_of(node.children[0].children[0]), node.children[0].children[1]);
    if (node.kind == Node::Kind::binary && node.text == "+") {
      if (std::optional<Alias> left = pointer_of(node.children[0])) return moved(left, node.children[1]);
      return moved(pointer_of(node.children[1]), node.children[0]);
    }
    // A pointer cast: the element size may differ, so the offset is unknown.
    if (node.kind == Node::Kind::other && node.children.size() == 1) {
      std::optional<Alias> seen = pointer_of(node.children[0]);
      if (seen) seen->begin.reset();
      return seen;
    }
    return {};
  }

  std::optional<Alias> moved(std::optional<Alias> from, const Node& by) {
    if (!from) return from;
    const std::optional<Polynomial> high = ranges_.of(by).high;
    from->begin = from->begin && high ? std::optional(*from->begin + *high) : std::nullopt;
    return from;
  }

  void declare(const Node& node) {
    if (!node.has_init) return;
    const Node& value = node.children[0];
    if (node.is_pointer)
      if (const std::optional<Alias> alias = pointer_of(value)) {
        arrays_[node.declared] = *alias;
        return;
      }
    if (node.is_reference) return change(value, true);
    walk(value);
    ranges_.set(node.declared, ranges_.of(value));
  }

  void assign(const Node& node, bool reads) {
    walk(node.children[1]);
    const Node& left = node.children[0];
    if (const Alias* alias = alias_of(left)) {  // pointer arithmetic: the offset is unknown now
      arrays_[left.declared] = {alias->parameter, std::nullopt};
      return;
    }
    if (left.kind != Node::Kind::variable) return change(left, reads);
    if (reads)
      ranges_.forget(left.declared);
    else if (assigned_.insert(left.declared).second)
      ranges_.set(left.declared, ranges_.of(node.children[1]));
    else
      ranges_.forget(left.declared);
  }

  // Records that an element is written and, if `reads` is true, also read.
  void change(const Node& node, bool reads) {
    if (node.kind == Node::Kind::subscript) return element(node, reads, true);
    if (node.kind == Node::Kind::member && node.children.size() == 1 && alias_of(node.children[0]))
      return element(node.children[0], at_begin(), reads, true);
    if (node.kind == Node::Kind::member && node.children.size() == 1) return change(node.children[0], reads);
    if (node.kind == Node::Kind::unary && node.text == "*")
      return element(node.children[0], at_begin(), reads, true);
    walk(node);
  }

  void element(const Node& node, bool reads, bool writes) {
    walk(node.children[1]);
    element(node.children[0], ranges_.of(node.children[1]), reads, writes);
  }

  void element(const Node& array, const Range& index, bool reads, bool writes) {
    const std::optional<Alias> alias = pointer_of(array);
    if (!alias) return walk(array);
    Parameter& parameter = function_->parameters[alias->parameter];
    parameter.read = parameter.read || reads;
    parameter.written = parameter.written || writes;
    for (const unsigned chooser : index.of_arrays)
      if (const auto found = arrays_.find(chooser); found != arrays_.end())
        add(&parameter.chosen_by,
            Chooser{function_->parameters[found->second.parameter].name, index.factor, index.rest});
    if (const auto rows = arrays_.find(index.rows); index.rows > 0 && rows != arrays_.end())
      add(&function_->parameters[rows->second.parameter].rows_of, parameter.name);
    if (index.high && alias->begin && index.of_arrays.empty()) {
      add(&parameter.lengths, *alias->begin + *index.high + Polynomial(1));
      if (writes && all_ && index.low == Polynomial(0))
        add(&parameter.whole, *alias->begin + *index.high + Polynomial(1));
    } else {
      parameter.has_unknown = true;
    }
  }

  template <typename Value>
  static void add(std::vector<Value>* values, const Value& value) {
    if (std::find(values->begin(), values->end(), value) == values->end()) values->push_back(value);
  }

  // Records an array that is passed to a function as a whole.
  void pass(const Node& node) {
    const Alias* alias = alias_of(node);
    if (!alias) return;
    Parameter& parameter = function_->parameters[alias->parameter];
    parameter.read = true;
    parameter.written = parameter.written || !parameter.is_const;
    parameter.has_unknown = true;
  }

  // Forgets what is known about the variables that a loop's body changes.
  void forget_changed(const Node& node) {
    const bool changes = node.kind == Node::Kind::compound ||
                         (node.kind == Node::Kind::binary && node.text == "=") ||
                         (node.kind == Node::Kind::unary && (node.text == "++" || node.text == "--"));
    if (changes && node.children[0].kind == Node::Kind::variable) ranges_.forget(node.children[0].declared);
    for (const Node& child : node.children) forget_changed(child);
  }

  void branch(const Node& node) {
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
    within(node.children[0], true, then);
    if (node.children.size() > 2) within(node.children[0], false, node.children[2]);
  }

  // Returns true if a condition that has the value `holds` only limits indices from above.
  static bool is_end(const Node& condition, bool holds) {
    if (condition.kind != Node::Kind::binary) return false;
    if (condition.text == (holds ? "&&" : "||"))
      return is_end(condition.children[0], holds) && is_end(condition.children[1], holds);
    const bool plain = condition.children[0].kind == Node::Kind::variable ||
                       condition.children[0].kind == Node::Kind::binary;
    return plain && (holds ? condition.text == "<" : condition.text == ">=");
  }

  // Reads the statement `part`, which runs only if the condition has the value `holds`.
  void within(const Node& condition, bool holds, const Node& part) {
    const Ranges outside = ranges_;
    const bool all = all_;
    all_ = all_ && is_end(condition, holds);
    ranges_.learn(condition, holds);
    walk(part);
    ranges_ = outside;
    all_ = all;
  }

  Signature* function_;
  Ranges ranges_;
  // Maps the declaration of a parameter, or of a pointer into one, to that parameter.
  std::map<unsigned, Alias> arrays_;
  std::set<unsigned> assigned_;
  bool all_ = true;  // true while the code being read runs for all indices up to their bounds
};

// Determines the number of threads or blocks that have work, after the body was read. If threads compare
// their index with a bound, array lengths must not depend on the number of threads.
void count_items(Signature* function) {
  for (Axis& axis : function->axes) {
    if (!axis.items && !axis.blocks) axis.items = axis.of_block;
    if (!axis.items && !axis.threads) axis.items = axis.block_items;
  }
  Axis& axis = function->axes[0];
  const bool checked = axis.items || axis.block_items;
  for (Parameter& one : function->parameters) {
    const auto of_threads = [](const Polynomial& length) { return length.has(unchecked_threads); };
    const bool any = std::any_of(one.lengths.begin(), one.lengths.end(), of_threads);
    if (any && !checked) axis.items = Polynomial::of(unchecked_threads);
    if (!any || !checked) continue;
    std::erase_if(one.lengths, of_threads);
    one.has_unknown = true;
  }
}

}  // namespace

void read_uses(const Node& body, const std::vector<unsigned>& places, Signature* function) {
  Uses(places, function).walk(body);
  count_items(function);
}

}  // namespace sextant::own
