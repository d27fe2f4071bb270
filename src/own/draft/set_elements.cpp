#include "own/draft/set_elements.hpp"

namespace sextant::own {
namespace {

std::string word_of(unsigned declared) { return "#" + std::to_string(declared) + " "; }

std::string text_of(const Node& node) {
  std::string text =
      node.value ? std::to_string(*node.value) + " " : word_of(node.declared) + node.name + node.text;
  for (const Node& child : node.children) text += "(" + text_of(child) + ")";
  return text;
}

}  // namespace

bool changes(const Node& node) {
  return node.kind == Node::Kind::compound || (node.kind == Node::Kind::binary && node.text == "=") ||
         (node.kind == Node::Kind::unary && (node.text == "++" || node.text == "--"));
}

void SetElements::add(const Node& element) { elements_.insert(text_of(element)); }

bool SetElements::has(const Node& element) const { return elements_.contains(text_of(element)); }

void SetElements::forget(unsigned declared) {
  std::erase_if(elements_,
                [&](const std::string& one) { return one.find(word_of(declared)) != std::string::npos; });
}

void SetElements::forget_changed(const Node& code) {
  if (changes(code) && code.children[0].kind == Node::Kind::variable) forget(code.children[0].declared);
  for (const Node& child : code.children) forget_changed(child);
}

}  // namespace sextant::own
