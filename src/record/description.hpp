// The description of a kernel that a session stores, so that its measurements can be read without the build
// that made them.
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
  std::string dwarf;  // Empty: none, or unknown.
  std::vector<std::string>
      parameters;  // Names of the parameters that users choose, in the order of Problem::parameters.
  std::vector<Array> arrays;
  UnitOfWork unit;
  Exchange exchange;
  std::vector<std::string> problems;  // Names of the named problems, in the kernel's order.
  std::vector<std::string> aside;  // Variants that are excluded from ranking because they solve another task.
  // By variant name; parallel variants on the CPU only.
  std::map<std::string, ThreadLibrary> thread_libraries;
  ChoiceTexts texts;  // Texts of tunables of users' own kernels.
  StudyPlace study;
  std::optional<ReportLayout> report;
  std::vector<PublishedFigures> published;
};

using KernelDescriptions = std::map<std::string, KernelDescription>;  // By kernel name.

}  // namespace sextant
