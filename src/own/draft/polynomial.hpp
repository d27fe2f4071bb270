// Polynomials in a function's parameters, such as n * m + 2, for array lengths and bounds of indices.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sextant::own {

class Polynomial {
 public:
  Polynomial() = default;
  Polynomial(std::int64_t constant) { add({}, constant); }
  static Polynomial of(const std::string& name);

  Polynomial operator+(const Polynomial& other) const;
  Polynomial operator-(const Polynomial& other) const;
  Polynomial operator*(const Polynomial& other) const;
  // Returns the quotient by a number, or nothing if a term is not divisible by it.
  std::optional<Polynomial> divided(std::int64_t by) const;
  bool operator==(const Polynomial& other) const { return terms_ == other.terms_; }

  // Returns the value if the polynomial contains no name.
  std::optional<std::int64_t> constant() const;
  // Returns the quotient by a polynomial of one term, or nothing if a term is not divisible by it.
  std::optional<Polynomial> divided(const Polynomial& by) const;
  // Returns the sum of the quotients of the terms that are divisible by `by`, and the sum of the other terms.
  std::pair<Polynomial, Polynomial> divided_with_rest(const Polynomial& by) const;
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  bool grows_with(const std::string& name) const;  // true if a term with the name has a positive factor
  // Returns true if the polynomial can be an array length. Then no term with a name has a negative factor,
  // and a constant polynomial is at least 1.
  bool grows() const;
  // Returns true for such polynomials, and if each term with a negative factor is a part of another term, as
  // in rows * pitch - pitch + columns.
  bool is_length() const;
  std::size_t degree() const;
  std::size_t size() const { return terms_.size(); }
  Polynomial with(const std::string& name, std::int64_t value) const;  // the name replaced by a number
  Polynomial renamed(const std::function<std::string(const std::string&)>& shown) const;
  std::string text() const;  // "n * m + 2"

 private:
  using Names = std::vector<std::string>;  // names of one term, sorted; a name is repeated for a power
  void add(const Names& names, std::int64_t factor);

  std::map<Names, std::int64_t> terms_;  // maps the names of a term to its factor, which is never 0
};

}  // namespace sextant::own
