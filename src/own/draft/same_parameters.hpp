// Finds functions whose parameters have the same meaning under other names.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "own/draft/signature.hpp"

namespace sextant::own {

using NewNames = std::map<std::string, std::string>;

// Returns the name without words for a version of a function: "blur_cpu" and "blurKernel" are "blur".
std::string stem_of(const std::string& full_name);

// Returns a name without the mark of a device's array: "d_x", "dev_x" and "x_d" are "x".
std::string without_mark(const std::string& name);

// Gives parameters of a function other names, in its lengths and launch axes, too.
void rename_parameters(const NewNames& names, Signature* function);

// A description tells arrays and sizes apart by the names of the parameters. Gives the parameters of a
// function the names that an earlier function has for them, if the two have equally many parameters of the
// same kinds in the same order, and if they are versions of each other: their names are related, or one is
// the only kernel and the other is the only such function on the host. Returns a line for each function that
// says so.
std::vector<std::string> name_parameters_alike(std::vector<Signature>* functions);

}  // namespace sextant::own
