#include "engine/case/comparison.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <limits>

#include "suite/element.hpp"

namespace sextant {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

constexpr double widest_whole = 1e10;  // larger than any 32-bit integer

// Formats integers in full, and other values with `digits` significant digits.
std::string shown(double value, int digits = 3) {
  char text[32];
  if (value == std::rint(value) && std::abs(value) < widest_whole) digits = 10;
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return text;
}

// Returns a text such as "1.5, not 1", with enough digits to distinguish the two values.
std::string told_apart(double value, double expected) {
  int digits = 3;
  while (digits < 17 && shown(value, digits) == shown(expected, digits)) ++digits;
  return shown(value, digits) + ", not " + shown(expected, digits);
}

// Returns the error that the tolerance allows an element. It is 0 for an infinite reference, because a
// relative tolerance of infinity would allow anything.
double allowed(const Tolerance& tolerance, double want) {
  return std::isfinite(want) ? tolerance.absolute + tolerance.relative * std::abs(want) : 0;
}

// Returns true if the element is a NaN other than the poison, which marks unwritten outputs. The poison has
// all bits set, in T or in a float that was converted to double.
template <typename T>
bool is_computed_nan(T got) {
  if constexpr (!is_floating<T>) {
    return false;
  } else if constexpr (sizeof(T) == 8) {
    constexpr std::uint64_t poison = ~std::uint64_t{0}, poison_of_float = 0xFFFFFFFFE0000000u;
    const auto bits = std::bit_cast<std::uint64_t>(got);
    return got != got && bits != poison && bits != poison_of_float;
  } else {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint16_t>;
    const auto value = static_cast<float>(got);
    return value != value && std::bit_cast<Bits>(got) != static_cast<Bits>(~0u);
  }
}

// Returns the reference value for an element of type T. For 64-bit integers, the double contains the
// integer's bits.
template <typename T>
auto wanted(double want) {
  if constexpr (is_whole64<T>)
    return std::bit_cast<T>(want);
  else
    return want;
}

// Returns the deviation of an element. The error is 0 if the element equals the reference, which may be
// infinite. It is also 0 if both are NaN and the element is not the poison.
template <typename T>
Deviation deviation_of(T got, double reference, const Tolerance& tolerance) {
  const auto want = wanted<T>(reference);
  const double limit = allowed(tolerance, static_cast<double>(want));
  if constexpr (is_whole64<T>) {
    if (got == want) return {0, limit};
    return {
        static_cast<double>(got > want ? static_cast<std::uint64_t>(got) - static_cast<std::uint64_t>(want)
                                       : static_cast<std::uint64_t>(want) - static_cast<std::uint64_t>(got)),
        limit};
  } else {
    if (static_cast<double>(got) == want || (want != want && is_computed_nan(got))) return {0, limit};
    const double error = std::abs(static_cast<double>(got) - want);
    return {error < infinity ? error : infinity, limit};
  }
}
bool passes(const Deviation& one) { return one.error <= one.allowed && one.error < infinity; }

// Returns the error divided by the tolerance. An element fails if this is above 1.
double share_of(double error, double limit) { return error == 0 ? 0 : error / limit; }
double share_of(const Deviation& one) { return share_of(one.error, one.allowed); }

// Result of comparing a block of elements: whether any failed, the largest error, and the largest ratio of
// error to tolerance. Error and ratio are non-negative doubles, stored as their bits. As integers, the bits
// have the same order, with NaN last. The comparison loop therefore has no branches and vectorises.
struct BlockResult {
  std::int64_t failed = 0, error_bits = 0, share_bits = 0;
};

template <typename T>
BlockResult compare_block(const T* got, const double* want, std::int64_t count, const Tolerance& tolerance) {
  const double absolute = tolerance.absolute, relative = tolerance.relative;
  std::int64_t failed = 0, error_bits = 0, share_bits = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const double error = std::abs(static_cast<double>(got[i]) - want[i]);
    const double limit = absolute + relative * std::abs(want[i]);
    failed |= error <= limit && limit < infinity ? 0 : 1;
    const auto bits = std::bit_cast<std::int64_t>(error);
    error_bits = bits > error_bits ? bits : error_bits;
    const auto part = std::bit_cast<std::int64_t>(share_of(error, limit));
    share_bits = part > share_bits ? part : share_bits;
  }
  return {failed, error_bits, share_bits};
}

