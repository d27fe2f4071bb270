// The trees of the shipped model: for each option and target one ensemble for what physics leaves over of the
// log time, and one for how large that residual may be. Read from XGBoost's own JSON models in one file, or
// from their compact form, and evaluated without any library.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "predict/ensemble.hpp"
#include "predict/option.hpp"

namespace sextant::predict {

enum class Term : std::uint8_t {
  residual,    // log of the time over physics' time
  difficulty,  // the absolute residual to be expected of a model that has not seen the case
};
inline constexpr std::array<Term, 2> all_terms = {Term::residual, Term::difficulty};
constexpr const char* name_of(Term term) { return term == Term::residual ? "residual" : "difficulty"; }

struct Feature {
  std::string name;
  float low = 0, high = 0;  // of the rows that trained; low > high: none of them knew it
};

class Trees {
 public:
  struct Entry {
    Option option;
    Target target;
    Term term;
    Ensemble ensemble;
  };

  // Throws UserError if a feature has no name or no finite range, or if two have one name.
  explicit Trees(std::vector<Feature> features);
  // Either form, told by how it begins; `where` names it in messages. Throws UserError for a file that is
  // damaged, of another version, or whose trees do not hold together.
  static Trees read(std::string_view text, const std::string& where);

  // Throws UserError if there is one already.
  void add(Entry entry);
  const std::vector<Feature>& features() const { return features_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // Nothing if the model has no such ensemble. `x` has a value for each feature in the features' order, NaN
  // for what is not known; throws std::invalid_argument for another number of values.
  std::optional<float> at(Option option, Target target, Term term, std::span<const float> x) const;

  // Features, trees and a checksum, in as few bytes as full precision takes.
  std::string compact() const;

 private:
  std::vector<Feature> features_;
  std::vector<Entry> entries_;
};

}  // namespace sextant::predict
