#include "own/description/expression.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "suite/extents.hpp"

namespace sextant::own {

// Integer arithmetic with overflow checks.
struct WholeNumbers {
  using Value = std::int64_t;
  using Op = Expression::Op;
  static constexpr Value least = std::numeric_limits<Value>::min();

  static Value number(const Expression& expression, const Expression::Node& node) {
    if (!node.is_whole) expression.fail(node.at, "this expression allows only whole numbers");
    return node.whole;
  }
  static Value floor_divided(Value a, Value b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }

  static Value one(const Expression& e, const Expression::Node& node, Value a) {
    switch (node.op) {
      case Op::negate:
      case Op::absolute:
        if (a == least) beyond(e, node);
        return node.op == Op::negate || a < 0 ? -a : a;
      case Op::pow2:
        if (a < 0 || a > 62)
          e.fail(node.at, "pow2(" + std::to_string(a) + ") is not a whole number of 64 bits");
        return Value{1} << a;
      case Op::log2:
        if (a <= 0) e.fail(node.at, "log2(" + std::to_string(a) + ") is not defined");
        return 63 - std::countl_zero(static_cast<std::uint64_t>(a));
      case Op::sqrt:
      case Op::cbrt:
        if (a < 0) e.fail(node.at, "the root of " + std::to_string(a) + " is not a real number");
        return node.op == Op::sqrt ? square_root(a) : cube_root(a);
      default:
        return a;  // ceil, floor and int leave an integer unchanged
    }
  }

  static Value two(const Expression& e, const Expression::Node& node, Value a, Value b) {
    Value result = 0;
    switch (node.op) {
      case Op::add:
        if (__builtin_add_overflow(a, b, &result)) beyond(e, node);
        return result;
      case Op::subtract:
        if (__builtin_sub_overflow(a, b, &result)) beyond(e, node);
        return result;
      case Op::multiply:
        if (__builtin_mul_overflow(a, b, &result)) beyond(e, node);
        return result;
      case Op::power:
        return power(e, node, a, b);
      default:
        return quotient(e, node, a, b);
    }
  }

 private:
  [[noreturn]] static void beyond(const Expression& e, const Expression::Node& node) {
    e.fail(node.at, "the value exceeds 64 bits");
  }

  static Value quotient(const Expression& e, const Expression::Node& node, Value a, Value b) {
    if (b == 0) e.fail(node.at, std::to_string(a) + " is divided by zero");
    if (b == -1) {  // only division by -1 can overflow
      if (node.op == Op::remainder || node.op == Op::modulo) return 0;
      if (a == least) beyond(e, node);
      return -a;
    }
    switch (node.op) {
      case Op::floor_divide:
        return floor_divided(a, b);
      case Op::remainder:
        return a % b;
      case Op::modulo:
        return a % b != 0 && ((a < 0) != (b < 0)) ? a % b + b : a % b;
      case Op::ceil_div:
        return a / b + ((a % b != 0) && ((a < 0) == (b < 0)));
      default:
        return a / b;
    }
  }

  static Value power(const Expression& e, const Expression::Node& node, Value base, Value exponent) {
    if (exponent < 0) e.fail(node.at, "a negative exponent does not give a whole number");
    if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    Value result = 1;
    for (; exponent > 0; --exponent)  // the result exceeds 64 bits after at most 64 multiplications
      if (__builtin_mul_overflow(result, base, &result)) beyond(e, node);
    return result;
  }
};

// Arithmetic in double precision.
struct RealNumbers {
  using Value = double;
  using Op = Expression::Op;

  static Value number(const Expression&, const Expression::Node& node) { return node.real; }

