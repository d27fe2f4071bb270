#include "own/draft/draft_tolerance.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "base/join.hpp"
#include "own/description/array_type.hpp"

namespace sextant::own {
namespace {

// Returns the rounding of double precision, if T is float, but all results are double and nothing is computed
// in float. Empty otherwise: eps is the rounding of T.
std::string eps_text(const DraftParts& parts, const DraftArrays& arrays) {
  const bool in_float = std::any_of(parts.functions.begin(), parts.functions.end(),
                                    [](const DraftFunction& one) { return one.signature.in_float; });
  const bool all_double = std::all_of(parts.arrays.begin(), parts.arrays.end(), [&](const DraftArray& one) {
    const std::string& type = one.member.empty() ? one.type : one.member;
    return !one.written || arrays.is_whole(one) || type.find("double") != std::string::npos;
  });
  return arrays.type_of_t() == "float" && all_double && !in_float ? "2.3e-16" : "";
}

// Returns the rounding of results of 16 bits; empty if there are none.
std::string half_text(const DraftParts& parts) {
  std::string text;
  for (const DraftArray& one : parts.arrays) {
    const std::optional<ArrayType> type = array_type_named(one.type);
    if (one.written && type && type->element == ElementType::float16 && text.empty()) text = "0.001";
    if (one.written && type && type->element == ElementType::bfloat16) text = "0.008";
  }
  return text;
}

// What is known of the roundings of real results.
struct Roundings {
  std::optional<Polynomial> terms;  // number of terms of the longest sum, or of operations in a row
  bool recurs = false, elementary = false, amplifies = false;  // as in Signature
  std::string repeats, eps, half;
};

Roundings roundings_of(const DraftParts& parts, const DraftArrays& arrays) {
  Roundings all;
  all.repeats = parts.repeat;
  all.eps = eps_text(parts, arrays);
  all.half = half_text(parts);
  for (const DraftFunction& one : parts.functions) {
    if (one.terms && (!all.terms || one.terms->degree() > all.terms->degree()))
      all.terms = one.terms, all.recurs = one.signature.recurs;
    if (all.repeats.empty()) all.repeats = one.repeat;
    all.elementary = all.elementary || one.signature.elementary;
    all.amplifies = all.amplifies || one.signature.amplifies;
  }
  if (all.terms && all.terms->degree() == 0 && *all.terms->constant() <= 8) all.terms.reset();
  return all;
}

std::string text_of(const Roundings& all) {
  const std::string few = all.elementary ? "64" : "8";
  return (all.half.empty() ? "" : all.half + " + ") + (all.repeats.empty() ? "" : all.repeats + " * ") +
         (all.amplifies ? "16 * " : "") + (all.terms ? "(" + all.terms->text() + " + " + few + ")" : few) +
         " * " + (all.eps.empty() ? "eps" : all.eps);
}

std::string reason_of(const Roundings& all) {
  std::vector<std::string> reasons;
  if (all.terms)
    reasons.push_back(all.recurs ? all.terms->text() + " operations in a row"
                                 : "sums of " + all.terms->text() + " numbers");
  if (!all.repeats.empty()) reasons.push_back(all.repeats + " repetitions");
  if (reasons.empty())
    reasons.emplace_back(all.elementary ? "functions such as exp have several roundings"
                                        : "give the number of roundings");
  if (all.amplifies) reasons.emplace_back("small divisors amplify roundings");
  if (!all.eps.empty()) reasons.emplace_back("all arithmetic is in double precision");
  if (!all.half.empty()) reasons.emplace_back("results of 16 bits are rounded once");
  return "a guess: " + join(reasons);
}

}  // namespace

std::string tolerance_text(const DraftParts& parts, const DraftArrays& arrays, bool outliers,
                           bool relative_only) {
  std::vector<std::string> keys, reasons;
  bool amplifies = false;
  if (!arrays.has_whole_results()) {
    const Roundings all = roundings_of(parts, arrays);
    amplifies = all.amplifies;
    for (const char* key : {"absolute", "relative"})
      if (!relative_only || key[0] == 'r') keys.push_back(key + (" = \"" + text_of(all)) + "\"");
    reasons.push_back(reason_of(all));
    if (relative_only) reasons.emplace_back("results shrink as sizes grow");
  }
  if (outliers || amplifies) keys.emplace_back("outliers = 0.001");
  if (outliers) reasons.emplace_back("a rounding may turn a decision on computed numbers");
  return keys.empty() ? "" : "tolerance = { " + join(keys) + ", reason = \"" + join(reasons, "; ") + "\" }\n";
}

}  // namespace sextant::own
