// The description of a kernel in a results file, so that other builds can read its measurements.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "suite/choice_texts.hpp"
#include "suite/kernel.hpp"
#include "suite/variant.hpp"

namespace sextant {

struct KernelDescription {
  struct Array {
    std::string name;
    Role role = Role::in;
    // "T" if the array has the problem's element type, else the type's name. Empty in older files.
    std::string type;
  };

  std::string group;
  std::string formula;
  std::string dwarf;  // the kernel's class of algorithms ("dwarf"); may be empty
  // names of the parameters that users can set, in the order of Problem::parameters
  std::vector<std::string> parameters;
  std::vector<Array> arrays;
  UnitOfWork unit;
  Exchange exchange;
  std::vector<std::string> problems;  // names of the named problems, in the kernel's order
  // variants that are never ranked, because they solve another problem
  std::vector<std::string> excluded_from_ranking;
  // The library that runs the threads of each parallel CPU variant, by variant name.
  std::map<std::string, ThreadLibrary> thread_libraries;
  // What the variant's `prepare` depends on, by variant name.
  std::map<std::string, DependsOn> preparations;
  ChoiceTexts texts;  // texts of choices that are not numbers, in user kernels
  StudyPlace study;
  std::optional<ReportLayout> report;
  std::vector<PublishedFigures> published;
};

// Returns the element types of the arrays in a problem of type `type`: "x:float label:uint8". Empty if they
// are unknown.
std::string array_types(const KernelDescription& description, ElementType type);

using KernelDescriptions = std::map<std::string, KernelDescription>;  // the key is the kernel's name

}  // namespace sextant
