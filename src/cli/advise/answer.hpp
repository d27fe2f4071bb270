// Computes the answers of `sextant advise` and formats them as text and as JSON. An answer chooses one
// option: serial, OpenMP, a CPU library, OpenACC, CUDA or a GPU library.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/ground.hpp"
#include "cli/advise/questions.hpp"
#include "present/table.hpp"

namespace sextant {

// The case that represents an option, and the reason why this case was chosen.
struct ChosenCode {
  std::optional<Case> what;  // Empty if no code exists for the option.
  std::string why;           // "measured here", "best here at N = 7936", "not measured: one of 3"
};

struct AnsweredQuestion {
  Question question;
  predict::Advice advice;
  std::array<ChosenCode, predict::option_count> code;  // One element per option.
  // One element per option: the extra seconds of a process's first call of the option's library. It is 0 if
  // the option uses no library or if the time is unknown.
  std::array<double, predict::option_count> first_use = {};
  std::string why;  // "bound by memory; copies cost 4.00x what the GPU saves"; empty without a choice
};

// Returns the best option for the first call of a process, if it differs from the chosen option. Otherwise
// the result is empty.
std::optional<predict::Option> choice_at_first(const AnsweredQuestion& answered);

AnsweredQuestion answer(const AdviceGround& ground, const predict::Predictor& predictor,
                        const Question& question, double risk);

// Returns one line for each size at which the fastest of three options changes: one core, all cores and the
// GPU. If questions differ only in size, it searches the range of their sizes. For other questions, it
// searches sizes around the question's own size.
std::vector<std::string> crossover_lines(const predict::Predictor& predictor,
                                         const std::vector<AnsweredQuestion>& answered, double risk);

struct AnswerStyle {
  double risk = 0.05;
  std::string loads;  // Text " --load FILE" for printed commands; may be empty.
  std::string file;   // Name of the results file in printed commands.
};

// Returns the text of an answer: the option to use, its gain, how sure that is, why, and what would change
// it. If the answer is not sure, it says what to measure.
std::string answer_text(const AnsweredQuestion& answered, const AnswerStyle& style);

// Returns a table with one row per question and option.
Table options_table(const std::vector<AnsweredQuestion>& answered);

// Returns what limits the answers: too few families, or a machine that the model does not know. Empty if
// nothing does.
std::string ground_note(const AdviceGround& ground, const std::vector<AnsweredQuestion>& answered);

std::string answers_json(const std::vector<AnsweredQuestion>& answered,
                         const std::vector<std::string>& crossovers, const AnswerStyle& style);

// Returns the command line that measures an option's case.
std::string run_command(const Case& what, const AnswerStyle& style);

}  // namespace sextant
