// Parses the size notation of the command line (--sizes).
#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <string_view>

#include "base/error.hpp"
#include "plan/selection.hpp"

namespace sextant {
namespace {

// larger than any memory, and exact as a double
constexpr std::int64_t largest_size = std::int64_t{1} << 50;
constexpr std::size_t most_sizes = 1'000'000;

const char* const allowed =
    "A size is a number of elements of all arrays (such as 64Ki, 2^20 or 1e6), of the largest array "
    "(10M/array), or of bytes (1GiB). Ranges (1Ki:64Mi:x4 or 32:2048:+32), shapes (100x37x53) and class "
    "names (S) are possible, too. Commas separate several sizes.";

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw UserError("size `" + text + "` " + why + ". " + allowed);
}

bool all_digits(const std::string& text) {
  return !text.empty() && text.size() <= 16 &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// Returns the factor of a suffix: Ki, Mi, Gi, Ti (powers of 1024) or k, M, G, T (powers of 1000). Returns 0
// if the suffix is unknown.
double factor_of(const std::string& suffix) {
  if (suffix.empty()) return 1;
  const bool binary = suffix.size() == 2 && suffix[1] == 'i';
  if (suffix.size() > 1 && !binary) return 0;
  const std::string order = "KMGT";
  const std::size_t power =
      order.find(static_cast<char>(std::toupper(static_cast<unsigned char>(suffix[0]))));
  if (power == std::string::npos) return 0;
  return std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power + 1));
}

std::int64_t parse_size(const std::string& text, const std::string& whole) {
  double value = 0;
  const std::size_t caret = text.find('^');
  if (caret != std::string::npos) {
    const std::string base = text.substr(0, caret), exponent = text.substr(caret + 1);
    if (!all_digits(base) || !all_digits(exponent)) refuse(whole, "is not a valid size");
    value = std::pow(std::stod(base), std::stod(exponent));
  } else {
    std::size_t used = 0;
    if (text.empty() || !std::isdigit(static_cast<unsigned char>(text[0])) || text.find_first_of("xX") == 1)
      refuse(whole, "is not a valid size");
    try {
      value = std::stod(text, &used);
    } catch (const std::exception&) {
      refuse(whole, "is not a valid size");
    }
    const double factor = factor_of(text.substr(used));
    if (factor == 0) refuse(whole, "has an unknown suffix `" + text.substr(used) + "`");
    value *= factor;
  }
  if (!(value <= static_cast<double>(largest_size))) refuse(whole, "is larger than 2^50 elements");
  if (value < 1) refuse(whole, "is less than one element");
  if (value != std::floor(value)) refuse(whole, "is not a whole number of elements");
  return static_cast<std::int64_t>(value);
}

// Parses extents such as "100x37x53" or "64x32", with the fastest axis x first. Returns false if the text is
// not a shape.
bool parse_shape(const std::string& text, Extents* shape) {
  std::vector<std::int64_t> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find('x', begin), text.size());
    const std::string number = text.substr(begin, end - begin);
    if (!all_digits(number) || number.size() > 9) return false;
    values.push_back(std::stoll(number));
    begin = end + 1;
  }
  if (values.size() > 3) refuse(text, "has more than three extents");
  if (values.size() < 2) return false;
  values.resize(3, 1);
  *shape = {values[0], values[1], values[2]};
  if (std::min({values[0], values[1], values[2]}) < 1) refuse(text, "has an extent of 0");
  if (static_cast<double>(shape->x) * static_cast<double>(shape->y) * static_cast<double>(shape->z) >
      static_cast<double>(largest_size))
    refuse(text, "has more than 2^50 points");
  return true;
}

