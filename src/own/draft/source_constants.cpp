#include "own/draft/source_constants.hpp"

#include <regex>

#include "own/description/description_reader.hpp"

namespace sextant::own {

std::optional<std::int64_t> constant_in(const std::string& source, const std::string& given) {
  if (given == "true" || given == "false") return given == "true";
  std::string digits = given;
  std::smatch found;
  if (is_identifier(given) &&
      std::regex_search(source, found,
                        std::regex("#define +" + given + " +\\(?([0-9]+)\\)?\\s*[\n/]|\\b" + given +
                                   "\\s*=\\s*([0-9]+)\\s*[;,]")))
    digits = found[1].matched ? found[1] : found[2];
  const bool is_number =
      !digits.empty() && digits.size() < 10 && digits.find_first_not_of("0123456789") == std::string::npos;
  return is_number ? std::optional<std::int64_t>(std::stoll(digits)) : std::nullopt;
}

}  // namespace sextant::own
