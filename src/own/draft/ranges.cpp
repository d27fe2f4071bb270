#include "own/draft/ranges.hpp"

#include <algorithm>

#include "own/draft/binary_search.hpp"
#include "own/draft/returned_range.hpp"
#include "own/draft/set_elements.hpp"

namespace sextant::own {
namespace {

bool is_comparison(const std::string& sign) {
  return sign == "<" || sign == "<=" || sign == ">" || sign == ">=" || sign == "!=";
}

bool depends_on_threads(const Range& range) {
  constexpr std::array<bool, 3> none{};
  return range.threads != none || range.blocks != none;
}

// Returns the divisor of a value that is computed from two others.
Polynomial divided_by_both(const Range& a, const Range& b) {
  if (!depends_on_threads(a)) return b.divided_by;
  return !depends_on_threads(b) || a.divided_by == b.divided_by ? a.divided_by : Polynomial(1);
}

// Returns a range without bounds. It depends on all threads, blocks and arrays on which `a` or `b` depends.
Range joined(const Range& a, const Range& b) {
  Range all;
  for (std::size_t i = 0; i < 3; ++i) {
    all.threads[i] = a.threads[i] || b.threads[i];
    all.blocks[i] = a.blocks[i] || b.blocks[i];
    all.block_size[i] = std::max(a.block_size[i], b.block_size[i]);
    all.block_name[i] = a.block_name[i].empty() ? b.block_name[i] : a.block_name[i];
  }
  all.divided_by = divided_by_both(a, b);
  all.rows = std::max(a.rows, b.rows);
  all.remainder_of = a.remainder_of;
  all.remainder_of.insert(all.remainder_of.end(), b.remainder_of.begin(), b.remainder_of.end());
  all.of_arrays = a.of_arrays;
  all.of_arrays.insert(all.of_arrays.end(), b.of_arrays.begin(), b.of_arrays.end());
  return all;
}

// The value does not depend on the arrays any more, because its bound holds for all of their elements.
Range bounded_by(const Polynomial& high, Range range) {
  range.high = high;
  range.of_arrays.clear();
  range.factor.reset();
  range.rows = 0;
  return range;
}

// Returns a bound of the polynomial and of the number, for names that stand for positive numbers.
Polynomial at_least(const Polynomial& one, std::int64_t number) {
  Polynomial smallest = one;
  for (const std::string& name : one.names()) smallest = smallest.with(name, 1);
  const std::int64_t missing = number - smallest.constant().value_or(0);
  return one + Polynomial(std::max<std::int64_t>(missing, 0));
}

bool equal(const Node& a, const Node& b) {
  if (a.value || b.value) return a.value == b.value;
  return a.kind == b.kind && a.declared == b.declared && a.name == b.name && a.text == b.text &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(), equal);
}

// Returns true for choices such as `a < b ? a : b`.
bool is_minimum(const Node& choice) {
  const Node& condition = choice.children[0];
  if (condition.kind != Node::Kind::binary) return false;
  const bool less = condition.text == "<" || condition.text == "<=";
  const bool more = condition.text == ">" || condition.text == ">=";
  return (less || more) && equal(condition.children[less ? 0 : 1], choice.children[1]) &&
         equal(condition.children[less ? 1 : 0], choice.children[2]);
}

bool is_next(const Node& after, const Node& before) {
  const auto moved = [](const Node& one, const char* sign, const Node& from) {
    return one.kind == Node::Kind::binary && one.text == sign && one.children[1].value == 1 &&
           equal(one.children[0], from);
  };
  return moved(after, "+", before) || moved(before, "-", after);
}

// Returns the array of which both values are neighbouring elements, as the offsets of a row are; 0 if there
// is none.
unsigned row_offsets(const Range& a, const Range& b) {
  if (!a.element || !b.element) return 0;
  const Node &x = a.element->children[0], &y = b.element->children[0];
  const Node &i = a.element->children[1], &j = b.element->children[1];
  return x.declared == y.declared && (is_next(i, j) || is_next(j, i)) ? x.declared : 0;
}

std::optional<std::int64_t> constant_of(const Range& range) {
  return range.high && *range.high == range.low ? range.high->constant() : std::nullopt;
}

// Records that a block index is multiplied by `by`, which is a number of threads per block.
void multiply_block(const Range& by, std::size_t axis, Range* result) {
  if (const auto known = constant_of(by))
    result->block_size[axis] = *known;
  else if (by.high && *by.high == by.low && by.high->names().size() == 1 && by.high->degree() == 1)
    result->block_name[axis] = by.high->names()[0];
}

// Returns true if a < b for all values of the names in them.
bool is_smaller(const Polynomial& a, const Polynomial& b) {
  const std::optional<std::int64_t> difference = (b - a).constant();
  return difference && *difference > 0;
}

// Tracks indices of the form factor * e + rest, where e is an element of an array. `element` has this form,
// and `other` is added to it or multiplied with it. If `other` also depends on an array, the form is lost.
void follow_element(const Range& element, const Range& other, const std::string& sign, Range* result) {
  if (!element.factor || !other.of_arrays.empty() || !other.high) return;
  if (sign == "+") {
    result->factor = element.factor;
    result->rest = element.rest + *other.high;
  } else if (sign == "*" && *other.high == other.low) {
    result->factor = *element.factor * *other.high;
    result->rest = element.rest * *other.high;
  }
}

bool counts_down(const Node& node) { return node.kind == Node::Kind::unary && node.text == "--"; }

// Returns the constant step of a loop variable, or nothing. The step of a variable that decreases is
// positive, too.
std::optional<Polynomial> step_of(Ranges* ranges, const Node& loop, unsigned variable) {
  for (std::size_t i = 0; i + 1 < loop.children.size(); ++i) {
    const Node& part = loop.children[i];
    if (part.children.empty() || part.children[0].declared != variable) continue;
    if (part.kind == Node::Kind::unary && (part.text == "++" || part.text == "--")) return Polynomial(1);
    if (part.kind != Node::Kind::compound || (part.text != "+=" && part.text != "-=")) continue;
    const Range by = ranges->of(part.children[1]);
    if (by.high && *by.high == by.low) return by.high;
  }
  return {};
}

// A quotient is rounded down: (n - 1) * m / n is below m.
void divide(const Range& a, const Range& b, Range* result) {
  if (!b.high || !(*b.high == b.low) || b.low == Polynomial(0)) return;
  result->divided_by = a.divided_by * b.low;
  if (!a.high) return;
  result->quotient = {*b.high, *a.high};
  const auto [quotient, rest] = a.high->divided_with_rest(*b.high);
  if (rest.constant() == 0)
    result->high = quotient;
  else if ((Polynomial(0) - rest).grows())
    result->high = quotient - Polynomial(1);
  else if (rest.constant() && b.high->constant())
    result->high = quotient + Polynomial(*rest.constant() / *b.high->constant());
}

// Follows the divisor of a thread's index through a product: 4 * (i / 32) takes every fourth number, so there
// are 8 threads for each number.
void multiply_divided(const Range& a, const Range& by, Range* result) {
  const std::optional<std::int64_t> divisor = a.divided_by.constant(), factor = constant_of(by);
  result->divided_by =
      divisor && factor && *factor > 0 ? Polynomial((*divisor + *factor - 1) / *factor) : Polynomial(1);
}

bool is_exact(const Range& range) { return range.high && *range.high == range.low; }

// Follows quotients and multiples through a product. (n + m - 1) / m times m is at most n + m - 1.
void multiply(const Range& a, const Range& by, Range* result) {
  if (!is_exact(by)) return;
  if (!is_exact(a)) result->stride = a.stride ? *a.stride * *by.high : *by.high;
  if (!a.quotient) return;
  const auto& [divisor, product] = *a.quotient;
  if (by.high->constant()) result->quotient = {divisor, product * *by.high};
  if (*by.high == divisor && !result->high) result->high = product;
}

// Adds a constant to a quotient, and any number to a multiple of another one.
void add_to(const Range& a, const Range& more, std::int64_t sign, Range* result) {
  if (is_exact(more)) result->stride = a.stride;
  if (const std::optional<std::int64_t> known = constant_of(more); known && a.quotient)
    result->quotient = {a.quotient->first,
                        a.quotient->second + Polynomial(sign * *known) * a.quotient->first};
}

// `bits` is the number of bits of the value that is shifted; 0 if it is unknown.
void shift_right(const Range& a, const Range& b, int bits, Range* result) {
  constexpr std::int64_t most_bits = 24;  // of an index
  const std::optional<std::int64_t> by = constant_of(b);
  if (!by || *by < 0 || *by > 62) return;
  divide(a, exactly(Polynomial(std::int64_t{1} << *by)), result);
  if (!result->high && bits > *by && bits - *by <= most_bits)
    *result = bounded_by(Polynomial((std::int64_t{1} << (bits - *by)) - 1), *result);
}

int axis_of(const std::string& name) {
  return name.size() == 1 && name >= "x" && name <= "z" ? name[0] - 'x' : -1;
}

std::string opposite(const std::string& sign) {
  return sign == "<" ? ">=" : sign == "<=" ? ">" : sign == ">" ? "<=" : sign == ">=" ? "<" : "";
}

std::string from_right(const std::string& sign) {
  return sign == "<" ? ">" : sign == "<=" ? ">=" : sign == ">" ? "<" : sign == ">=" ? "<=" : sign;
}

}  // namespace

