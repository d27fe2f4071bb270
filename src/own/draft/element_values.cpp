#include "own/draft/element_values.hpp"

#include <map>
#include <set>

namespace sextant::own {
namespace {

bool is_equality(const Node& node) {
  return node.kind == Node::Kind::binary && (node.text == "==" || node.text == "!=");
}

bool is_bit_operation(const Node& node) {
  static const std::set<std::string> signs = {"&", "|", "^", "<<", ">>", "&=", "|=", "^=", "<<=", ">>="};
  static const std::vector<std::string> calls = {"popc", "clz", "ctz", "ffs", "parity", "bit_count"};
  if (node.kind != Node::Kind::call) return signs.contains(node.text);
  for (const std::string& one : calls)
    if (node.name.find(one) != std::string::npos) return true;
  return false;
}

// Returns a constant as the source has it; empty for other expressions.
std::string constant_text(const Node& node) {
  if (node.value) return std::to_string(*node.value);
  if (node.kind == Node::Kind::unary && node.text == "-") {
    const std::string number = constant_text(node.children[0]);
    return number.empty() ? "" : "-" + number;
  }
  return node.kind == Node::Kind::other && node.children.empty() ? node.text : "";
}

class ElementValues {
 public:
  ElementValues(const std::vector<unsigned>& places, const Helpers& helpers, Signature* function)
      : helpers_(helpers), function_(function) {
    for (std::size_t i = 0; i < function->parameters.size(); ++i)
      if (function->parameters[i].pointer) arrays_[places[i]] = i;
  }

  // `truth` is true if only zero or not zero matters of the node's value.
  void walk(const Node& node, bool truth = false) {
    if (ElementUse* use = use_of(node)) {
      (truth ? use->truth : use->valued) = true;
      for (std::size_t i = 1; i < node.children.size(); ++i) walk(node.children[i]);
      return;
    }
    if (node.kind == Node::Kind::variable) return pass(node);
    if (node.kind == Node::Kind::declaration) return declare(node);
    if (is_equality(node) && compare(node)) return;
    if (is_bit_operation(node)) note_bits(node);
    for (const Node& child : node.children) walk(child, is_condition(node, child, truth));
  }

  // Collects the characters that the code names, in functions that it calls, too.
  void collect_characters(const Node& node, int depth) {
    constexpr int most_depth = 4;
    if (node.character && node.value) characters_.insert(*node.value);
    const Helper* helper =
        node.kind == Node::Kind::call && depth < most_depth ? helper_called(helpers_, node) : nullptr;
    if (helper) collect_characters(helper->body, depth + 1);
    for (const Node& child : node.children) collect_characters(child, depth);
  }

  void finish() {
    static const std::set<std::string> types = {"char", "signed char", "unsigned char"};
    for (Parameter& one : function_->parameters)
      if (one.pointer && types.contains(one.type)) one.use.characters = characters_;
  }

 private:
  static bool is_condition(const Node& node, const Node& child, bool truth) {
    const bool first = &child == &node.children.front();
    if (node.kind == Node::Kind::branch) return first || (truth && node.children.size() == 3);
    if (node.kind == Node::Kind::loop) return node.children.size() == 2 && first;
    return node.text == "!" || node.text == "&&" || node.text == "||";
  }

  // Returns the use of the array of which the node is an element, or a copy of one; null for other nodes.
  ElementUse* use_of(const Node& node) {
    const bool element = node.kind == Node::Kind::subscript ||
                         (node.kind == Node::Kind::unary && node.text == "*" && !node.children.empty());
    if (element && node.children[0].kind == Node::Kind::variable)
      if (const auto found = arrays_.find(node.children[0].declared); found != arrays_.end())
        return &function_->parameters[found->second].use;
    if (node.kind == Node::Kind::variable)
      if (const auto found = copies_.find(node.declared); found != copies_.end())
        return &function_->parameters[found->second].use;
    return nullptr;
  }

  // Code that gets the array itself may use any value of its elements.
  void pass(const Node& node) {
    if (const auto found = arrays_.find(node.declared); found != arrays_.end())
      function_->parameters[found->second].use.valued = true;
  }

  void declare(const Node& node) {
    for (const Node& child : node.children) {
      const bool copied = node.has_init && !node.is_reference && !node.is_pointer && use_of(child) &&
                          child.kind == Node::Kind::subscript;
      if (copied) {
        copies_[node.declared] = arrays_.at(child.children[0].declared);
        walk(child.children[1]);
      } else {
        walk(child);
      }
    }
  }

  // Handles a comparison of an element with a constant. Returns false for other comparisons.
  bool compare(const Node& node) {
    for (const std::size_t i : {0, 1}) {
      const Node &element = node.children[i], &constant = node.children[1 - i];
      const std::string text = constant_text(constant);
      ElementUse* use = text.empty() ? nullptr : use_of(element);
      if (!use) continue;
      if (constant.value && !element.real) {
        use->codes.insert(*constant.value);
        use->truth = true;
      }
      if (constant.value != 0) use->compared.insert(text);
      for (std::size_t k = 1; k < element.children.size(); ++k) walk(element.children[k]);
      return true;
    }
    return false;
  }

  void note_bits(const Node& node) {
    for (const Node& child : node.children)
      if (ElementUse* use = use_of(child)) use->bits = true;
  }

  const Helpers& helpers_;
  Signature* function_;
  std::map<unsigned, std::size_t> arrays_;  // declarations of array parameters, with their indices
  std::map<unsigned, std::size_t> copies_;  // variables that begin as an element, with the index of its array
  std::set<long long> characters_;
};

}  // namespace

void read_element_values(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
                         Signature* function) {
  ElementValues values(places, helpers, function);
  values.walk(body);
  values.collect_characters(body, 0);
  values.finish();
}

}  // namespace sextant::own