  static Value one(const Expression& e, const Expression::Node& node, Value a) {
    switch (node.op) {
      case Op::negate:
        return -a;
      case Op::absolute:
        return std::fabs(a);
      case Op::pow2:
        return finite(e, node, std::exp2(a));
      case Op::log2:
        return finite(e, node, std::log2(a));
      case Op::sqrt:
        return finite(e, node, std::sqrt(a));
      case Op::cbrt:
        return std::cbrt(a);
      case Op::ceil:
        return std::ceil(a);
      case Op::floor:
        return std::floor(a);
      default:  // Python's int() truncates
        return std::trunc(a);
    }
  }

  static Value two(const Expression& e, const Expression::Node& node, Value a, Value b) {
    const bool divides =
        node.op != Op::add && node.op != Op::subtract && node.op != Op::multiply && node.op != Op::power;
    if (divides && b == 0) e.fail(node.at, "a number is divided by zero");
    switch (node.op) {
      case Op::add:
        return finite(e, node, a + b);
      case Op::subtract:
        return finite(e, node, a - b);
      case Op::multiply:
        return finite(e, node, a * b);
      case Op::power:
        return finite(e, node, std::pow(a, b));
      case Op::floor_divide:
        return finite(e, node, std::floor(a / b));
      case Op::remainder:
        return std::fmod(a, b);
      case Op::modulo: {
        const Value rest = std::fmod(a, b);
        return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
      }
      case Op::ceil_div:
        return finite(e, node, std::ceil(a / b));
      default:
        return finite(e, node, a / b);
    }
  }

 private:
  static Value finite(const Expression& e, const Expression::Node& node, Value value) {
    if (!std::isfinite(value)) e.fail(node.at, "the value is not a finite number");
    return value;
  }
};

template <typename Numbers>
typename Numbers::Value Expression::value(int index, std::span<const typename Numbers::Value> values) const {
  using Value = typename Numbers::Value;
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  const auto operand = [&](int which) { return value<Numbers>(which, values); };
  const auto truth = [](bool yes) { return static_cast<Value>(yes ? 1 : 0); };
  switch (node.op) {
    case Op::number:
      return Numbers::number(*this, node);
    case Op::name:
      return values[static_cast<std::size_t>(node.a)];
    case Op::logical_not:
      return truth(operand(node.a) == 0);
    case Op::logical_and:
      return truth(operand(node.a) != 0 && operand(node.b) != 0);
    case Op::logical_or:
      return truth(operand(node.a) != 0 || operand(node.b) != 0);
    case Op::choose:
      return operand(node.a) != 0 ? operand(node.b) : operand(node.c);
    case Op::equal:
      return truth(operand(node.a) == operand(node.b));
    case Op::unequal:
      return truth(operand(node.a) != operand(node.b));
    case Op::less:
      return truth(operand(node.a) < operand(node.b));
    case Op::less_equal:
      return truth(operand(node.a) <= operand(node.b));
    case Op::greater:
      return truth(operand(node.a) > operand(node.b));
    case Op::greater_equal:
      return truth(operand(node.a) >= operand(node.b));
    case Op::minimum:
      return std::min(operand(node.a), operand(node.b));
    case Op::maximum:
      return std::max(operand(node.a), operand(node.b));
    default:
      return node.b < 0 ? Numbers::one(*this, node, operand(node.a))
                        : Numbers::two(*this, node, operand(node.a), operand(node.b));
  }
}

std::int64_t Expression::at(std::span<const std::int64_t> values) const {
  if (dialect_ == Dialect::own) return value<WholeNumbers>(static_cast<int>(nodes_.size()) - 1, values);
  const double real = real_at(std::vector<double>(values.begin(), values.end()));
  if (std::fabs(real) >= 0x1p63) fail(0, "the value exceeds 64 bits");
  return static_cast<std::int64_t>(real);
}

double Expression::real_at(std::span<const double> values) const {
  return value<RealNumbers>(static_cast<int>(nodes_.size()) - 1, values);
}

bool Expression::uses(std::size_t name) const {
  return std::any_of(nodes_.begin(), nodes_.end(), [&](const Node& node) {
    return node.op == Op::name && node.a == static_cast<int>(name);
  });
}

}  // namespace sextant::own
