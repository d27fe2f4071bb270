#include "own/draft/array_uses.hpp"

#include <utility>

#include "own/draft/thread_items.hpp"
#include "own/draft/uses_of_body.hpp"

namespace sextant::own {

Uses::Uses(const std::vector<unsigned>& places, const Helpers& helpers, Signature* function)
    : ArrayPointers(Ranges(function, &helpers)),
      function_(function),
      helpers_(helpers),
      nest_(function),
      writes_(function) {
  for (std::size_t i = 0; i < function->parameters.size(); ++i) {
    const Parameter& one = function->parameters[i];
    if (one.pointer)
      arrays_[places[i]] = {i, Polynomial(0)};
    else
      ranges_.set(places[i], exactly(Polynomial::of(one.name)));
  }
  for (std::size_t i = 0; i < function->templates.size(); ++i) {
    if (function->templates[i].is_type) continue;
    Range number = exactly(Polynomial::of(function->templates[i].name));
    number.size = {true, true, true};  // a template constant that multiplies blockIdx is the block size
    ranges_.set(places[function->parameters.size() + i], number);
  }
}

void Uses::walk(const Node& node) {
  switch (node.kind) {
    case Node::Kind::declaration:
      return declare(node);
    case Node::Kind::binary:
      note_element(node);
      if (node.text == "=") return assign(node, false);
      // A difference of pointers accesses no element.
      if (node.text == "-" && alias_of(node.children[1])) return walk(node.children[0]);
      // The second operand of && is evaluated only if the first is true. The second operand of || is
      // evaluated only if the first is false.
      if (node.text == "&&" || node.text == "||") {
        walk(node.children[0]);
        return within(node.children[0], node.text == "&&", node.children[1]);
      }
      break;
    case Node::Kind::compound:
      note_element(node);
      return assign(node, true);
    case Node::Kind::unary:
      if (is_step(node)) set_.forget(node.children[0].declared), ranges_.forget(node.children[0].declared);
      if (is_step(node) && alias_of(node.children[0])) return static_cast<void>(pointer_of(node));
      if (is_step(node) || node.text == "&") return change(node.children[0], true);
      if (node.text == "*") return element(node.children[0], at_begin(), true, false);
      break;
    case Node::Kind::subscript:
      return element(node, true, false);
    case Node::Kind::member:  // an element access in the form p->x
      if (!node.children.empty() && alias_of(node.children[0]))
        return element(node.children[0], at_begin(), true, false);
      break;
    case Node::Kind::variable:
      return references_.contains(node.declared) ? element(node, at_begin(), true, false) : pass(node);
    case Node::Kind::call:
      if (changes_one(node)) return change_one(node);
      if (swaps(node)) return;
      if (searches(node)) return search(node);
      if (const Helper* helper = helper_of(node)) return call(node, *helper);
      if (writes_many(node)) return;
      break;
    case Node::Kind::branch:
      return branch(node);
    case Node::Kind::loop:
      set_.forget_changed(node);
      if (node.children.size() == 2) {
        note_search(node);
        carry(node.children[1]);
        move_pointers(node.children[1], {});
        walk(node.children[0]);
        return within(node.children[0], true, node.children[1]);
      }
      return count(node);
    default:
      break;
  }
  for (const Node& child : node.children) walk(child);
}

void Uses::finish() {
  for (const auto& [variable, array] : links_) function_->parameters[array].ends |= asked_.contains(variable);
  writes_.finish();
}

namespace {

// Makes two arrays equal that are swapped: each is used as the other is.
void make_equal(Parameter* a, Parameter* b) {
  for (const auto& [to, from] : {std::pair(a, b), std::pair(b, a)}) {
    to->read = to->read || from->read, to->written = to->written || from->written;
    to->has_unknown = to->has_unknown || from->has_unknown;
    to->lengths.insert(to->lengths.end(), from->lengths.begin(), from->lengths.end());
  }
  a->read = b->read = a->read || a->written;
  a->whole.clear(), b->whole.clear();
}

}  // namespace

void read_uses(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
               Signature* function) {
  Uses uses(places, helpers, function);
  uses.walk(body);
  uses.finish();
  for (const auto& [a, b] : uses.swapped()) make_equal(&function->parameters[a], &function->parameters[b]);
  count_items(function);
  multiply_threads(function, uses.adds_atomically());
}

}  // namespace sextant::own
