#include "own/kernel/fills.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "toolbox/random.hpp"

namespace sextant::own {
namespace {

template <typename T>
void fill_between(const Fill& fill, std::uint64_t seed, std::int64_t count, T* data) {
  const double width = fill.high - fill.low;
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < count; ++i) {
    const double part = static_cast<double>(random_bits(seed, static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53;
    data[i] = width > 0 ? std::min(static_cast<T>(fill.low + width * part), static_cast<T>(fill.high))
                        : static_cast<T>(fill.low);
  }
}

void fill_from_file(const DescribedArray& array, const std::string& folder, std::size_t bytes, char* data) {
  const std::filesystem::path path = std::filesystem::path(folder) / array.fill.file;
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw UserError(array.place.prefix() + array.name + " is filled from " + path.string() +
                    ", which cannot be read");
  file.read(data, static_cast<std::streamsize>(bytes));
  if (const auto got = static_cast<std::size_t>(file.gcount()); got < bytes)
    throw UserError(array.place.prefix() + array.name + " takes " + std::to_string(bytes) + " bytes, but " +
                    path.string() + " has " + std::to_string(got));
}

template <typename T>
void fill_elements(const DescribedArray& array, const std::string& folder, std::int64_t count,
                   std::uint64_t seed, T* data) {
  switch (array.fill.kind) {
    case Fill::Kind::uniform:
      return fill_uniform(seed, count, data);
    case Fill::Kind::zero:
      return std::fill(data, data + count, T{});
    case Fill::Kind::index:
      for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(i);
      return;
    case Fill::Kind::between:
      return fill_between(array.fill, seed, count, data);
    case Fill::Kind::file:
      return fill_from_file(array, folder, static_cast<std::size_t>(count) * sizeof(T),
                            reinterpret_cast<char*>(data));
  }
}

}  // namespace

void fill_array(const DescribedArray& array, const std::string& folder, ElementType type, std::int64_t count,
                std::uint64_t seed, void* data) {
  switch (type) {
    case ElementType::float32:
      return fill_elements(array, folder, count, seed, static_cast<float*>(data));
    case ElementType::float64:
      return fill_elements(array, folder, count, seed, static_cast<double*>(data));
    case ElementType::int32:
      return fill_elements(array, folder, count, seed, static_cast<std::int32_t*>(data));
    default:
      return;  // a description names none of the other types
  }
}

}  // namespace sextant::own
