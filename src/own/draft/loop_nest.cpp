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

// Returns true if the value of `s = value` is a sum with s, or s given to a function that is no choice.
bool adds_to(const Node& value, unsigned declared) {
  const bool sums =
      value.kind == Node::Kind::binary
          ? value.text == "+" || value.text == "-"
          : value.kind == Node::Kind::call && !value.name.ends_with("min") && !value.name.ends_with("max");
  return sums && mentions(value, declared);
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

void LoopNest::add_terms(const Polynomial& terms) {
  std::optional<Polynomial>& most = function_->terms;
  const bool more = !most || terms.degree() > most->degree() ||
                    (terms.degree() == 0 && most->degree() == 0 && *terms.constant() > *most->constant());
  if (terms.grows() && more) most = terms;
}

void LoopNest::note_sum(const Node& assignment, bool compound) {
  const Node& left = assignment.children[0];
  if (!(left.real || left.is_struct) || loops_.empty()) return;
  const bool is_variable = left.kind == Node::Kind::variable;
  const bool sums = compound ? assignment.text == "+=" || assignment.text == "-="
                             : is_variable && adds_to(assignment.children[1], left.declared);
  const auto depth = depth_of_.find(left.declared);
  if (!sums || (is_variable && depth == depth_of_.end())) return;
  add_terms(iterations(
      [&](std::size_t i) { return is_variable ? i >= depth->second : !mentions(left, loops_[i].variable); }));
}

}  // namespace sextant::own
