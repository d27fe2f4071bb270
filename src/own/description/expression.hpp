// Expressions of descriptions: sizes, grids, constraints, tolerances. They are evaluated, never compiled.
//
//   whole numbers, numbers (tolerances alone), names, + - * / // % **, == != < <= > >=, and or not (&& || !),
//   a ? b : c, a < b <= c, x in [1, 2], min max abs pow2 log2 sqrt cbrt ceil_div
//
// In whole numbers `/` and `%` truncate as in C, `//` rounds down, log2, sqrt and cbrt round down; every
// operation is checked. Python's expressions, which T1 files hold, are numbers throughout: `/` is exact
// there,
// `%` has the divisor's sign, and ceil, floor and int are known besides.
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
  // Reads `text` once. `names` are those that it may use, in the order of the values it is given later;
  // `what` says in messages what it is for ("grid"). Throws UserError with its place: not an expression, or a
  // name that is not known.
  Expression(std::string_view text, const std::vector<std::string>& names, std::string what, Place place = {},
             Dialect dialect = Dialect::own);

  // Its value in whole numbers; a truth is 1 or 0. Python's is what lies before the point. `values`: one a
  // name. Throws UserError: a result beyond 64 bits, a division by zero, a number that is none of the whole
  // ones.
  std::int64_t at(std::span<const std::int64_t> values) const;
  // Its value in double precision. Throws UserError: a division by zero, a result that is no finite number.
  double real_at(std::span<const double> values) const;

  bool empty() const { return nodes_.empty(); }
  bool uses(std::size_t name) const;  // whether the name's value is asked for anywhere
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
    int at = 0;                  // where its operator or word stands in the text
    int a = -1, b = -1, c = -1;  // its operands among the nodes; of a name, `a` is its position
    std::int64_t whole = 0;      // of a number
    double real = 0;
    bool is_whole = true;
  };

  template <typename Numbers>
  typename Numbers::Value value(int index, std::span<const typename Numbers::Value> values) const;
  [[noreturn]] void fail(int at, const std::string& message) const;

  std::vector<Node> nodes_;  // the last is the whole expression
  std::string text_, what_;
  Place place_;
  Dialect dialect_ = Dialect::own;
};

}  // namespace sextant::own
