// Provides an element type that records every access to its arrays. The kernels' plain loops are templates,
// so they also run on this type.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace sextant::traced {

// The recorded accesses to one array: element indices in the order of use.
struct Trace {
  const void* begin = nullptr;
  std::int64_t count = 0, size = 0;  // number of elements, bytes per element
  std::vector<std::int64_t> reads, writes;
};

struct Watch {
  std::vector<Trace> arrays;
  std::int64_t divisions = 0;  // includes exponentials, logarithms, roots and similar functions
  const void* last = nullptr;  // element of the last access, which is still in a register
};

inline Watch* watch = nullptr;  // where accesses are recorded; null: nowhere

inline void note(const void* element, bool written) {
  if (!watch) return;
  for (Trace& one : watch->arrays) {
    const std::int64_t byte = static_cast<const char*>(element) - static_cast<const char*>(one.begin);
    if (byte < 0 || byte >= one.count * one.size) continue;
    const std::int64_t index = byte / one.size;
    if (written)
      one.writes.push_back(index);
    else if (element != watch->last)
      one.reads.push_back(index);
    watch->last = element;
    return;
  }
}

class Element {
 public:
  Element() = default;
  template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
  constexpr Element(Number value) : value_(static_cast<double>(value)) {}
  constexpr Element(const Element& other) : value_(other.read()) {}
  constexpr Element& operator=(const Element& other) {
    value_ = other.read();
    return written();
  }

  // An element used as an index is a read, too.
  explicit constexpr operator std::int64_t() const { return static_cast<std::int64_t>(read()); }

  constexpr Element& operator+=(const Element& b) {
    value_ = read() + b.read();
    return written();
  }
  friend constexpr Element operator+(const Element& a, const Element& b) { return a.read() + b.read(); }
  friend constexpr Element operator-(const Element& a, const Element& b) { return a.read() - b.read(); }
  friend constexpr Element operator*(const Element& a, const Element& b) { return a.read() * b.read(); }
  friend constexpr Element operator/(const Element& a, const Element& b) {
    if (!std::is_constant_evaluated() && watch) ++watch->divisions;
    return a.read() / b.read();
  }
  friend Element erfc(const Element& a) { return special(std::erfc(a.read())); }
  friend Element exp(const Element& a) { return special(std::exp(a.read())); }
  friend Element log(const Element& a) { return special(std::log(a.read())); }
  friend Element sqrt(const Element& a) { return special(std::sqrt(a.read())); }
  friend constexpr Element operator-(const Element& a) { return -a.read(); }
  friend constexpr bool operator!=(const Element& a, const Element& b) { return a.read() != b.read(); }
  friend constexpr bool operator==(const Element& a, const Element& b) { return a.read() == b.read(); }
  friend constexpr bool operator<(const Element& a, const Element& b) { return a.read() < b.read(); }
  friend constexpr bool operator>=(const Element& a, const Element& b) { return a.read() >= b.read(); }

 private:
  static double special(double value) {
    if (watch) ++watch->divisions;
    return value;
  }
  constexpr double read() const {
    if (!std::is_constant_evaluated()) note(this, false);
    return value_;
  }
  constexpr Element& written() {
    if (!std::is_constant_evaluated()) note(this, true);
    return *this;
  }

  double value_ = 0;
};

}  // namespace sextant::traced
