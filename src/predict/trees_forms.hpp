// Readers for the two file formats of boosted trees.
#pragma once

#include <string>
#include <string_view>

#include "predict/trees.hpp"

namespace sextant::predict {

constexpr std::string_view compact_magic = "sextant trees ";
constexpr std::string_view compact_version = "1\n";

Trees read_compact_trees(std::string_view bytes, const std::string& where);  // throws UserError
Trees read_json_trees(std::string_view text, const std::string& where);      // throws UserError

}  // namespace sextant::predict
