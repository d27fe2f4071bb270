// Describes a kernel as a results file stores it. Its measurements can then be read without the build that
// made them.
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
    // "T" if the element type is the problem's type, else the name of the type. Empty in older files.
    std::string type;
  };

  std::string group;
  std::string formula;
  std::string dwarf;  // one of the thirteen dwarfs (classes of algorithms); empty: none, or unknown
  // names of the parameters that users can set, in the order of Problem::parameters
  std::vector<std::string> parameters;
  std::vector<Array> arrays;
  UnitOfWork unit;
  Exchange exchange;
  std::vector<std::string> problems;  // names of the named problems, in the kernel's order
  // variants that are never counted as fastest because they solve another problem
  std::vector<std::string> excluded_from_ranking;
  // Thread library of each parallel variant on the CPU, by variant name.
  std::map<std::string, ThreadLibrary> thread_libraries;
  // For variants whose `prepare` depends on the inputs' structure or values, by variant name: which of them.
  std::map<std::string, DependsOn> preparations;
  ChoiceTexts texts;  // texts of tunables whose values are not numbers, in user kernels
  StudyPlace study;
  std::optional<ReportLayout> report;
  std::vector<PublishedFigures> published;
};

// Returns the element types of the arrays in a problem of type `type`: "x:float label:uint8". Empty if they
// are unknown.
std::string array_types(const KernelDescription& description, ElementType type);

using KernelDescriptions = std::map<std::string, KernelDescription>;  // the key is the kernel's name

}  // namespace sextant
