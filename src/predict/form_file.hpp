// Reads kernel properties (forms) from hand-written TOML files, to predict kernels that have no code yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "predict/form.hpp"

namespace sextant::predict {

// A form as written in a TOML file. All bytes and counts are per item, except the numbers of arrays.
struct WrittenForm {
  std::string name;  // name of the kernel; by default the file name without its extension
  std::optional<ElementType> type;
  std::optional<Extents> extents;  // by default, all items form a single row
  double read = 0, written = 0, flops = 0, integer_operations = 0;
  double copy_in = 0, copy_out = 0, working_set = 0;
  std::int64_t arrays_in = 1, arrays_out = 1;
  Traits traits;
};

// Throws UserError with file and line for a key that is unknown, missing, of the wrong type or negative.
WrittenForm read_form(const std::string& toml, const std::string& file);

// The form of a problem with `items` items. Its `n` is the total number of elements in all arrays.
Form form_of(const WrittenForm& written, std::int64_t items, ElementType type);

}  // namespace sextant::predict
