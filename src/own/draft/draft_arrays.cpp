#include "own/draft/draft_arrays.hpp"

#include <algorithm>
#include <cctype>
#include <functional>
#include <vector>

#include "base/join.hpp"
#include "own/description/array_type.hpp"
#include "own/draft/tokens.hpp"
#include "suite/element.hpp"

namespace sextant::own {
namespace {

bool is_whole_type(const std::string& type) {
  const std::optional<ArrayType> known = array_type_named(type);
  return known && is_whole(known->element);
}

// Returns the number of factors of the longest product of names in an expression.
std::size_t degree_of_text(const std::string& text, const std::function<bool(const std::string&)>& counts) {
  std::size_t most = 0, factors = 0;
  std::string word;
  for (const char c : text + " ") {
    if (is_word_part(c)) {
      word += c;
      continue;
    }
    if (!word.empty() && counts(word)) most = std::max(most, ++factors);
    word.clear();
    if (c == '+' || c == '-') factors = 0;
  }
  return most;
}

// Returns characters without small letters, if all letters are named in both cases. Fewer other characters
// are then between them.
std::set<long long> one_case(const std::set<long long>& characters) {
  std::set<long long> large;
  for (const long long one : characters) {
    const int other =
        std::isalpha(static_cast<int>(one)) ? static_cast<int>(one) ^ 32 : static_cast<int>(one);
    if (!characters.contains(other)) return characters;
    if (!std::islower(static_cast<int>(one))) large.insert(one);
  }
  return large;
}

bool is_byte(const DraftArray* array) { return array && array->type == "unsigned char"; }

}  // namespace

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::size_t degree_of(const DraftArray& array) {
  std::size_t most = 0;
  for (const Polynomial& one : array.lengths) most = std::max(most, one.degree());
  return most;
}

std::string type_text(const DraftArray& array) {
  return array.member.empty() ? "\"" + array.type + "\""
                              : "{ struct = \"" + array.type + "\", member = \"" + array.member +
                                    "\", members = " + std::to_string(array.members) + " }";
}

std::size_t DraftArrays::degree_with_changes(const DraftArray& array) const {
  return degree_of_text(length_of(array), [&](const std::string& word) {
    const auto change = changes_.sizes.find(word);
    return parts_.number_named(word) &&
           (change == changes_.sizes.end() || change->second.text.starts_with('"'));
  });
}

// Returns an exclusive upper bound for the values in array `by`, which serve as indices into `array`.
std::string DraftArrays::highest_choice(const DraftArray& array, const Chooser& by) const {
  const std::string all = length_of(array);
  if (!by.factor || array.lengths.size() > 1) return all;
  const Polynomial length = array.lengths.empty() ? unknown_length(array) : array.lengths[0];
  const std::optional<Polynomial> most = (length - by.rest - Polynomial(1) + *by.factor).divided(*by.factor);
  return most && most->grows() ? most->text() : all;
}

// Returns a default length for arrays whose indices do not determine it: the product of the sizes. Zero
// without sizes.
Polynomial DraftArrays::spanned() const {
  for (const DraftNumber& one : parts_.numbers)
    if (one.threads) return Polynomial::of(one.name);
  Polynomial product(1);
  std::size_t taken = 0;
  const bool any_used = std::any_of(parts_.numbers.begin(), parts_.numbers.end(),
                                    [](const DraftNumber& one) { return one.in_lengths; });
  for (const DraftNumber& one : parts_.numbers)
    if (!one.real && taken < 3 && (!any_used || (one.in_lengths && !one.count && !one.block)))
      product = product * Polynomial::of(one.name), ++taken;
  return taken > 0 ? product : Polynomial(0);
}

// Returns a length for an array with unknown indices. Each element that chooses from the array chooses
// several.
Polynomial DraftArrays::unknown_length(const DraftArray& array) const {
  std::int64_t most = 1;
  for (const Chooser& by : array.chosen_by)
    if (const std::optional<std::int64_t> each = by.factor ? by.factor->constant() : std::nullopt)
      most = std::max(most, *each);
  return Polynomial(most) * spanned();
}

std::string DraftArrays::default_length() const {
  const Polynomial product = spanned();
  return product == Polynomial(0) ? "N / " + std::to_string(parts_.arrays.size()) : product.text();
}

std::string DraftArrays::length_of(const DraftArray& array) const {
  if (const auto change = changes_.lengths.find(array.name); change != changes_.lengths.end())
    return change->second.text;
  std::string text;
  for (const Polynomial& one : array.lengths)
    text = text.empty() ? one.text() : "max(" + text + ", " + one.text() + ")";
  const bool in_rows = std::any_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return std::find(one.rows_of.begin(), one.rows_of.end(), array.name) != one.rows_of.end();
  });
  // If the only known index is a constant, it does not bound the unknown indices.
  const std::optional<std::int64_t> constant =
      array.lengths.size() == 1 ? array.lengths[0].constant() : std::nullopt;
  // Values that serve as indices are filled below the constant.
  if (array.has_unknown && constant && (*constant == 1 || array.chosen_by.empty()))
    text = *constant == 1 ? "" : "max(" + text + ", " + default_length() + ")";
  if (text.empty())
    if (const std::optional<Polynomial> length = length_for_bytes(array)) return length->text();
  if (!text.empty()) return text;
  const Polynomial length = unknown_length(array);
  return in_rows || length == Polynomial(0) ? (in_rows ? "8 * " : "") + default_length() : length.text();
}

