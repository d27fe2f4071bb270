#include "own/draft/loop_nest.hpp"

#include <algorithm>

#include "own/draft/binary_search.hpp"

namespace sextant::own {
namespace {

unsigned variable_of(const Node& loop) {
  const Node& first = loop.children[0];
  for (const Node& one : first.children)
    if (one.kind == Node::Kind::declaration) return one.declared;
  return first.text == "=" ? first.children[0].declared : 0;
}

bool is_sum(const std::string& sign) { return sign.starts_with("+") || sign.starts_with("-"); }
bool is_product(const std::string& sign) { return sign.starts_with("*") || sign.starts_with("/"); }

// Returns true if the value of `s = value` is computed from s, but is no choice.
bool continues(const Node& value, unsigned declared) {
  const bool choice = value.kind == Node::Kind::call && (value.name.find("min") != std::string::npos ||
                                                         value.name.find("max") != std::string::npos);
  const bool computes = value.kind == Node::Kind::binary ? is_sum(value.text) || is_product(value.text)
                                                         : value.kind == Node::Kind::call && !choice;
  return computes && mentions(value, declared);
}

// Returns true if a value is divided by something that is computed from a variable.
bool divides_by(const Node& value, unsigned declared) {
  return (value.kind == Node::Kind::binary && value.text == "/" && mentions(value.children[1], declared)) ||
         std::any_of(value.children.begin(), value.children.end(),
                     [&](const Node& child) { return divides_by(child, declared); });
}

// Returns the struct of which a node is a member, or the node itself.
const Node& base_of(const Node& node) {
  return node.kind == Node::Kind::member && node.children.size() == 1 ? base_of(node.children[0]) : node;
}

}  // namespace

void LoopNest::enter(const Node& loop, const std::optional<LoopSpan>& span) {
  Around around{variable_of(loop), loop.end, Polynomial(1), Polynomial(1)};
  if (span) around.count = span->count, around.step = span->step;
  loops_.push_back(around);
  add_work(Polynomial(1));
}

// Returns the number of iterations of the loops for whose positions `counts` is true.
template <typename Counts>
Polynomial LoopNest::iterations(const Counts& counts) const {
  Polynomial product(1), steps(1);
  for (std::size_t i = 0; i < loops_.size(); ++i)
    if (counts(i)) product = product * loops_[i].count, steps = steps * loops_[i].step;
  return product.divided(steps).value_or(product);
}

void LoopNest::add_work(const Polynomial& each) {
  const Polynomial all = iterations([](std::size_t) { return true; }) * each;
  std::vector<Polynomial>& work = function_->work;
  if (all.grows() && std::find(work.begin(), work.end(), all) == work.end()) work.push_back(all);
}

void LoopNest::add_terms(const Polynomial& terms, bool sums) {
  std::optional<Polynomial>& most = function_->terms;
  const bool more = !most || terms.degree() > most->degree() ||
                    (terms.degree() == 0 && most->degree() == 0 && *terms.constant() > *most->constant());
  if (!terms.grows() || !more) return;
  most = terms;
  function_->recurs = !sums;
}

void LoopNest::note_sum(const Node& assignment, bool compound) {
  const Node &left = assignment.children[0], &base = base_of(left), &value = assignment.children[1];
  if (!(left.real || left.is_struct) || loops_.empty()) return;
  const bool is_variable = base.kind == Node::Kind::variable;
  const auto depth = depth_of_.find(base.declared);
  const bool continued = compound ? is_sum(assignment.text) || is_product(assignment.text)
                                  : is_variable && continues(value, base.declared);
  if (!continued || (is_variable && depth == depth_of_.end())) return;
  function_->amplifies = function_->amplifies || (!compound && divides_by(value, base.declared));
  const bool sums =
      compound ? is_sum(assignment.text) : value.kind != Node::Kind::binary || is_sum(value.text);
  add_terms(iterations([&](std::size_t i) {
              return is_variable ? i >= depth->second : !mentions(left, loops_[i].variable);
            }),
            sums);
}

}  // namespace sextant::own
