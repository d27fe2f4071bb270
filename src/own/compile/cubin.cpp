#include "own/compile/cubin.hpp"

#include <elf.h>

#include <cstdint>
#include <cstring>
#include <map>

namespace sextant::own {
namespace {

// Returns the value at offset `at`, or zero beyond the end of the image.
template <typename Value>
Value value_at(const std::string& image, std::size_t at) {
  Value value{};
  if (at <= image.size() && image.size() - at >= sizeof value)
    std::memcpy(&value, image.data() + at, sizeof value);
  return value;
}

std::string text_at(const std::string& image, std::size_t at) {
  return at < image.size() ? std::string(image.c_str() + at) : std::string();
}

// Reads the parameter sizes from the attributes in a section. An attribute starts with a byte for its format,
// a byte for its kind, and two more bytes. In the format `counted`, these two bytes hold the size of the data
// that follow.
std::map<int, int> sizes_in(const std::string& image, std::size_t begin, std::size_t end) {
  constexpr int counted = 4, parameter_information = 0x17;
  std::map<int, int> sizes;
  for (std::size_t at = begin; at + 4 <= end;) {
    const auto form = value_at<std::uint8_t>(image, at), kind = value_at<std::uint8_t>(image, at + 1);
    const std::size_t bytes = form == counted ? value_at<std::uint16_t>(image, at + 2) : 0;
    if (kind == parameter_information && bytes >= 12)
      sizes[value_at<std::uint16_t>(image, at + 8)] =
          static_cast<int>(value_at<std::uint32_t>(image, at + 12) >> 18);
    at += 4 + bytes;
  }
  return sizes;
}

// Start of the name of the section that describes a kernel. The kernel's name follows.
constexpr const char* information = ".nv.info.";

// Calls `visit(name, begin, bytes)` for each section inside the image.
template <typename Visit>
void for_sections(const std::string& image, Visit&& visit) {
  if (image.size() < sizeof(Elf64_Ehdr) || std::memcmp(image.data(), ELFMAG, SELFMAG) != 0) return;
  const auto header = value_at<Elf64_Ehdr>(image, 0);
  const auto section = [&](std::size_t index) {
    return value_at<Elf64_Shdr>(image, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = section(header.e_shstrndx);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr one = section(i);
    if (one.sh_offset <= image.size() && one.sh_size <= image.size() - one.sh_offset)
      visit(text_at(image, names.sh_offset + one.sh_name), one.sh_offset, one.sh_size);
  }
}

}  // namespace

std::vector<int> parameter_sizes(const std::string& cubin, const std::string& kernel) {
  std::vector<int> sizes;
  for_sections(cubin, [&](const std::string& name, std::size_t begin, std::size_t bytes) {
    if (name != information + kernel) return;
    for (const auto& [ordinal, size] : sizes_in(cubin, begin, begin + bytes)) sizes.push_back(size);
  });
  return sizes;
}

std::vector<std::string> kernels_of(const std::string& cubin) {
  std::vector<std::string> kernels;
  for_sections(cubin, [&](const std::string& name, std::size_t, std::size_t) {
    if (name.starts_with(information)) kernels.push_back(name.substr(std::strlen(information)));
  });
  return kernels;
}

}  // namespace sextant::own
