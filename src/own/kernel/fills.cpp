#include "own/kernel/fills.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <type_traits>
#include <vector>

#include "base/error.hpp"
#include "suite/element.hpp"
#include "toolbox/draws.hpp"
#include "toolbox/host/fill_elements.hpp"

namespace sextant::own {
namespace {

// The parameters for filling one array of `count` elements.
struct Filling {
  const DescribedArray& array;
  std::uint64_t seed;
  std::int64_t count;
  double low, high;

  [[noreturn]] void refuse(const std::string& why) const {
    throw UserError(array.place.prefix() + "the fill of " + array.name + ": " + why);
  }
  double width() const {
    if (high < low) refuse("`low` is above `high`");
    return high - low;
  }
};

template <typename T>
T element_of(double value) {
  if constexpr (sizeof(T) == 2 && is_floating<T>)
    return T(static_cast<float>(value));
  else if constexpr (is_floating<T>)
    return static_cast<T>(value);
  else
    return static_cast<T>(std::floor(value));
}

// Returns a random number in [0, 1).
double part(std::uint64_t seed, std::int64_t i) {
  return static_cast<double>(random_bits(seed, static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53;
}

// Real numbers may be rounded up to `high`, which whole numbers never reach: 256 is no byte.
template <typename T>
void fill_between(const Filling& fill, T* data) {
  const double width = fill.width();
  const double most = is_floating<T> ? fill.high : std::max(fill.low, std::ceil(fill.high) - 1);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < fill.count; ++i)
    data[i] = element_of<T>(std::min(fill.low + width * part(fill.seed, i), most));
}

// Divides the range into `count` equal intervals and draws one value from each.
template <typename T>
void fill_sorted(const Filling& fill, T* data) {
  const double width = fill.width();
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < fill.count; ++i)
    data[i] = element_of<T>(fill.low + width * (static_cast<double>(i) + part(fill.seed, i)) /
                                           static_cast<double>(fill.count));
}

// Stores the first `count` elements of a random permutation of 0 … most - 1, so that all elements differ.
template <typename T>
void fill_distinct(const Filling& fill, std::int64_t most, T* data) {
  if (most < fill.count)
    fill.refuse("there are not " + std::to_string(fill.count) + " distinct indices below " +
                std::to_string(most));
  const Permutation places(fill.seed, std::max<std::int64_t>(most, 1));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < fill.count; ++i) data[i] = element_of<T>(static_cast<double>(places(i)));
}

// Fills an array of row offsets with rows of different lengths, some of them empty. The rows form pairs of
// equal total length. The first row of a pair gets at most three quarters of the pair's elements.
template <typename T>
void fill_offsets(const Filling& fill, T* data) {
  const auto all = static_cast<std::int64_t>(fill.high);
  const std::int64_t rows = fill.count - 1;
  if (all < 0) fill.refuse("the largest offset is negative");
  const auto even = [&](std::int64_t row) {
    return static_cast<std::int64_t>(static_cast<double>(all) * static_cast<double>(row) /
                                     static_cast<double>(std::max<std::int64_t>(rows, 1)));
  };
#pragma omp parallel for schedule(static)
  for (std::int64_t row = 0; row < fill.count; ++row) {
    std::int64_t at = row == rows ? all : even(row);
    if (row % 2 == 1 && row < rows) {  // the second row of a pair starts at a random position
      const std::int64_t before = even(row - 1), after = row + 1 == rows ? all : even(row + 1);
      at = before + below(fill.seed, row, (after - before) * 3 / 4 + 1);
    }
    data[row] = element_of<T>(static_cast<double>(at));
  }
}

// Fills linked lists. They end, because each element names a later one. A quarter of the elements are the
// last of a list.
template <typename T>
void fill_links(const Filling& fill, T* data) {
  constexpr std::int64_t farthest = 8;
  const auto all = static_cast<std::int64_t>(fill.high);
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < fill.count; ++i) {
    const std::int64_t next = i + 1 + below(fill.seed, 2 * i, farthest);
    const bool last = next >= all || below(fill.seed, 2 * i + 1, 4) == 0;
    data[i] = element_of<T>(last ? -1.0 : static_cast<double>(next));
  }
}

