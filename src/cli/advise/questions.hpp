// Builds the questions that `sextant advise` answers: a kernel, a problem and the code that is available for
// them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cli/options/selection.hpp"
#include "predict/advice.hpp"

namespace sextant {

// How the data are used. `reuse` is the number of calls before the results are copied back. `resident` means
// that the data stay on the device.
struct DataUse {
  double reuse = 1;
  bool resident = false;
};

// Parses "100" or "resident". Throws UserError.
DataUse parse_reuse(const std::string& text);

// Returns the question in the form that the predictor takes, for a kernel and the problem of a case.
predict::Asked asked_of(const Kernel& kernel, const Case& problem, const DataUse& use);

struct Question {
  Case what;  // Case without a variant; for a kernel description file only its name and size.
  predict::Asked asked;
  predict::Offered offered = {};
  std::array<std::vector<Case>, predict::option_count>
      candidates;  // For each option, its variants with default tunings.
  // Returns the same question at another N, or nothing if there is none. The function is null if the problem
  // has a fixed shape.
  std::function<std::optional<predict::Asked>(std::int64_t n)> at_size;
};

// Returns a question for each problem that the selection contains, in the order of the plan. Throws UserError
// if the plan does, or if nothing is selected.
std::vector<Question> questions_of(const SelectionOptions& selection, const DataUse& use,
                                   std::vector<std::string>* notes);

// Returns the questions for a kernel that a file describes. The selection gives the sizes (numbers of items)
// and the types. Throws UserError.
std::vector<Question> questions_of_form(const std::string& file, const SelectionOptions& selection,
                                        const DataUse& use);

// Replaces the tunings of the candidates. The new ones are the best tunings that searches in these results
// files found at the nearest size.
void use_tuned_launches(const std::vector<std::string>& files, std::vector<Question>* questions);

}  // namespace sextant
