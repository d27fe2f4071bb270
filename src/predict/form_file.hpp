// Forms typed by hand, where no code exists yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "predict/form.hpp"

namespace sextant::predict {

// What a file says of a kernel in TOML. Amounts are of one item: bytes and counts.
struct WrittenForm {
  std::string name;  // the file's without its ending, where it has none
  std::optional<ElementType> type;
  std::optional<Extents> extents;  // without them the items lie in a row
  double read = 0, written = 0, flops = 0, integer_operations = 0;
  double copy_in = 0, copy_out = 0, working_set = 0;
  std::int64_t arrays_in = 1, arrays_out = 1;
  Traits traits;
};

// Throws UserError with file and line for a key that is unknown, missing, of another kind or below zero.
WrittenForm read_form(const std::string& toml, const std::string& file);

// Of so many items; n is the elements of all arrays.
Form form_of(const WrittenForm& written, std::int64_t items, ElementType type);

}  // namespace sextant::predict
