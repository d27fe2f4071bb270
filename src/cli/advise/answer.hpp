// Computes the answers of `sextant advise` and formats them as text and as JSON. An answer chooses one
// option: serial, OpenMP, a CPU library, OpenACC, CUDA or a GPU library.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/ground.hpp"
#include "cli/advise/questions.hpp"
#include "present/table.hpp"

namespace sextant {

// The case that represents an option, and the reason for choosing it.
struct ChosenCode {
  std::optional<Case> what;  // Empty: no code exists for the option.
  std::string why;           // "measured here", "best here at N = 7936", "not measured: one of 3"
};

struct AnsweredQuestion {
  Question question;
  predict::Advice advice;
  std::array<ChosenCode, predict::option_count> code;  // By option.
  // Extra seconds of a process's first call of an option's library, by option. A value of 0 means that the
  // option uses no library or that the time is unknown.
  std::array<double, predict::option_count> first_use = {};
};

// Returns the option to use for a process's first call. The result is empty if it is the chosen option, or if
// nothing is chosen.
std::optional<predict::Option> choice_at_first(const AnsweredQuestion& answered);

AnsweredQuestion answer(const AdviceGround& ground, const predict::Predictor& predictor,
                        const Question& question, double risk);

// Returns one line for each size at which the fastest option changes between one core, all cores and the GPU.
// It searches the sizes of questions that differ in size only. If a question has no such partner, it searches
// sizes around the question's own.
std::vector<std::string> crossover_lines(const predict::Predictor& predictor,
                                         const std::vector<AnsweredQuestion>& answered, double risk);

struct AnswerStyle {
  double risk = 0.05;
  std::string loads;  // " --load FILE" for printed commands.
  std::string file;   // Results file named in printed commands.
};

// Returns the text of an answer: the option to use, its gain and certainty, the effect of copies, or what to
// measure.
std::string answer_text(const AnsweredQuestion& answered, const AnswerStyle& style);

// Returns a table with one row per option and question.
Table options_table(const std::vector<AnsweredQuestion>& answered);

// Returns a note for all answers, on the data behind the model.
std::string ground_note(const AdviceGround& ground, const std::vector<AnsweredQuestion>& answered);

std::string answers_json(const std::vector<AnsweredQuestion>& answered,
                         const std::vector<std::string>& crossovers, const AnswerStyle& style);

// Returns the command that measures an option's case.
std::string run_command(const Case& what, const AnswerStyle& style);

}  // namespace sextant
