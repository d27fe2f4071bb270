// The boosted trees of the advice model. For each option and target, one ensemble predicts the residual of
// the analytic model, and another one the absolute value of that residual.
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
  residual,    // log(time / time by the analytic model)
  difficulty,  // expected absolute residual of a model that was not trained on the case
};
inline constexpr std::array<Term, 2> all_terms = {Term::residual, Term::difficulty};
constexpr const char* name_of(Term term) { return term == Term::residual ? "residual" : "difficulty"; }

struct Feature {
  std::string name;
  float low = 0, high = 0;  // range of its values in the training rows; low > high: unknown in all rows
};

class Trees {
 public:
  struct Entry {
    Option option;
    Target target;
    Term term;
    Ensemble ensemble;
  };

  // Throws UserError if a feature has no name or no finite range, or if two have the same name.
  explicit Trees(std::vector<Feature> features);
  // Reads the JSON or the compact format, which it recognizes by the first bytes. Throws UserError, starting
  // with `where`, for a file that is damaged, has another version, or contains inconsistent trees.
  static Trees read(std::string_view text, const std::string& where);

  // Adds an ensemble. Throws UserError if one for the same option, target and term exists already.
  void add(Entry entry);
  const std::vector<Feature>& features() const { return features_; }
  const std::vector<Entry>& entries() const { return entries_; }

  // Prediction of an ensemble; nothing if the model does not have it. `x` has one value per feature, in the
  // order of features(); NaN: unknown. Throws std::invalid_argument for another number of values.
  std::optional<float> at(Option option, Target target, Term term, std::span<const float> x) const;

  // The trees in the compact binary format, at full precision.
  std::string compact() const;

 private:
  std::vector<Feature> features_;
  std::vector<Entry> entries_;
};

}  // namespace sextant::predict
