// Sums of products of names: what lengths and bounds of indices are.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
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
  // Without a rest in each term; else nothing.
  std::optional<Polynomial> divided(std::int64_t by) const;
  bool operator==(const Polynomial& other) const { return terms_ == other.terms_; }

  // Its value, if no name is in it.
  std::optional<std::int64_t> constant() const;
  // By a product of names and a number, without a rest in each term; else nothing.
  std::optional<Polynomial> divided(const Polynomial& by) const;
  std::vector<std::string> names() const;
  bool has(const std::string& name) const;
  bool grows_with(const std::string& name) const;  // a term with it is added
  // Whether it may be a length: no part with a name is subtracted, and a number alone is at least 1.
  bool grows() const;
  std::size_t degree() const;
  std::size_t size() const { return terms_.size(); }
  Polynomial renamed(const std::function<std::string(const std::string&)>& shown) const;
  std::string text() const;  // "n * m + 2"

 private:
  using Names = std::vector<std::string>;  // ascending; several times for powers
  void add(const Names& names, std::int64_t factor);

  std::map<Names, std::int64_t> terms_;  // no factor is 0
};

}  // namespace sextant::own