// Returns the length of an array that only bytes without a sign index, so that all their values are valid.
std::optional<Polynomial> DraftArrays::length_for_bytes(const DraftArray& array) const {
  constexpr std::int64_t highest_byte = 255;
  std::optional<Polynomial> length;
  for (const Chooser& by : array.chosen_by) {
    if (!by.factor || !array.lengths.empty() || !is_byte(named(by.array))) return {};
    length = *by.factor * Polynomial(highest_byte) + by.rest + Polynomial(1);
  }
  return length;
}

const DraftArray* DraftArrays::named(const std::string& name) const {
  for (const DraftArray& one : parts_.arrays)
    if (one.name == name) return &one;
  return nullptr;
}

bool DraftArrays::is_whole(const DraftArray& array) const {
  if (array.type == "T") return parts_.types == std::set<std::string>{"int"};
  return !array.mixed && is_whole_type(array.member.empty() ? array.type : array.member);
}

DraftArrays::FillText DraftArrays::index_fill(const DraftArray& array) const {
  const std::string length = length_of(array);
  FillText fill;
  for (const DraftArray& one : parts_.arrays)
    for (const Chooser& by : one.chosen_by) {
      if (by.array != array.name || length_for_bytes(one)) continue;
      const std::string most = highest_choice(one, by);
      const bool permuted = lower(array.name).find("perm") != std::string::npos;
      if ((by.scatters || permuted) && most == length)
        fill.text = "\"permutation\"";
      else if (by.scatters)
        fill.text = "{ distinct = \"" + most + "\" }";
      else if (fill.text.empty() || fill.text.starts_with("{ low"))
        fill.text = std::string("{ low = ") + (array.negative ? "-1" : "0") + ", high = \"" + most + "\" }";
      const std::optional<std::int64_t> gap =
          by.factor ? (*by.factor - by.rest).constant() : std::optional<std::int64_t>(0);
      if (by.scatters)
        fill.question = gap && *gap > 0
                            ? "each at most once, because equal indices into " + one.name + " race"
                            : "must no two threads write the same element of " + one.name + "?";
    }
  return fill;
}

// Returns the smallest length of the arrays into which the elements of `array` are indices.
std::string DraftArrays::highest_index(const DraftArray& array) const {
  std::string high;
  for (const DraftArray& one : parts_.arrays)
    for (const Chooser& by : one.chosen_by)
      if (by.array == array.name) {
        const std::string most = highest_choice(one, by);
        high = high.empty() || high == most ? most : "min(" + high + ", " + most + ")";
      }
  return high;
}

// Elements that are indices of next elements must end somewhere.
DraftArrays::FillText DraftArrays::link_fill(const DraftArray& array) const {
  const std::string high = highest_index(array);
  if (array.ends)
    return {"{ links = \"" + (high.empty() ? length_of(array) : high) + "\" }", "lists that end with -1"};
  return {"\"zero\"", "elements name next elements: which number ends such a list?"};
}

// Whole numbers in a struct may be indices of the arrays that its elements choose from.
DraftArrays::FillText DraftArrays::struct_fill(const DraftArray& array) const {
  if (array.layout.empty())
    return {"\"zero\"",
            "structs of zeros: wrong results may pass; write their bytes into a file: fill = \"….bin\""};
  std::string types;
  for (const std::string& one : array.layout) types += (types.empty() ? "\"" : ", \"") + one + "\"";
  const auto change = changes_.fills.find(array.name);
  const std::string high = change != changes_.fills.end() ? change->second.text : highest_index(array);
  return {"{ members = [" + types + "]" + (high.empty() ? "" : ", high = \"" + high + "\"") +
              (real_ == RealFill::positive || array.divides ? ", positive = true" : "") + " }",
          array.written ? "compared byte by byte: roundings of its real numbers count as errors"
          : change != changes_.fills.end() ? change->second.why
                                           : ""};
}

DraftArrays::FillText DraftArrays::sorted_fill(const DraftArray& array) const {
  FillText fill;
  if (!is_whole(array)) {
    fill.text = std::string("{ low = ") + (real_ == RealFill::positive ? "1, high = 2" : "-1, high = 1") +
                ", sorted = true }";
    return fill;
  }
  fill = index_fill(array);
  const std::size_t bound = fill.text.find(" }");
  fill.text = bound != std::string::npos ? fill.text.insert(bound, ", sorted = true")
                                         : "{ low = 0, high = \"" + length_of(array) + "\", sorted = true }";
  return fill;
}

DraftArrays::FillText DraftArrays::remainder_fill(const DraftArray& array) const {
  const std::string why = "remainders of negative numbers are negative";
  const std::string& type = array.type;
  if (type == "char" || type == "signed char") return {"{ low = 0, high = 127 }", why};
  if (type == "short") return {"{ low = 0, high = 32767 }", why};
  return {"{ low = 0, high = 1000000 }", why};
}

