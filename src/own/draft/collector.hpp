// Adds the functions of a source to the parts of a draft: their arguments, arrays, lengths and sizes.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "own/draft/draft_parts.hpp"

namespace sextant::own {

// Adds a function. `fixed_of_t` collects the types that functions without T use for arrays of type T.
void add_function(const std::string& source, Signature function, DraftParts* parts, DraftNames* names,
                  std::set<std::string>* fixed_of_t);

// Makes T the type of all arrays, if they have the same type and T can stand for it.
void choose_types(const std::set<std::string>& fixed_of_t, DraftParts* parts);

// Among lengths that differ only by a constant, keeps only the largest one.
std::vector<Polynomial> longest_lengths(const std::vector<Polynomial>& lengths);

}  // namespace sextant::own
