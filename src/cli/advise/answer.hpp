// The answers of `sextant advise`, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "cli/advise/ground.hpp"
#include "cli/advise/questions.hpp"
#include "present/table.hpp"

namespace sextant {

// The code by which an option is taken, and why this.
struct ChosenCode {
  std::optional<Case> what;  // nothing: there is no code yet
  std::string why;           // "measured here", "best here at N = 7936", "not measured: one of 3"
};

struct AnsweredQuestion {
  Question question;
  predict::Advice advice;
  std::array<ChosenCode, predict::option_count> code;  // by option
  // Likewise: seconds that a process's first call of the code's library takes longer; 0: it is no library's,
  // or nobody measured it.
  std::array<double, predict::option_count> first_use = {};
};

// What to take for a process's first call; nothing: what is chosen anyway, or nothing is.
std::optional<predict::Option> choice_at_first(const AnsweredQuestion& answered);

AnsweredQuestion answer(const AdviceGround& ground, const predict::Predictor& predictor,
                        const Question& question, double risk);

// A line for each size at which the fastest option goes over from one core to all or to the GPU, or back:
// over the sizes of the questions that differ in nothing else, or around the size of one that stands alone.
std::vector<std::string> crossover_lines(const predict::Predictor& predictor,
                                         const std::vector<AnsweredQuestion>& answered, double risk);

struct AnswerStyle {
  double risk = 0.05;
  std::string loads;  // " --load FILE" for commands
  std::string file;   // results file that commands write
};

// The answer's paragraph: what to take, what it gains, how sure, what copies change, or what to measure.
std::string answer_text(const AnsweredQuestion& answered, const AnswerStyle& style);

// A row an option and question.
Table options_table(const std::vector<AnsweredQuestion>& answered);

// What holds for all answers: on what the model rests.
std::string ground_note(const AdviceGround& ground, const std::vector<AnsweredQuestion>& answered);

std::string answers_json(const std::vector<AnsweredQuestion>& answered,
                         const std::vector<std::string>& crossovers, const AnswerStyle& style);

// The command that measures an option's case.
std::string run_command(const Case& what, const AnswerStyle& style);

}  // namespace sextant