// Returns the fill of whole numbers of which the code only uses some values, or all bits.
DraftArrays::FillText DraftArrays::value_fill(const DraftArray& array) const {
  constexpr long long most_codes = 1000, fewest_characters = 16;
  const auto range = [](long long low, long long high) {
    return "{ low = " + std::to_string(low) + ", high = " + std::to_string(high) + " }";
  };
  const ElementUse& use = array.use;
  if (array.type == "bool") return {};
  if (use.truth && !use.valued && !use.bits && use.characters.empty()) {
    const long long low = use.codes.empty() ? 0 : std::min(*use.codes.begin(), 0LL);
    const long long high = use.codes.empty() ? 0 : std::max(*use.codes.rbegin(), 0LL);
    if (high - low < most_codes)
      return {range(low, high + 2), use.compared.empty() ? "only zero or not zero matters"
                                                         : "the code compares with these numbers"};
  }
  if (const std::set<long long> named = one_case(use.characters); !named.empty()) {
    const long long low = *named.begin();
    return {range(low, std::max(*named.rbegin() + 1, low + fewest_characters)),
            "characters that the code names, and those between them"};
  }
  // The numbers of a fill have 53 bits.
  if (use.bits && array.type.starts_with("unsigned long"))
    return {"{ low = 0, high = 9007199254740992 }", "53 bits of each"};
  return {};
}

DraftArrays::FillText DraftArrays::fill_of(const DraftArray& array) const {
  if (array.written && !array.read && array.whole) return {};
  if (array.mixed) return struct_fill(array);
  if (const auto change = changes_.fills.find(array.name); change != changes_.fills.end())
    return {change->second.text, change->second.why};
  if (array.sorted) return sorted_fill(array);
  const bool whole = is_whole(array);
  if (whole && !array.rows_of.empty()) {
    const DraftArray* rows = named(array.rows_of[0]);
    return {"{ offsets = \"" + (rows ? length_of(*rows) : default_length()) + "\" }", ""};
  }
  if (whole && array.links) return link_fill(array);
  FillText fill = whole ? index_fill(array) : FillText{};
  if (whole && array.remainder && fill.text.empty() && !array.written) fill = remainder_fill(array);
  if (whole && !array.written && fill.text.empty()) fill = value_fill(array);
  if (whole && !array.written && fill.text.empty() && array.divides)
    return {"{ low = 1, high = 17 }", "a divisor"};
  if (array.returned && array.read) fill.text = "\"zero\"";
  if (whole || !fill.text.empty()) return fill;
  if (array.divides) return {"{ low = 1, high = 2 }", "a divisor"};
  if (real_ == RealFill::positive)
    return {"{ low = 1, high = 2 }", "negative numbers gave results that are no numbers"};
  if (real_ == RealFill::small)
    return {"{ low = -0.125, high = 0.125 }", "larger numbers gave results that are no numbers"};
  return fill;
}

std::string DraftArrays::text(const DraftArray& array) const {
  const char* role = !array.written ? "in" : array.read || !array.whole ? "inout" : "out";
  std::vector<std::string> questions;
  const FillText fill = fill_of(array);
  const auto length = changes_.lengths.find(array.name);
  if (length != changes_.lengths.end())
    questions.push_back(length->second.why);
  else if (array.has_unknown && !length_for_bytes(array))
    questions.emplace_back(array.lengths.empty() ? "length is a guess"
                                                 : "length covers only the simple indices");
  if (is_whole(array) && fill.text.empty() && !array.written && !is_byte(&array))
    questions.emplace_back("fill = { low = 0, high = 256 } if these are indices");
  if (!fill.question.empty()) questions.push_back(fill.question);
  if (!array.use.compared.empty() && !array.written && (!is_whole(array) || fill.text.empty()))
    questions.push_back("the code asks for " + join(array.use.compared) + ", which the fill does not have");
  if (std::string(role) == "inout" && !array.returned && !array.swapped)
    questions.emplace_back(array.read ? "it is also read: fill = \"zero\" if sums start from it"
                                      : "\"out\" if every element is written");
  return "  { name = \"" + array.name + "\", role = \"" + role + "\", length = \"" + length_of(array) + "\"" +
         (array.type == "T" ? "" : ", type = " + type_text(array)) +
         (fill.text.empty() ? "" : ", fill = " + fill.text) + " }," +
         (questions.empty() ? "" : "  # " + join(questions, "; ")) + "\n";
}

bool DraftArrays::has_whole_results() const {
  const bool whole_t = parts_.types == std::set<std::string>{"int"};
  return std::all_of(parts_.arrays.begin(), parts_.arrays.end(), [&](const DraftArray& one) {
    return !one.written || (one.type == "T" ? whole_t : is_whole_type(one.type));
  });
}

std::string DraftArrays::type_of_t() const {
  for (const DraftArray& one : parts_.arrays)
    if (parts_.types.empty() && (one.type == "float" || one.type == "double")) return one.type;
  return "";
}

}  // namespace sextant::own
