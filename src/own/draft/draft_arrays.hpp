// Drafts the arrays of a description: lengths, roles and fills.
#pragma once

#include <optional>
#include <string>

#include "own/draft/draft.hpp"
#include "own/draft/draft_parts.hpp"

namespace sextant::own {

std::string lower(std::string text);

// Returns the number of factors of the longest product in the array's length.
std::size_t degree_of(const DraftArray& array);

// Returns the type as a description states it.
std::string type_text(const DraftArray& array);

class DraftArrays {
 public:
  // `real` is the fill of arrays of real numbers.
  // `changes` replace what the source gives.
  DraftArrays(const DraftParts& parts, RealFill real, const DraftChanges& changes)
      : parts_(parts), real_(real), changes_(changes) {}

  Polynomial spanned() const;
  std::string length_of(const DraftArray& array) const;
  // Returns the same as degree_of for a length that trial runs changed. Sizes that they made constant do not
  // count.
  std::size_t degree_with_changes(const DraftArray& array) const;
  bool is_whole(const DraftArray& array) const;  // true if the elements are whole numbers
  bool has_whole_results() const;
  // Returns the type that T stands for if the description has no key `types`. This is the first array type
  // that is float or double. Empty if there is none.
  std::string type_of_t() const;
  // Returns the line for the array in the key `arrays`.
  std::string text(const DraftArray& array) const;

 private:
  // The fill of an input, which may be empty, and what the source leaves open.
  struct FillText {
    std::string text, question;
  };
  std::string default_length() const;
  Polynomial unknown_length(const DraftArray& array) const;
  std::string highest_index(const DraftArray& array) const;
  std::string highest_choice(const DraftArray& array, const Chooser& by) const;
  std::optional<Polynomial> length_for_bytes(const DraftArray& array) const;
  const DraftArray* named(const std::string& name) const;
  FillText index_fill(const DraftArray& array) const;
  FillText link_fill(const DraftArray& array) const;
  FillText struct_fill(const DraftArray& array) const;
  FillText sorted_fill(const DraftArray& array) const;
  FillText remainder_fill(const DraftArray& array) const;
  FillText value_fill(const DraftArray& array) const;
  FillText fill_of(const DraftArray& array) const;

  const DraftParts& parts_;
  RealFill real_;
  const DraftChanges& changes_;
};

}  // namespace sextant::own