Range exactly(const Polynomial& value) {
  Range range;
  range.low = value;
  range.high = value;
  return range;
}

Range either(const Range& a, const Range& b) {
  Range all = joined(a, b);
  const Range& chosen = a.of_arrays.empty() ? b : a;
  if (a.of_arrays.empty() || b.of_arrays.empty() || (a.factor == b.factor && a.rest == b.rest))
    all.factor = chosen.factor, all.rest = chosen.rest;
  if (!a.high || !b.high) return all;
  const std::optional<std::int64_t> more = (*a.high - *b.high).constant();
  if (more)
    all.high = *more >= 0 ? a.high : b.high;
  else if (a.high->constant() || b.high->constant())  // such as -1 for no index
    all.high =
        a.high->constant() ? at_least(*b.high, *a.high->constant()) : at_least(*a.high, *b.high->constant());
  return all;
}

void Ranges::set(unsigned declared, const Range& range) {
  drop_facts_on(declared);
  known_[declared] = range;
}

void Ranges::set_flag(unsigned declared, const std::vector<Fact>& facts) {
  std::vector<Fact>& kept = flags_[declared] = facts;
  std::erase_if(kept, [&](const Fact& one) { return mentions(*one.first, declared); });
}

const std::vector<Fact>& Ranges::facts_of(unsigned declared) const {
  static const std::vector<Fact> none;
  const auto found = flags_.find(declared);
  return found == flags_.end() ? none : found->second;
}

