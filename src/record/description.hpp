// What a kernel is, as a session writes it down: enough to read its measurements without the build that
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
  };

  std::string group;
  std::string formula;
  std::string dwarf;  // empty: none, or not said
  std::vector<std::string>
      parameters;  // names of those that users choose, in the order of Problem::parameters
  std::vector<Array> arrays;
  UnitOfWork unit;
  Exchange exchange;
  std::vector<std::string> problems;  // names of the named ones, in their order
  std::vector<std::string>
      aside;  // variants that answer another question: never counted as the kernel's best
  std::map<std::string, ThreadLibrary> thread_libraries;  // by variant, of those on the CPU but serial ones
  ChoiceTexts texts;                                      // of users' own kernels
  StudyPlace study;
  std::optional<ReportLayout> report;
  std::vector<PublishedFigures> published;
};

using KernelDescriptions = std::map<std::string, KernelDescription>;  // by the kernel's name

}  // namespace sextant