// Compares a block element by element. Used if some elements are not finite or fail.
template <typename T>
BlockResult compare_slowly(const T* got, const double* want, std::int64_t count, const Tolerance& tolerance) {
  BlockResult block;
  for (std::int64_t i = 0; i < count; ++i) {
    const Deviation one = deviation_of(got[i], want[i], tolerance);
    block.failed |= passes(one) ? 0 : 1;
    block.error_bits = std::max(block.error_bits, std::bit_cast<std::int64_t>(one.error));
    block.share_bits = std::max(block.share_bits, std::bit_cast<std::int64_t>(share_of(one)));
  }
  return block;
}

template <typename T>
BlockResult compare(const T* got, const double* want, std::int64_t count, const Tolerance& tolerance) {
  if constexpr (!is_whole64<T>) {
    const BlockResult block = compare_block(got, want, count, tolerance);
    if (!block.failed) return block;
  }
  return compare_slowly(got, want, count, tolerance);
}

// Returns a text such as "y[3] is 1.5, not 1; the allowed difference is 0, the largest is 2".
template <typename T>
std::string told(const std::string& name, std::int64_t at, T got, double reference,
                 const Tolerance& tolerance, double largest) {
  const std::string element = name + "[" + std::to_string(at) + "] is ";
  if constexpr (is_whole64<T>)
    return element + std::to_string(got) + ", not " + std::to_string(wanted<T>(reference));
  const auto value = static_cast<double>(got), want = static_cast<double>(wanted<T>(reference));
  if (!std::isfinite(want)) return element + shown(value) + ", not " + shown(want) + " as the reference's";
  return element + told_apart(value, want) + "; the allowed difference is " +
         shown(allowed(tolerance, want)) + ", the largest is " + shown(largest);
}

// Returns the deviation that is largest relative to its tolerance, among elements [begin, end).
template <typename T>
Deviation worst_of(const T* got, const double* want, std::int64_t begin, std::int64_t end,
                   const Tolerance& tolerance) {
  Deviation worst = deviation_of(got[begin], want[begin], tolerance);
  for (std::int64_t i = begin + 1; i < end; ++i)
    if (const Deviation one = deviation_of(got[i], want[i], tolerance); share_of(one) > share_of(worst))
      worst = one;
  return worst;
}

// Returns the number of elements that a trivial result gets wrong. The kernel's allowed fraction of outliers
// applies to this number. Trivial results are all zeros, and the first element everywhere; the smaller number
// counts.
template <typename T>
std::int64_t decided(const std::vector<double>& want, const Tolerance& tolerance) {
  const auto wrong = [&](T trivial) {
    std::int64_t count = 0;
    for (const double one : want) count += passes(deviation_of(trivial, one, tolerance)) ? 0 : 1;
    return count;
  };
  const double first = static_cast<double>(wanted<T>(want.front()));
  if constexpr (sizeof(T) == 2 && is_floating<T>)
    return std::min(wrong(T(0.0f)), wrong(T(static_cast<float>(first))));
  else
    return std::min(wrong(T(0)), wrong(static_cast<T>(first)));
}

// Returns true if at most as many elements fail as the kernel allows as outliers. *result then receives the
// deviation of the other elements.
template <typename T>
bool are_outliers(const T* got, const std::vector<double>& want, const Tolerance& tolerance,
                  Comparison* result) {
  Comparison others;
  for (std::size_t i = 0; i < want.size(); ++i)
    if (const Deviation one = deviation_of(got[i], want[i], tolerance); !passes(one))
      ++others.worst.outliers;
    else if (i == 0 || share_of(one) > share_of(others.worst))
      others.worst.error = one.error, others.worst.allowed = one.allowed;
  const auto most =
      static_cast<std::int64_t>(tolerance.outliers * static_cast<double>(decided<T>(want, tolerance)));
  if (others.worst.outliers <= most) {
    *result = others;
    return true;
  }
  result->wrong += "; " + std::to_string(others.worst.outliers) + " of " + std::to_string(want.size()) +
                   " elements are off, " + std::to_string(most) + " may be";
  return false;
}