// Returns a number for a member of a struct. Whole numbers are below `high`, if it is given. If members are
// positive, they are then at least 1, unless `high` leaves only 0.
template <typename T>
T member_element(const Filling& fill, bool truth, std::int64_t i) {
  if (truth) return static_cast<T>(static_cast<float>(below(fill.seed, i, 2)));
  if (is_floating<T>)
    return fill.array.fill.positive ? element_of<T>(1 + part(fill.seed, i))
                                    : uniform_element<T>(fill.seed, i);
  if (fill.array.fill.high.empty()) return uniform_element<T>(fill.seed, i);
  const double low = fill.array.fill.positive && fill.high > 1 ? 1 : 0;
  return element_of<T>(std::min(low + (fill.high - low) * part(fill.seed, i), fill.high - 1));
}

// Fills structs whose members have several types.
void fill_structs(const Filling& fill, std::uint8_t* data) {
  std::int64_t bytes = 0;
  for (const Fill::Members& one : fill.array.fill.members) bytes += one.count * one.bytes;
  if (bytes < 1 || bytes != fill.array.type->members)
    fill.refuse("the members have " + std::to_string(bytes) + " bytes, but the struct has " +
                std::to_string(fill.array.type->members) +
                ". List all members, and padding as \"pad[BYTES]\"");
  std::fill_n(data, fill.count, std::uint8_t{0});
#pragma omp parallel for schedule(static)
  for (std::int64_t at = 0; at < fill.count / bytes; ++at) {
    std::int64_t place = at * bytes;
    for (const Fill::Members& one : fill.array.fill.members)
      for (std::int64_t k = 0; k < one.count; ++k, place += one.bytes)
        if (one.type)
          with_elements(*one.type, data + place, [&](auto* member) {
            using T = std::remove_reference_t<decltype(*member)>;
            const T value = member_element<T>(fill, one.truth, place);
            std::memcpy(member, &value, sizeof value);
          });
  }
}

void fill_from_file(const Filling& fill, const std::string& folder, std::size_t bytes, char* data) {
  const DescribedArray& array = fill.array;
  const std::filesystem::path path = std::filesystem::path(folder) / array.fill.file;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UserError(array.place.prefix() + array.name + " is filled from " + path.string() +
                    ", which cannot be read. Write the file, or name another one.");
  file.read(data, static_cast<std::streamsize>(bytes));
  if (const auto got = static_cast<std::size_t>(file.gcount()); got < bytes)
    throw UserError(array.place.prefix() + "the array " + array.name + " takes " + std::to_string(bytes) +
                    " bytes, but " + path.string() + " has only " + std::to_string(got) +
                    ". Write a longer file, or choose smaller sizes.");
}

template <typename T>
void fill_elements(const Filling& fill, const std::string& folder, T* data) {
  switch (fill.array.fill.kind) {
    case Fill::Kind::uniform:
      fill_uniform_elements(fill.seed, fill.count, data);
      // a bool that is neither 0 nor 1 has no meaning in C++
      if constexpr (std::is_same_v<T, std::uint8_t>)
        if (fill.array.type && fill.array.type->cpp == "bool")
          for (std::int64_t i = 0; i < fill.count; ++i) data[i] &= 1;
      return;
    case Fill::Kind::zero:
      std::fill_n(data, fill.count, T(0));
      return;
    case Fill::Kind::index:
      for (std::int64_t i = 0; i < fill.count; ++i) data[i] = element_of<T>(static_cast<double>(i));
      return;
    case Fill::Kind::between:
      return fill_between(fill, data);
    case Fill::Kind::sorted:
      return fill_sorted(fill, data);
    case Fill::Kind::permutation:
      return fill_distinct(fill, fill.count, data);
    case Fill::Kind::distinct:
      return fill_distinct(fill, static_cast<std::int64_t>(fill.high), data);
    case Fill::Kind::offsets:
      return fill_offsets(fill, data);
    case Fill::Kind::links:
      return fill_links(fill, data);
    case Fill::Kind::members:
      if constexpr (std::is_same_v<T, std::uint8_t>) return fill_structs(fill, data);
      fill.refuse("only a struct whose member is \"unsigned char\" can have `members`");
    case Fill::Kind::file:
      return fill_from_file(fill, folder, static_cast<std::size_t>(fill.count) * sizeof(T),
                            reinterpret_cast<char*>(data));
  }
}

}  // namespace

void fill_array(const DescribedArray& array, const std::string& folder, ElementType type,
                const std::vector<std::int64_t>& values, std::uint64_t seed, void* data) {
  const std::vector<double> real(values.begin(), values.end());
  const auto bound = [&](const Expression& one) { return one.empty() ? 0 : one.real_at(real); };
  const Filling fill{array, seed, array.elements(values), bound(array.fill.low), bound(array.fill.high)};
  with_elements(type, data, [&](auto* elements) { fill_elements(fill, folder, elements); });
}

}  // namespace sextant::own