// Drops the facts on a variable that gets another value.
void Ranges::drop_facts_on(unsigned declared) {
  for (auto& [flag, facts] : flags_)
    std::erase_if(facts, [&](const Fact& one) { return mentions(*one.first, declared); });
}

void Ranges::forget(unsigned declared) {
  drop_facts_on(declared);
  if (const auto found = known_.find(declared); found != known_.end())
    found->second.high.reset(), found->second.quotient.reset();
}

void Ranges::forget_changed(const Node& code) {
  if (changes(code) && code.children[0].kind == Node::Kind::variable) forget(code.children[0].declared);
  for (const Node& child : code.children) forget_changed(child);
}

Range Ranges::of(const Node& node) {
  if (node.value) return exactly(Polynomial(*node.value));
  switch (node.kind) {
    case Node::Kind::variable:
      if (const auto known = known_.find(node.declared); node.declared > 0 && known != known_.end())
        return known->second;
      return {};
    case Node::Kind::member:
      if (const int axis = axis_of(node.name); axis >= 0 && node.children.size() == 1) {
        const std::string& of = node.children[0].name;
        Range range = member_of(node.children[0]);
        const auto at = static_cast<std::size_t>(axis);
        if (of == "threadIdx") range.threads[at] = range.thread[at] = kernel_->axes[at].threads = true;
        if (of == "blockIdx") range.blocks[at] = range.block[at] = kernel_->axes[at].blocks = true;
        if (of == "blockDim") range.size[at] = true;
        return range;
      }
      return node.children.size() == 1 ? member_of(node.children[0]) : Range{};
    case Node::Kind::binary:
      return of_binary(node);
    case Node::Kind::call:
      return of_call(node);
    case Node::Kind::subscript: {
      Range range;
      if (node.children[0].kind == Node::Kind::variable) range.of_arrays = {node.children[0].declared};
      range.factor = Polynomial(1);
      range.element = &node;
      return range;
    }
    case Node::Kind::unary:  // i++ has the value before the step
      if (node.text == "++" && node.begin == node.children[0].begin) return of(node.children[0]);
      return joined(of(node.children[0]), {});
    case Node::Kind::branch:
      if (node.children.size() == 3) return of_choice(node);
      [[fallthrough]];
    default: {
      Range range;
      for (const Node& child : node.children) range = joined(range, of(child));
      return range;
    }
  }
}

