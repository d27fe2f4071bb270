#include "own/draft/decisions.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "own/draft/array_uses.hpp"

namespace sextant::own {
namespace {

bool compares(const Node& node) {
  static const std::set<std::string> signs = {"<", "<=", ">", ">=", "==", "!="};
  return node.kind == Node::Kind::binary && signs.contains(node.text);
}

bool steps(const Node& node) {
  return node.kind == Node::Kind::unary && (node.text == "++" || node.text == "--");
}

bool assigns(const Node& node) {
  return node.kind == Node::Kind::compound || (node.kind == Node::Kind::binary && node.text == "=");
}

class Decisions {
 public:
  Decisions(const std::vector<unsigned>& places, const Helpers& helpers, Signature* function)
      : helpers_(helpers), function_(function) {
    for (std::size_t i = 0; i < function->parameters.size(); ++i)
      if (function->parameters[i].pointer) arrays_[places[i]] = i;
  }

  void read(const Node& body) {
    // A variable may be used before the statement that decides its value, as the loop goes round.
    constexpr int rounds = 3;
    for (int i = 0; i < rounds; ++i) under_ = Decided::no, walk(body);
  }

 private:
  // Returns true if a real number is the result of a computation that may round.
  bool is_computed(const Node& node) const {
    if (node.value || node.kind == Node::Kind::subscript) return false;
    if (node.kind == Node::Kind::variable) return computed_.contains(node.declared);
    if (node.kind == Node::Kind::call) {
      static const std::set<std::string> exact = {"min",  "max",   "fmin",  "fmax", "abs",
                                                  "fabs", "fminf", "fmaxf", "fabsf"};
      if (!exact.contains(node.name.substr(node.name.rfind(':') + 1))) return true;
    }
    if (node.kind == Node::Kind::binary && !compares(node)) return true;
    return std::any_of(node.children.begin(), node.children.end(),
                       [&](const Node& child) { return is_computed(child); });
  }

  Decided of(const Node& node) const {
    Decided most = Decided::no;
    if (node.kind == Node::Kind::variable)
      if (const auto found = decided_.find(node.declared); found != decided_.end()) most = found->second;
    if (node.rounds && is_computed(node)) most = std::max(most, Decided::rounded);
    if (compares(node) && std::any_of(node.children.begin(), node.children.end(),
                                      [&](const Node& child) { return child.real && is_computed(child); }))
      return Decided::compared;
    if (node.kind == Node::Kind::call)
      if (const Helper* helper = helper_called(helpers_, node))
        most = std::max(most, of_call(node, helper->signature));
    for (const Node& child : node.children) most = std::max(most, of(child));
    return most;
  }

  // The types of a template are taken as real numbers, but a call may give it whole numbers.
  static bool computes_whole(const Node& call, const Signature& helper) {
    return !helper.templates.empty() && std::none_of(call.children.begin() + 1, call.children.end(),
                                                     [](const Node& one) { return one.real; });
  }

  Decided of_call(const Node& node, const Signature& helper) const {
    if (computes_whole(node, helper)) return Decided::no;
    Decided most = helper.decides;
    // The helper compares what it is given.
    if (helper.compares)
      for (std::size_t i = 1; i < node.children.size(); ++i)
        if (node.children[i].real && is_computed(node.children[i])) most = Decided::compared;
    return most;
  }

  void walk(const Node& node) {
    if (node.kind == Node::Kind::declaration && node.has_init) set(node.declared, node, node.children[0]);
    if (assigns(node)) assign(node.children[0], node.children[1], node.kind == Node::Kind::compound);
    if (steps(node)) assign(node.children[0], node.children[0], false);
    if (node.kind == Node::Kind::call) call(node);
    if (compares(node) && (node.children[0].real || node.children[1].real)) function_->compares = true;
    const Decided outside = under_;
    if (node.kind == Node::Kind::leave) {
      function_->decides = std::max(function_->decides, under_);
      for (const Node& child : node.children) function_->decides = std::max(function_->decides, of(child));
    }
    if (node.kind == Node::Kind::branch || node.kind == Node::Kind::loop) {
      for (const Node& child : node.children)
        if (&child != &node.children.back()) under_ = std::max(under_, of(child));
    }
    for (const Node& child : node.children) walk(child);
    // What follows an early return is decided by its condition, too.
    if (!(node.kind == Node::Kind::branch && node.children.size() == 2 && leaves(node.children[1])))
      under_ = outside;
  }

  static bool leaves(const Node& then) {
    return then.kind == Node::Kind::leave ||
           (!then.children.empty() && then.children.back().kind == Node::Kind::leave);
  }

  void set(unsigned declared, const Node& node, const Node& value) {
    if (node.is_pointer)
      if (const std::size_t* array = array_in(value)) arrays_[declared] = *array;
    decide(declared, std::max(under_, of(value)));
    if (is_computed(value)) computed_.insert(declared);
  }

  void decide(unsigned declared, Decided how) {
    if (how != Decided::no && declared > 0) decided_[declared] = std::max(decided_[declared], how);
  }

  void assign(const Node& left, const Node& value, bool compound) {
    if (left.kind == Node::Kind::variable && !arrays_.contains(left.declared)) {
      decide(left.declared, std::max(under_, of(value)));
      if (compound || is_computed(value)) computed_.insert(left.declared);
      return;
    }
    if (const std::size_t* array = array_in(left)) mark(*array, std::max({under_, of(value), of(left)}));
  }

  // An atomic function changes the element to which its first argument points. A helper may write arrays.
  void call(const Node& node) {
    const bool atomic = node.name.starts_with("atomic");
    const Helper* found = helper_called(helpers_, node);
    const Signature* helper = found ? &found->signature : nullptr;
    Decided how = under_;
    for (std::size_t i = 1; i < node.children.size(); ++i) how = std::max(how, of(node.children[i]));
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const std::size_t* array = array_in(node.children[i]);
      if (!array) continue;
      if (atomic && i == 1) mark(*array, how);
      if (helper && i - 1 < helper->parameters.size() && helper->parameters[i - 1].written)
        mark(*array, computes_whole(node, *helper) ? how : std::max(how, helper->parameters[i - 1].decided));
    }
  }

  void mark(std::size_t array, Decided how) {
    Parameter& parameter = function_->parameters[array];
    parameter.decided = std::max(parameter.decided, how);
  }

  // Returns the array that an element or a pointer belongs to, or null.
  const std::size_t* array_in(const Node& node) const {
    if (node.kind == Node::Kind::variable) {
      const auto found = arrays_.find(node.declared);
      return found == arrays_.end() ? nullptr : &found->second;
    }
    if (node.kind == Node::Kind::call) return nullptr;
    for (const Node& child : node.children)
      if (const std::size_t* found = array_in(child)) return found;
    return nullptr;
  }

  const Helpers& helpers_;
  Signature* function_;
  std::map<unsigned, std::size_t> arrays_;  // maps a declaration to the parameter that it refers to
  std::set<unsigned> computed_;             // declarations of variables with computed real numbers
  std::map<unsigned, Decided> decided_;     // maps a declaration to what decides the variable's value
  Decided under_ = Decided::no;             // what decides whether the code being read runs
};

}  // namespace

void read_decisions(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
                    Signature* function) {
  Decisions(places, helpers, function).read(body);
}

}  // namespace sextant::own