void add_range(const std::string& item, std::vector<std::int64_t>* sizes) {
  const std::size_t first = item.find(':'), second = item.find(':', first + 1);
  if (second == std::string::npos || item.find(':', second + 1) != std::string::npos)
    refuse(item, "is not a range, which needs a start, an end and a step");
  const std::int64_t start = parse_size(item.substr(0, first), item);
  const std::int64_t end = parse_size(item.substr(first + 1, second - first - 1), item);
  const std::string step = item.substr(second + 1);
  if (end < start) refuse(item, "is a range that ends before it starts");
  if (step.size() < 2 || (step[0] != 'x' && step[0] != '+'))
    refuse(item, "is a range without a step, such as x4 (times 4) or +32 (plus 32)");
  const std::size_t before = sizes->size();
  const auto add = [&](std::int64_t size) {
    if (sizes->size() - before >= most_sizes) refuse(item, "is a range with more than a million steps");
    sizes->push_back(size);
  };
  if (step[0] == '+') {
    const std::int64_t stride = parse_size(step.substr(1), item);
    for (std::int64_t size = start; size <= end; size += stride) add(size);
    return;
  }
  std::size_t used = 0;
  double factor = 0;
  try {
    factor = std::stod(step.substr(1), &used);
  } catch (const std::exception&) {
  }
  if (used + 1 != step.size() || !(factor > 1) || !std::isfinite(factor))
    refuse(item, "is a range with a factor that is not greater than 1");
  std::int64_t last = 0;
  double size = static_cast<double>(start);
  for (std::size_t step_count = 0; size < static_cast<double>(end) + 0.5; ++step_count, size *= factor) {
    if (step_count >= most_sizes) refuse(item, "is a range with more than a million steps");
    const std::int64_t rounded = std::llround(size);
    // several steps may round to the same size
    if (rounded != last && rounded <= end) add(rounded);
    last = rounded;
  }
}

// Returns the list of `selection` to which a number or range belongs. Removes the unit from *item.
std::vector<std::int64_t>* list_of(std::string* item, Selection* selection) {
  constexpr std::string_view per_array = "/array";
  if (item->ends_with(per_array)) {
    item->erase(item->size() - per_array.size());
    return &selection->array_sizes;
  }
  // for a size in bytes, every number of the range must have the unit
  std::string plain;
  std::size_t numbers = 0, in_bytes = 0;
  for (std::size_t begin = 0; begin <= item->size();) {
    const std::size_t end = std::min(item->find(':', begin), item->size());
    std::string part = item->substr(begin, end - begin);
    const bool factor = part.starts_with('x');
    numbers += factor ? 0 : 1;
    if (!factor && part.ends_with('B')) {
      ++in_bytes;
      part.pop_back();
    }
    plain += (begin ? ":" : "") + part;
    begin = end + 1;
  }
  if (in_bytes == 0) return &selection->sizes;
  if (in_bytes != numbers) refuse(*item, "is a range that mixes bytes and elements");
  *item = plain;
  return &selection->byte_sizes;
}

void parse_number(const std::string& item, Selection* selection) {
  std::string plain = item;
  std::vector<std::int64_t>* sizes = list_of(&plain, selection);
  if (plain.find(':') != std::string::npos)
    add_range(plain, sizes);
  else
    sizes->push_back(parse_size(plain, item));
}

// Splits the text at blanks, and at commas with or without blanks around them.
std::vector<std::string> items_of(const std::string& text) {
  std::vector<std::string> items;
  bool open = true;  // true if an item must follow: at the beginning and after a comma
  for (std::size_t i = 0; i <= text.size();) {
    const std::size_t end = std::min(text.find_first_of(", \t\n", i), text.size());
    if (end > i) {
      items.push_back(text.substr(i, end - i));
      open = false;
    }
    if (end == text.size()) break;
    if (text[end] == ',') {
      if (open) refuse(text, "has an empty entry");
      open = true;
    }
    i = end + 1;
  }
  if (open) refuse(text, "has an empty entry");
  return items;
}

}  // namespace

void parse_sizes(const std::string& text, Selection* selection) {
  for (const std::string& item : items_of(text)) {
    const bool name =
        std::isalpha(static_cast<unsigned char>(item[0])) &&
        std::all_of(item.begin(), item.end(), [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (Extents shape; parse_shape(item, &shape))
      selection->shapes.push_back(shape);
    else if (name && factor_of(item) > 1)  // an item such as "64 Ki"
      refuse(text, "has a unit, `" + item + "`, without its number");
    else if (name)
      selection->classes.push_back(item);
    else
      parse_number(item, selection);
  }
}

}  // namespace sextant