// Returns the range of a member of a struct. If the struct is an array element, its members may be indices.
Range Ranges::member_of(const Node& of_struct) {
  const Range whole = of(of_struct);
  Range member;
  member.of_arrays = whole.of_arrays;
  if (!whole.of_arrays.empty()) member.factor = whole.factor;
  return member;
}

// Detects a global thread index. It is the sum of the index of the block's first thread (`first`) and of the
// index within the block (`place`).
void Ranges::number_threads(const Range& first, const Range& place, Range* result) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (!first.first[i] || !place.thread[i]) continue;
    result->number[i] = true;
    if (numbers_[i])
      result->high = numbers_[i];
    else if (i == 0)
      result->high = Polynomial::of(unchecked_threads) - Polynomial(1);
  }
}

Range Ranges::of_binary(const Node& node) {
  const Range a = of(node.children[0]), b = of(node.children[1]);
  Range result = joined(a, b);
  const auto both = [&](auto&& combine) {
    if (a.high && b.high) result.high = combine(*a.high, *b.high);
  };
  follow_element(a, b, node.text, &result);
  follow_element(b, a, node.text, &result);
  if (node.text == "+") {
    result.low = a.low + b.low;
    both([](const Polynomial& x, const Polynomial& y) { return x + y; });
    const auto known = sums_.find({node.children[0].declared, node.children[1].declared});
    if (known != sums_.end()) result.high = known->second;
    number_threads(a, b, &result);
    number_threads(b, a, &result);
    add_to(b, a, 1, &result);
    if (!result.quotient && !result.stride) add_to(a, b, 1, &result);
    for (const auto& [offset, within] : {std::pair(&a, &b), std::pair(&b, &a)})
      if (within->row_length > 0 && offset->of_arrays == std::vector<unsigned>{within->row_length})
        result.rows = within->row_length, result.of_arrays.clear();
  } else if (node.text == "-") {
    if (a.high) result.high = *a.high - b.low;
    if (const auto known = constant_of(b)) result.low = a.low - b.low;
    if (b.high && *b.high == b.low && a.high && *a.high == a.low) result.low = a.low - b.low;
    if ((result.row_length = row_offsets(a, b)) > 0) result.of_arrays.clear();
    add_to(a, b, -1, &result);
  } else if (node.text == "*") {
    result.low = a.low * b.low;
    both([](const Polynomial& x, const Polynomial& y) { return x * y; });
    multiply(b, a, &result);
    if (!result.quotient && !result.stride) multiply(a, b, &result);
    depends_on_threads(a) ? multiply_divided(a, b, &result) : multiply_divided(b, a, &result);
    for (std::size_t i = 0; i < 3; ++i) {
      if (a.blocks[i] && !a.threads[i]) multiply_block(b, i, &result);
      if (b.blocks[i] && !b.threads[i]) multiply_block(a, i, &result);
      result.first[i] =
          (a.block[i] && (b.size[i] || constant_of(b))) || (b.block[i] && (a.size[i] || constant_of(a)));
    }
  } else if (node.text == "<<") {
    const auto by = constant_of(b);
    result.divided_by = Polynomial(1);
    if (a.high && by && *by < 32) result.high = *a.high * Polynomial(std::int64_t{1} << *by);
  } else if (node.text == ">>") {
    shift_right(a, b, node.children[0].bits, &result);
  } else if (node.text == "%") {
    if (b.high && node.children[0].bits == 0) result.remainder_of = result.of_arrays;
    if (b.high) result = bounded_by(*b.high - Polynomial(1), result);
  } else if (node.text == "&") {
    for (const Range* mask : {&a, &b})
      if (constant_of(*mask)) result = bounded_by(*mask->high, result);
  } else if (node.text == "/") {
    divide(a, b, &result);
  }
  return result;
}

