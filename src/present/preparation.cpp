#include "present/preparation.hpp"

#include <fmt/format.h>

#include <map>

#include "present/format.hpp"
#include "suite/preparation.hpp"

namespace sextant {

Cell pays_from_cell(const Summary& s) {
  if (!s.pays_from.rival) return {};
  Cell cell(s.pays_from.launches);
  if (s.pays_from.launches == 0) cell.shown = "never";
  return cell;
}

std::vector<std::string> preparation_sentences(const StudyGroup& group) {
  std::map<std::string, std::string> by_variant;
  for (const StudyRow* row : group)
    for (const auto& [column, s] : row->best) {
      if (!s->pays_from.rival || !s->prepares()) continue;
      const std::string& variant = s->measurement->what.variant;
      const std::int64_t launches = s->pays_from.launches;
      by_variant[variant] =
          fmt::format("{} prepares {} for new {}; at {} this {} against {}", variant,
                      format_seconds(s->preparation()), name_of(s->prepare_depends_on), row->size,
                      launches > 0 ? fmt::format("pays from {} launch{}", launches, launches > 1 ? "es" : "")
                                   : "never pays",
                      s->pays_from.rival->what.variant);
    }
  std::vector<std::string> sentences;
  for (const auto& [variant, sentence] : by_variant) sentences.push_back(sentence);
  return sentences;
}

}  // namespace sextant