template <typename T>
Comparison compare_array(const std::string& name, const T* got, const std::vector<double>& want,
                         const Tolerance& tolerance) {
  constexpr std::int64_t length = 4096;
  const auto count = static_cast<std::int64_t>(want.size());
  const std::int64_t blocks = (count + length - 1) / length;
  std::int64_t error_bits = 0, first_failed = blocks;
  std::vector<std::int64_t> shares(static_cast<std::size_t>(blocks));
  const bool many = want.size() * (sizeof(T) + sizeof(double)) > for_one_thread;
#pragma omp parallel for if (many) schedule(static) reduction(max : error_bits) reduction(min : first_failed)
  for (std::int64_t i = 0; i < blocks; ++i) {
    const std::int64_t begin = i * length;
    const BlockResult block =
        compare(got + begin, want.data() + begin, std::min(length, count - begin), tolerance);
    error_bits = std::max(error_bits, block.error_bits);
    shares[static_cast<std::size_t>(i)] = block.share_bits;
    if (block.failed) first_failed = std::min(first_failed, i);
  }
  Comparison result;
  if (count == 0) return result;
  const auto worst = std::max_element(shares.begin(), shares.end()) - shares.begin();
  result.worst = worst_of(got, want.data(), worst * length, std::min((worst + 1) * length, count), tolerance);
  if (first_failed == blocks) return result;
  std::int64_t at = first_failed * length;
  const auto reference = [&] { return want[static_cast<std::size_t>(at)]; };
  while (at + 1 < count && passes(deviation_of(got[at], reference(), tolerance))) ++at;
  const auto largest = std::bit_cast<double>(error_bits);
  result.wrong = told(name, at, got[at], reference(), tolerance, largest < infinity ? largest : infinity);
  if (tolerance.outliers > 0) are_outliers(got, want, tolerance, &result);
  return result;
}

// Compares a short array in which each element has its own tolerance.
template <typename T>
Comparison compare_each(const Kernel& kernel, const Problem& problem, int index, const T* got,
                        const std::vector<double>& want) {
  Comparison result;
  double largest = 0;
  std::int64_t first = -1;
  for (std::size_t i = 0; i < want.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    const Deviation one = deviation_of(got[i], want[i], kernel.tolerance_at(problem, index, at));
    if (!passes(one) && first < 0) first = at;
    largest = std::max(largest, one.error);
    if (i == 0 || share_of(one) > share_of(result.worst)) result.worst = one;
  }
  if (first >= 0)
    result.wrong =
        told(kernel.arrays[static_cast<std::size_t>(index)].name, first, got[first],
             want[static_cast<std::size_t>(first)], kernel.tolerance_at(problem, index, first), largest);
  return result;
}

}  // namespace

Deviation worse_of(const Deviation& one, const Deviation& other) {
  const double a = share_of(one), b = share_of(other);
  Deviation worse = b > a || (b == a && other.allowed > one.allowed) ? other : one;
  worse.outliers = std::max(one.outliers, other.outliers);
  return worse;
}

Tolerance tolerance_of(const Kernel& kernel, const Problem& problem, int index, std::int64_t at) {
  if (kernel.tolerance_at) return kernel.tolerance_at(problem, index, at);
  const Tolerance tolerance = kernel.tolerance(problem);
  const std::optional<ElementType>& own = kernel.arrays[static_cast<std::size_t>(index)].type;
  return own && is_whole(*own) && std::isfinite(tolerance.absolute)
             ? Tolerance{.outliers = tolerance.outliers}
             : tolerance;
}

double value_of(ElementType type, double reference) {
  return with_type(type, [&]<typename T>() { return static_cast<double>(wanted<T>(reference)); });
}

Comparison compare_output(const Kernel& kernel, const Problem& problem, InputFill fill, int index,
                          const void* got, const std::vector<double>& want) {
  return with_type(kernel.type_of(problem, index), [&]<typename T>() {
    const T* elements = static_cast<const T*>(got);
    if (kernel.tolerance_at) return compare_each(kernel, problem, index, elements, want);
    Tolerance tolerance = tolerance_of(kernel, problem, index, 0);
    tolerance.absolute *= variance_over_uniform(fill);
    return compare_array(kernel.arrays[static_cast<std::size_t>(index)].name, elements, want, tolerance);
  });
}

void alter(ElementType type, void* data, std::int64_t count) {
  with_elements(type, data, [&]<typename T>(T* elements) {
#pragma omp parallel for schedule(static) if (static_cast <std::size_t>(count) * sizeof(T) > for_one_thread)
    for (std::int64_t i = 0; i < count; ++i)
      if constexpr (is_floating<T>) {
        const auto value = static_cast<double>(elements[i]);
        using Real = std::conditional_t<sizeof(T) == 8, double, float>;
        elements[i] = T(static_cast<Real>(std::isfinite(value) && value != 0 ? value * -1.5 : 1));
      } else {
        elements[i] ^= 1;
      }
  });
}

}  // namespace sextant
