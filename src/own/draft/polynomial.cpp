#include "own/draft/polynomial.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace sextant::own {

void Polynomial::add(const Names& names, std::int64_t factor) {
  std::int64_t& sum = terms_[names];
  sum += factor;
  if (sum == 0) terms_.erase(names);
}

Polynomial Polynomial::of(const std::string& name) {
  Polynomial result;
  result.add({name}, 1);
  return result;
}

Polynomial Polynomial::operator+(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [names, factor] : other.terms_) result.add(names, factor);
  return result;
}

Polynomial Polynomial::operator-(const Polynomial& other) const {
  Polynomial result = *this;
  for (const auto& [names, factor] : other.terms_) result.add(names, -factor);
  return result;
}

Polynomial Polynomial::operator*(const Polynomial& other) const {
  Polynomial result;
  for (const auto& [mine, a] : terms_)
    for (const auto& [theirs, b] : other.terms_) {
      Names names = mine;
      names.insert(names.end(), theirs.begin(), theirs.end());
      std::sort(names.begin(), names.end());
      result.add(names, a * b);
    }
  return result;
}

std::optional<Polynomial> Polynomial::divided(std::int64_t by) const {
  Polynomial result;
  for (const auto& [names, factor] : terms_) {
    if (by == 0 || factor % by != 0) return {};
    result.add(names, factor / by);
  }
  return result;
}

std::optional<Polynomial> Polynomial::divided(const Polynomial& by) const {
  if (by.terms_.size() != 1) return {};
  const auto& [divisors, number] = *by.terms_.begin();
  Polynomial result;
  for (const auto& [names, factor] : terms_) {
    Names rest;
    std::set_difference(names.begin(), names.end(), divisors.begin(), divisors.end(),
                        std::back_inserter(rest));
    if (rest.size() + divisors.size() != names.size() || factor % number != 0) return {};
    result.add(rest, factor / number);
  }
  return result;
}

std::pair<Polynomial, Polynomial> Polynomial::divided_with_rest(const Polynomial& by) const {
  Polynomial quotient, rest;
  for (const auto& [names, factor] : terms_) {
    Polynomial term;
    term.add(names, factor);
    if (const std::optional<Polynomial> part = term.divided(by))
      quotient = quotient + *part;
    else
      rest = rest + term;
  }
  return {quotient, rest};
}

std::optional<std::int64_t> Polynomial::constant() const {
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_.begin()->first.empty()) return terms_.begin()->second;
  return {};
}

std::vector<std::string> Polynomial::names() const {
  std::vector<std::string> all;
  for (const auto& [names, factor] : terms_)
    for (const std::string& one : names)
      if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  return all;
}

bool Polynomial::has(const std::string& name) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) {
    return std::find(term.first.begin(), term.first.end(), name) != term.first.end();
  });
}

bool Polynomial::grows_with(const std::string& name) const {
  return std::any_of(terms_.begin(), terms_.end(), [&](const auto& term) {
    return term.second > 0 && std::find(term.first.begin(), term.first.end(), name) != term.first.end();
  });
}

bool Polynomial::grows() const {
  if (const std::optional<std::int64_t> number = constant())
    return *number >= 1 && *number < (std::int64_t{1} << 32);
  return std::all_of(terms_.begin(), terms_.end(),
                     [](const auto& term) { return term.first.empty() || term.second > 0; });
}

bool Polynomial::is_length() const {
  const auto has_part = [&](const auto& term) {
    return std::any_of(terms_.begin(), terms_.end(), [&](const auto& whole) {
      return whole.second >= -term.second && whole.first.size() > term.first.size() &&
             std::includes(whole.first.begin(), whole.first.end(), term.first.begin(), term.first.end());
    });
  };
  return grows() || (!constant() && std::all_of(terms_.begin(), terms_.end(), [&](const auto& term) {
           return term.first.empty() || term.second > 0 || has_part(term);
         }));
}

std::size_t Polynomial::degree() const {
  std::size_t most = 0;
  for (const auto& [names, factor] : terms_) most = std::max(most, names.size());
  return most;
}

Polynomial Polynomial::with(const std::string& name, std::int64_t value) const {
  Polynomial result;
  for (const auto& [names, factor] : terms_) {
    Names rest;
    std::int64_t product = factor;
    for (const std::string& one : names) {
      if (one == name)
        product *= value;
      else
        rest.push_back(one);
    }
    result.add(rest, product);
  }
  return result;
}

Polynomial Polynomial::renamed(const std::function<std::string(const std::string&)>& shown) const {
  Polynomial result;
  for (const auto& [names, factor] : terms_) {
    Names renamed;
    for (const std::string& one : names) renamed.push_back(shown(one));
    std::sort(renamed.begin(), renamed.end());
    result.add(renamed, factor);
  }
  return result;
}

std::string Polynomial::text() const {
  std::vector<std::pair<Names, std::int64_t>> ordered(terms_.begin(), terms_.end());
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return a.first.size() != b.first.size() ? a.first.size() > b.first.size() : a.second > b.second;
  });
  std::string text;
  for (const auto& [names, factor] : ordered) {
    std::string term = std::abs(factor) != 1 || names.empty() ? std::to_string(std::abs(factor)) : "";
    for (const std::string& one : names) term += (term.empty() ? "" : " * ") + one;
    text += text.empty() ? (factor < 0 ? "-" : "") + term : (factor < 0 ? " - " : " + ") + term;
  }
  return text.empty() ? "0" : text;
}

}  // namespace sextant::own