// Bounds the result of a call. A minimum is bounded by any argument with a known bound. A maximum is bounded
// by an argument that is not constant. Functions of the file are bounded by what they return.
Range Ranges::of_call(const Node& node) {
  constexpr int most_depth = 4;
  Range result;
  std::vector<Range> given;
  for (std::size_t i = 1; i < node.children.size(); ++i) {
    given.push_back(of(node.children[i]));
    result = joined(result, given.back());
  }
  if (const Helper* helper = helpers_ && depth_ < most_depth ? helper_called(*helpers_, node) : nullptr) {
    Ranges inside = *this;
    ++inside.depth_;
    return returned_range(*helper, given, std::move(inside)).value_or(result);
  }
  if (node.children.size() == 1) return of(node.children[0]);  // the copy of a struct
  if ((node.name == "min" || node.name == "max") && given.size() == 2) {
    const bool first = node.name == "min" ? given[0].high.has_value() : !constant_of(given[0]);
    result.high = first ? given[0].high : given[1].high;
  }
  if (node.name == "clamp" && given.size() == 3) result.high = given[2].high;
  return result;
}

// Returns the range of `condition ? a : b`. The smaller of two values is bounded by any of them.
Range Ranges::of_choice(const Node& node) {
  Ranges then = *this, otherwise = *this;
  then.learn(node.children[0], true);
  otherwise.learn(node.children[0], false);
  const Range a = then.of(node.children[1]), b = otherwise.of(node.children[2]);
  Range result = either(a, b);
  if (!result.high && is_minimum(node)) result.high = b.high ? b.high : a.high;
  return result;
}

void Ranges::bound(const Node& variable, const std::optional<Polynomial>& high) {
  if (!high) return;
  if (variable.kind == Node::Kind::binary) {
    const Range sum = of(variable);
    for (std::size_t i = 0; i < 3; ++i)
      if (sum.number[i]) numbers_[i] = high;
    if (sum.number != std::array<bool, 3>{}) return note_items(sum, *high + Polynomial(1));
  }
  // The bound of a sum also bounds each operand, because numbers are not negative.
  if (variable.kind == Node::Kind::binary && variable.text == "+") {
    if (variable.children[0].declared > 0 && variable.children[1].declared > 0)
      sums_.insert_or_assign({variable.children[0].declared, variable.children[1].declared}, *high);
    const Node &a = variable.children[0], &b = variable.children[1];
    bound(a, b.value ? *high - Polynomial(*b.value) : *high);
    bound(b, a.value ? *high - Polynomial(*a.value) : *high);
    return;
  }
  if (variable.kind != Node::Kind::variable || variable.declared == 0) return;
  Range& range = known_[variable.declared];
  if (!range.high || range.high->has(unchecked_threads) || is_smaller(*high, *range.high)) range.high = high;
  note_items(range, *high + Polynomial(1));
}

// Records that only values below `values` have work. The range tells which indices they are: thread indices,
// block indices or global thread indices.
void Ranges::note_items(const Range& range, const Polynomial& values) {
  if (!values.grows()) return;
  const Polynomial items = values * range.divided_by;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!range.threads[i] && !range.blocks[i]) continue;
    Axis& axis = kernel_->axes[i];
    std::optional<Polynomial>& known = !range.blocks[i]    ? axis.of_block
                                       : !range.threads[i] ? axis.block_items
                                                           : axis.items;
    if (!known || is_smaller(*known, items)) known = items;
    if (axis.block_size == 0) axis.block_size = range.block_size[i];
    if (axis.block_name.empty()) axis.block_name = range.block_name[i];
  }
}

void Ranges::learn(const Node& condition, bool holds) {
  if (condition.kind == Node::Kind::unary && condition.text == "!")
    return learn(condition.children[0], !holds);
  if (condition.kind == Node::Kind::variable && holds)
    for (const Fact& one : std::vector<Fact>(facts_of(condition.declared))) learn(*one.first, one.second);
  if (condition.kind != Node::Kind::binary) return;
  const std::string sign = holds ? condition.text : opposite(condition.text);
  if (condition.text == (holds ? "&&" : "||")) {
    for (const Node& child : condition.children) learn(child, holds);
    return;
  }
  if (!is_comparison(sign)) return;
  if (sign != "!=") learn_rows(condition.children[0], condition.children[1]);
  const auto below = [&](const Node& variable, const Node& limit, const std::string& how) {
    const Range most = of(limit);
    const std::optional<Polynomial>& high = most.high;
    if (!high && most.quotient && variable.kind == Node::Kind::variable && variable.declared > 0)
      known_[variable.declared].quotient = {
          most.quotient->first,
          how == "<=" ? most.quotient->second : most.quotient->second - most.quotient->first};
    if (!high) return;
    if (how == "<" || how == "!=") bound(variable, *high - Polynomial(1));
    if (how == "<=") bound(variable, *high);
  };
  below(condition.children[0], condition.children[1], sign);
  if (sign != "!=") below(condition.children[1], condition.children[0], from_right(sign));
}

