#include "own/draft/helpers.hpp"

namespace sextant::own {

const Helper* helper_called(const Helpers& helpers, const Node& call) {
  if (call.children.empty()) return nullptr;
  const Node& callee = call.children[0];
  if (const auto found = helpers.find(callee.declared); callee.declared > 0 && found != helpers.end())
    return &found->second;
  if (callee.kind == Node::Kind::variable) return nullptr;
  // In a template, the parser may not know yet which function of that name is called.
  const Helper* known = nullptr;
  for (const auto& [at, one] : helpers) {
    const std::string& name = one.signature.name;
    if (name.substr(name.rfind(':') + 1) != call.name.substr(call.name.rfind(':') + 1)) continue;
    if (known) return nullptr;
    known = &one;
  }
  return known;
}

}  // namespace sextant::own
