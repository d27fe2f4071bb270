// Describes variants that first prepare their inputs, and from how many launches this preparation pays off.
#pragma once

#include <string>
#include <vector>

#include "analysis/study/groups.hpp"
#include "present/table.hpp"

namespace sextant {

// Returns the minimum number of launches for which the variant's preparation pays off. The number 0, shown as
// "never", means that it never does. The cell is empty if the variant prepares nothing for its inputs, or if
// there is no variant to compare with.
Cell pays_from_cell(const Summary& summary);

// Returns one sentence for each model whose fastest variant prepares for its inputs. It refers to the largest
// size where that variant is the fastest: "cuda.tiles prepares 603 ms for new structure; at 9437184 this pays
// from 13400 launches against cuda.sorted".
std::vector<std::string> preparation_sentences(const StudyGroup& group);

}  // namespace sextant