// If a condition compares two neighbouring elements of an array, they are offsets of a row. Variables with
// their values are then positions in that row.
void Ranges::learn_rows(const Node& a, const Node& b) {
  const unsigned rows = row_offsets(of(a), of(b));
  for (const Node* one : {&a, &b})
    if (rows > 0 && one->kind == Node::Kind::variable) {
      Range& range = known_[one->declared];
      range.rows = rows;
      range.of_arrays.clear();
      range.factor.reset();
    }
}

// Sets the start value of a loop variable. Returns the declaration of the variable, or 0.
unsigned Ranges::start(const Node& loop, const Node** condition) {
  unsigned variable = 0;
  for (std::size_t i = 0; i + 1 < loop.children.size(); ++i) {
    const Node& part = loop.children[i];
    const bool compares = part.kind == Node::Kind::binary && is_comparison(part.text);
    const bool counts = counts_down(part) && part.begin == part.children[0].begin && variable > 0;  // i--
    if (!*condition && (compares || counts)) *condition = &part;
    if (part.kind == Node::Kind::binary && part.text == "=" && !*condition) {
      variable = part.children[0].declared;
      known_[variable] = of(part.children[1]);
    }
    for (const Node& declared : part.children)
      if (declared.kind == Node::Kind::declaration && !*condition) {
        variable = declared.declared;
        known_[variable] = declared.has_init ? of(declared.children[0]) : Range{};
      }
  }
  if (!*condition || variable > 0) return variable;
  // A loop without a start value continues with a variable that has one: for (; i < n; i += step).
  const Node& left = (*condition)->children[0];
  const bool changed = std::any_of(loop.children.begin(), loop.children.end() - 1, [&](const Node& part) {
    return changes(part) && part.children[0].declared == left.declared;
  });
  return left.kind == Node::Kind::variable && changed ? left.declared : 0;
}

std::optional<LoopSpan> Ranges::enter(const Node& loop) {
  const Node* condition = nullptr;
  const unsigned variable = start(loop, &condition);
  if (!condition || variable == 0) return {};
  if (const Node* left = counts_down(*condition) ? condition : &condition->children[0];
      counts_down(*left) ? left->children[0].declared == variable
                         : left->declared == variable && condition->text.starts_with(">"))
    return enter_down(loop, *condition, variable);
  // The start value may depend on a thread or on a row's offset. The loop condition gives the upper bound.
  Range& range = known_[variable];
  range.high.reset();
  const Range limit = of(condition->children[1]);
  if (limit.of_arrays.size() == 1 && range.of_arrays == limit.of_arrays) range.rows = limit.of_arrays[0];
  if (range.rows > 0) range.of_arrays.clear();
  if (limit.row_length > 0) range.row_length = limit.row_length;
  learn(*condition, true);
  const std::optional<Polynomial> step = step_of(this, loop, variable);
  if (!step || !range.high) return {};
  return LoopSpan{*range.high + Polynomial(1) - range.low, *step};
}

// Sets the range of a variable that decreases from its start value. The conditions are i > a, i >= a, and
// i-- > 0, which changes the variable before the body.
std::optional<LoopSpan> Ranges::enter_down(const Node& loop, const Node& condition, unsigned variable) {
  Range& range = known_[variable];
  const bool before = counts_down(condition) || counts_down(condition.children[0]);
  const Range limit = counts_down(condition) ? exactly(Polynomial(0)) : of(condition.children[1]);
  range.low = limit.low;
  if (before && range.high) range.high = *range.high - Polynomial(1);
  if (!before && condition.text == ">") range.low = range.low + Polynomial(1);
  const std::optional<Polynomial> step = before ? Polynomial(1) : step_of(this, loop, variable);
  if (!step || !range.high || !limit.high) return {};
  return LoopSpan{*range.high + Polynomial(1) - range.low, *step};
}

}  // namespace sextant::own
