// Texts about variants whose preparation depends on the inputs: from how many launches they pay.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"
#include "present/table.hpp"

namespace sextant {

// The number of launches from which the variant's preparation pays; 0, shown as "never", if no number of
// launches does. Empty for variants that prepare nothing for their inputs, or without a variant to compare
// with.
Cell pays_from_cell(const Summary& summary);

// One sentence for each fastest variant of a model that prepares for its inputs, at the largest size where it
// is the fastest: "cuda.tiles prepares 603 ms for new structure; at 9437184 this pays from 13400 launches
// against cuda.sorted".
std::vector<std::string> preparation_sentences(const StudyGroup& group);

}  // namespace sextant
