// Expressions of descriptions: sizes, grids, constraints, tolerances. They are evaluated, never compiled.
//
//   integers, real numbers (tolerances only), names, + - * / // % **, == != < <= > >=, and or not (&& || !),
//   a ? b : c, a < b <= c, x in [1, 2], min max abs pow2 log2 sqrt cbrt ceil_div
//
// For integers `/` and `%` truncate as in C, and `//`, log2, sqrt and cbrt round down. Every operation is
// checked for overflow. The Python dialect of T1 files computes in double precision: `/` is exact division
// and `%` has the sign of the divisor. It also has ceil, floor and int.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "own/description/place.hpp"

namespace sextant::own {

enum class Dialect : std::uint8_t { own, python };

class Expression {
 public:
  Expression() = default;
  // Parses `text`. `names` are the allowed names, in the order of the values passed later. `what` names
  // the expression in messages ("grid"). Throws UserError with the position if the text is not an expression
  // or a name is unknown.
  Expression(std::string_view text, const std::vector<std::string>& names, std::string what, Place place = {},
             Dialect dialect = Dialect::own);

  // Evaluates in integers; true is 1 and false is 0. The Python dialect truncates the result. `values` has
  // one element per name. Throws UserError for a result beyond 64 bits, a division by zero, or a non-integer
  // number.
  std::int64_t at(std::span<const std::int64_t> values) const;
  // Evaluates in double precision. Throws UserError for a division by zero or a result that is not finite.
  double real_at(std::span<const double> values) const;

  bool empty() const { return nodes_.empty(); }
  bool uses(std::size_t name) const;  // true if the expression contains the name
  const std::string& text() const { return text_; }
  const Place& place() const { return place_; }

 private:
  friend class ExpressionParser;
  friend struct WholeNumbers;
  friend struct RealNumbers;

  enum class Op : std::uint8_t {
    number,
    name,
    negate,
    logical_not,
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    remainder,
    modulo,
    power,
    equal,
    unequal,
    less,
    less_equal,
    greater,
    greater_equal,
    logical_and,
    logical_or,
    choose,
    minimum,
    maximum,
    ceil_div,
    pow2,
    log2,
    sqrt,
    cbrt,
    absolute,
    ceil,
    floor,
    truncate
  };
  struct Node {
    Op op;
    int at = 0;                  // offset of the node's operator or word in the text
    int a = -1, b = -1, c = -1;  // indices of the operands' nodes; for a name, `a` is the index of the name
    std::int64_t whole = 0;      // value, if the node is a number
    double real = 0;
    bool is_whole = true;
  };

  template <typename Numbers>
  typename Numbers::Value value(int index, std::span<const typename Numbers::Value> values) const;
  [[noreturn]] void fail(int at, const std::string& message) const;

  std::vector<Node> nodes_;  // the last node is the root
  std::string text_, what_;
  Place place_;
  Dialect dialect_ = Dialect::own;
};

}  // namespace sextant::own
