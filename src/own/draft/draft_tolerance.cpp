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

}  // namespace

std::string tolerance_text(const DraftParts& parts, const DraftArrays& arrays, bool outliers) {
  std::vector<std::string> keys, reasons;
  if (!arrays.has_whole_results()) {
    std::optional<Polynomial> terms;
    bool recurs = false;
    std::string repeats = parts.repeat;
    for (const DraftFunction& one : parts.functions) {
      if (one.terms && (!terms || one.terms->degree() > terms->degree()))
        terms = one.terms, recurs = one.signature.recurs;
      if (repeats.empty()) repeats = one.repeat;
    }
    if (terms && terms->degree() == 0 && *terms->constant() <= 8) terms.reset();
    const bool elementary = std::any_of(parts.functions.begin(), parts.functions.end(),
                                        [](const DraftFunction& one) { return one.signature.elementary; });
    const std::string few = elementary ? "64" : "8", eps = eps_text(parts, arrays);
    const std::string roundings = (repeats.empty() ? "" : repeats + " * ") +
                                  (terms ? "(" + terms->text() + " + " + few + ")" : few) + " * " +
                                  (eps.empty() ? "eps" : eps);
    const std::string half = half_text(parts);
    for (const char* key : {"absolute", "relative"})
      keys.push_back(key + (" = \"" + half) + (half.empty() ? "" : " + ") + roundings + "\"");
    std::string reason = terms && !recurs ? "sums of " + terms->text() + " numbers"
                         : terms          ? terms->text() + " operations in a row"
                                          : "";
    if (!repeats.empty()) reason += (reason.empty() ? "" : ", ") + repeats + " repetitions";
    if (reason.empty())
      reason = elementary ? "functions such as exp have several roundings" : "give the number of roundings";
    if (!eps.empty()) reason += "; all arithmetic is in double precision";
    if (!half.empty()) reason += "; results of 16 bits are rounded once";
    reasons.push_back("a guess: " + reason);
  }
  if (outliers) {
    keys.emplace_back("outliers = 0.001");
    reasons.emplace_back("a rounding may turn a comparison of computed numbers");
  }
  return keys.empty() ? "" : "tolerance = { " + join(keys) + ", reason = \"" + join(reasons, "; ") + "\" }\n";
}

}  // namespace sextant::own
