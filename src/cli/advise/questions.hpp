// What `sextant advise` is asked: kernels on problems, with the code that there is for them.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "cli/options/selection.hpp"
#include "predict/advice.hpp"

namespace sextant {

// What a size is used for: how often before it is copied back, or never copied at all.
struct DataUse {
  double reuse = 1;
  bool resident = false;
};

// "100", "resident". Throws UserError.
DataUse parse_reuse(const std::string& text);

// What is asked of a kernel on the problem of a case.
predict::Asked asked_of(const Kernel& kernel, const Case& problem, const DataUse& use);

struct Question {
  Case what;  // without a variant; of a form typed by hand: its name and size alone
  predict::Asked asked;
  predict::Offered offered = {};
  std::array<std::vector<Case>, predict::option_count>
      candidates;  // by option: its variants, default tunings
  // The same question at another N; nothing: it has none. May be null: the problem has a shape of its own.
  std::function<std::optional<predict::Asked>(std::int64_t n)> at_size;
};

// Of the selection's problems, in the plan's order. Throws UserError as plan, and where nothing is asked for.
std::vector<Question> questions_of(const SelectionOptions& selection, const DataUse& use,
                                   std::vector<std::string>* notes);

// Of a form in a file, for the sizes (items) and types of the selection. Throws UserError.
std::vector<Question> questions_of_form(const std::string& file, const SelectionOptions& selection,
                                        const DataUse& use);

// Gives the candidates the launches that searches in these results files found to be the best, at the nearest
// size.
void use_tuned_launches(const std::vector<std::string>& files, std::vector<Question>* questions);

}  // namespace sextant
