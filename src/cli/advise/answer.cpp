#include "cli/advise/answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

#include "predict/first_uses.hpp"
#include "present/format.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using predict::Advice;
using predict::Basis;

std::size_t number_of_option(predict::Option option) { return static_cast<std::size_t>(option); }

predict::Target target_of(const predict::Asked& asked, predict::Option option) {
  return predict::learnt_as(option, asked.resident ? predict::Target::call : predict::Target::whole);
}

ChosenCode code_of(const AdviceGround& ground, const std::string& hardware, const Question& question,
                   predict::Option option) {
  const std::vector<Case>& candidates = question.candidates[number_of_option(option)];
  if (candidates.empty()) return {};
  const predict::KnownBest best =
      predict::known_best(ground.data, hardware, question.what, option, target_of(question.asked, option));
  const auto known = std::find_if(candidates.begin(), candidates.end(), [&](const Case& one) {
    return best.row && one.variant == best.row->what.variant;
  });
  if (known == candidates.end())
    return {candidates.front(), candidates.size() == 1
                                    ? "not measured"
                                    : fmt::format("not measured: one of {}", candidates.size())};
  ChosenCode code = {*known, "measured here"};
  if (best.same_problem) code.what->tuning = best.row->what.tuning;
  const std::int64_t n = ground.data.problems[best.row->problem].what.problem.n;
  const std::string place = best.here ? "here" : "on " + ground.data.machines[best.row->machine].name;
  if (!best.here || !best.same_problem) code.why = "best " + place;
  if (!best.same_problem && n > 0) code.why += " at N = " + std::to_string(n);
  return code;
}

std::string problem_text(const Question& question) {
  const Case& what = question.what;
  std::string text = what.kernel + ", " + name_of(what.problem.type) + ", ";
  if (question.asked.problem.empty()) return text + std::to_string(what.problem.n) + " items";
  if (!what.problem_class.empty()) return text + what.problem_class;
  return text + "N = " + std::to_string(what.problem.n) + " (" + extents_text(what.problem.extents) + ")";
}

std::string use_text(const predict::Asked& asked) {
  if (asked.resident) return "data already in place";
  if (asked.reuse == 1) return "data on the host, used once";
  return "data on the host, used " + std::to_string(static_cast<std::int64_t>(asked.reuse)) + " times";
}

// Returns the variant and tuning for an option, such as "cuda.vector block_size=128". If no variant exists
// for the option, returns the option's name.
std::string code_text(const AnsweredQuestion& answered, predict::Option option) {
  const ChosenCode& code = answered.code[number_of_option(option)];
  if (!code.what) return name_of(option);
  const std::string tuning = tuning_text(code.what->tuning);
  return code.what->variant + (tuning.empty() ? "" : " " + tuning);
}

// Formats a probability. It is estimated from 64 random draws, so values near 0 and 1 are given as bounds.
std::string chance_text(double chance) {
  return chance > 0.98 ? "over 98 %" : chance < 0.02 ? "below 2 %" : format_percent(chance);
}

// Returns where an option's time comes from, in the words of a reader.
const char* basis_text(predict::Basis basis) {
  return basis == Basis::measured ? "measured" : basis == Basis::nearby ? "from other cases" : "estimated";
}

std::string interval_text(const predict::Expected& expected) {
  return format_seconds(std::exp(expected.log_time - expected.half_width)) + " to " +
         format_seconds(std::exp(expected.log_time + expected.half_width));
}

std::string gain_text(const Advice& advice, predict::Option option, predict::Option other) {
  const predict::Gain gain = predict::gain(advice, option, other);
  return fmt::format("{} ({} to {})", format_ratio(gain.factor), format_ratio(gain.low),
                     format_ratio(gain.high));
}

const predict::Expected& total_of(const AnsweredQuestion& answered, predict::Option option) {
  return answered.advice.prediction[number_of_option(option)].total;
}

std::string time_text(const AnsweredQuestion& answered, predict::Option option) {
  return format_seconds(std::exp(total_of(answered, option).log_time));
}

// Returns the speed-ups of the chosen option, such as "12.3x (…) as fast as serial, 1.50x (…) as the next
// best, openacc". The text is empty if there is no other option.
std::string gains_text(const Advice& advice, predict::Option choice) {
  const auto next = advice.next_best(choice);
  std::string text;
  if (choice != predict::Option::serial && advice.has(predict::Option::serial))
    text = gain_text(advice, choice, predict::Option::serial) + " as fast as serial";
  if (next && (next != predict::Option::serial || text.empty()))
    text += (text.empty() ? "" : ", ") + gain_text(advice, choice, *next) + " as fast as the next best, " +
            name_of(*next);
  return text;
}

std::string transfers_text(const AnsweredQuestion& answered) {
  const Advice& advice = answered.advice;
  if (!advice.resident || !answered.advice.choice) return "";
  std::string text;
  if (*advice.resident != *advice.choice)
    text = fmt::format("  Copies decide: without copies, take {}.\n", code_text(answered, *advice.resident));
  else if (predict::on_gpu(*advice.choice))
    text = "  Without copies the choice is the same.\n";
  if (advice.pays_from && !predict::on_gpu(*advice.choice))
    text += fmt::format("  The GPU pays for its copies from about {} uses of the data on.\n",
                        static_cast<std::int64_t>(*advice.pays_from));
  return text;
}

// States the extra time that a process's first call of the chosen library takes. Empty if this time is
// unknown or below 1 % of the predicted time.
std::string first_use_text(const AnsweredQuestion& answered) {
  const Advice& advice = answered.advice;
  if (!advice.choice) return "";
  const std::size_t chosen = number_of_option(*advice.choice);
  const double more = answered.first_use[chosen];
  if (more < 0.01 * std::exp(advice.prediction[chosen].total.log_time)) return "";
  const auto other = choice_at_first(answered);
  return fmt::format("  A process's first call of {} takes {} more{}.\n",
                     predict::library_of(answered.code[chosen].what->variant), format_seconds(more),
                     other ? ": for a single call take " + code_text(answered, *other)
                           : "; this does not change the choice");
}

std::string why_line(const AnsweredQuestion& answered) {
  return answered.why.empty() ? "" : "  Why: " + answered.why + ".\n";
}

std::string unsure_text(const AnsweredQuestion& answered, const AnswerStyle& style) {
  const Advice& advice = answered.advice;
  std::string text =
      fmt::format("  Not sure. The best guess is {}: {} (90 %: {})", code_text(answered, *advice.choice),
                  time_text(answered, *advice.choice), interval_text(total_of(answered, *advice.choice)));
  if (advice.decision.abstains)
    text += fmt::format(". It would lose {} on average, more than --risk {}",
                        format_percent(advice.decision.loss), format_percent(style.risk));
  else if (advice.outside.empty())
    text += ". The intervals of the fastest options overlap";
  text += ".\n";
  if (!advice.outside.empty())
    text += fmt::format("  The model does not know {}.\n", fmt::join(advice.outside, ", "));
  text += why_line(answered);
  std::string commands;
  for (const predict::Option option : advice.to_measure)
    if (const auto& code = answered.code[number_of_option(option)].what)
      commands += "    " + run_command(*code, style) + "\n";
  if (commands.empty()) return text + "  Measure the kernel once it has code.\n";
  return text + "  Measure these cases, the most informative first, or add --measure 3:\n" + commands;
}

std::string sure_text(const AnsweredQuestion& answered) {
  const Advice& advice = answered.advice;
  const auto& standing = advice.decision.standings[*advice.decision.choice];
  return fmt::format("  Sure: {}, 90 % interval {}; the best with {}, expected loss {}.\n",
                     basis_text(advice.prediction[number_of_option(*advice.choice)].basis),
                     interval_text(total_of(answered, *advice.choice)), chance_text(standing.best),
                     format_percent(advice.decision.loss));
}

// Copies compared with what a GPU saves over the best on the CPU; empty if no copies are asked for, or if a
// GPU saves nothing.
std::string copies_text(const AnsweredQuestion& answered) {
  const Advice& advice = answered.advice;
  double cpu = std::numeric_limits<double>::infinity(), call = cpu, copies = 0;
  for (const predict::Outlook& one : advice.outlooks) {
    const predict::OptionTime& time = advice.prediction[number_of_option(one.option)];
    const double total = std::exp(time.total.log_time), own = std::exp(time.call.log_time);
    const double calls = answered.question.asked.reuse * own;
    if (!predict::on_gpu(one.option))
      cpu = std::min(cpu, total);
    else if (calls < call)
      call = calls, copies = total - calls;
  }
  if (answered.question.asked.resident || !(call < cpu) || !std::isfinite(cpu) || !(copies > 0)) return "";
  const double saves = cpu - call;
  return copies > saves ? fmt::format("copies cost {} what the GPU saves", format_ratio(copies / saves))
                        : fmt::format("the GPU saves {} what copies cost", format_ratio(saves / copies));
}

// Returns what the chosen option's time goes to, what copies cost, and whether the description is wrong.
std::string why_of(const AdviceGround& ground, const AnsweredQuestion& answered) {
  const Advice& advice = answered.advice;
  if (!advice.choice) return "";
  constexpr double far_off = 3;  // a description that is so wrong is worth a line
  const double call = std::exp(advice.prediction[number_of_option(*advice.choice)].call.log_time);
  std::vector<std::string> reasons;
  const predict::Form& form = answered.question.asked.form;
  const bool estimated = advice.prediction[number_of_option(*advice.choice)].basis < Basis::nearby;
  const auto bound = predict::bound_of(predict::AnalyticModel(ground.model.constants), form, ground.profile,
                                       *advice.choice, call);
  if (bound && (!estimated || predict::has_traits(form) || predict::counts_operations(form)))
    reasons.emplace_back(*bound == predict::Bound::launches ? "bound by starting it"
                         : *bound == predict::Bound::memory ? "bound by memory"
                                                            : "bound by operations");
  if (const std::string copies = copies_text(answered); !copies.empty()) reasons.push_back(copies);
  const auto& serial = advice.prediction[number_of_option(predict::Option::serial)].over_description;
  if (serial && *serial > far_off)
    reasons.push_back(fmt::format("serial code takes {} the expected time", format_ratio(*serial)));
  return fmt::format("{}", fmt::join(reasons, "; "));
}

// Returns a key that is equal for questions that differ only in size.
std::string series_key(const Question& question) {
  Case what = question.what;
  what.problem.n = 0, what.problem.extents = {};
  return key_of(what);
}

std::vector<std::int64_t> sizes_around(const std::vector<std::int64_t>& asked) {
  double low = static_cast<double>(*std::min_element(asked.begin(), asked.end()));
  double high = static_cast<double>(*std::max_element(asked.begin(), asked.end()));
  if (low == high) low /= 64, high *= 64;
  std::vector<std::int64_t> sizes;
  const int steps = static_cast<int>(std::ceil(2 * std::log2(high / low)));
  for (int i = 0; i <= steps; ++i)
    sizes.push_back(std::llround(low * std::pow(high / low, static_cast<double>(i) / steps)));
  return sizes;
}

std::string crossover_text(const std::string& subject, const predict::Crossover& one) {
  const auto count = [](double n) { return std::to_string(std::llround(n)); };
  std::string text = fmt::format("{}: {} overtakes {} at about N = {}", subject, name_of(one.after),
                                 name_of(one.before), count(one.n));
  if (one.low || one.high)
    text += fmt::format(" (90 %: {} {})", one.low ? "from " + count(*one.low) : "from below these sizes",
                        one.high ? "to " + count(*one.high) : "to above these sizes");
  else
    text += " (uncertain: it may be at any size)";
  return text;
}

}  // namespace

AnsweredQuestion answer(const AdviceGround& ground, const predict::Predictor& predictor,
                        const Question& question, double risk) {
  AnsweredQuestion answered;
  answered.question = question;
  answered.advice = predict::advise(predictor, question.asked, question.offered, risk);
  for (const predict::Option option : predict::all_options) {
    ChosenCode& code = answered.code[number_of_option(option)];
    code = code_of(ground, predictor.hardware(), question, option);
    if (code.what)
      answered.first_use[number_of_option(option)] =
          predict::first_use(ground.profile, code.what->variant).value_or(0);
  }
  answered.why = why_of(ground, answered);
  return answered;
}

std::optional<predict::Option> choice_at_first(const AnsweredQuestion& answered) {
  if (!answered.advice.choice) return std::nullopt;
  const predict::Option first = predict::choice_with(answered.advice, answered.first_use);
  return first == *answered.advice.choice ? std::nullopt : std::optional(first);
}

std::vector<std::string> crossover_lines(const predict::Predictor& predictor,
                                         const std::vector<AnsweredQuestion>& answered, double risk) {
  std::map<std::string, std::vector<std::int64_t>> sizes;
  std::vector<const Question*> firsts;
  for (const AnsweredQuestion& one : answered) {
    if (!one.question.at_size) continue;
    std::vector<std::int64_t>& own = sizes[series_key(one.question)];
    if (own.empty()) firsts.push_back(&one.question);
    own.push_back(one.question.what.problem.n);
  }
  std::vector<std::string> lines;
  for (const Question* question : firsts) {
    std::vector<std::pair<std::int64_t, Advice>> over_sizes;
    for (const std::int64_t n : sizes_around(sizes[series_key(*question)]))
      if (const auto asked = question->at_size(n))
        over_sizes.emplace_back(n, predict::advise(predictor, *asked, question->offered, risk));
    const std::string subject = question->what.kernel + ", " + name_of(question->what.problem.type);
    for (const predict::Crossover& one : predict::crossovers(over_sizes))
      lines.push_back(crossover_text(subject, one));
  }
  return lines;
}

std::string run_command(const Case& what, const AnswerStyle& style) {
  std::string sizes, parameters;
  std::istringstream words(what.problem_class);
  for (std::string word; words >> word;) (word.find('=') == std::string::npos ? sizes : parameters) = word;
  if (sizes.empty()) sizes = std::to_string(what.problem.n);
  std::string text = "sextant run" + style.loads + " -k " + what.kernel + " -v " + what.variant + " -n " +
                     sizes + (parameters.empty() ? "" : " -p " + parameters) + " --type " +
                     name_of(what.problem.type);
  return text + " -o " + style.file;
}

std::string answer_text(const AnsweredQuestion& answered, const AnswerStyle& style) {
  const Advice& advice = answered.advice;
  std::string text = problem_text(answered.question) + "; " + use_text(answered.question.asked) + "\n";
  if (!advice.choice)
    return text + "  There is no answer: the machine's profile lacks the values that every option needs.\n";
  if (advice.abstains)
    return text + unsure_text(answered, style) + transfers_text(answered) + first_use_text(answered);
  text +=
      fmt::format("  Take {}: {}.", code_text(answered, *advice.choice), time_text(answered, *advice.choice));
  if (const std::string gains = gains_text(advice, *advice.choice); !gains.empty()) text += " " + gains + ".";
  return text + "\n" + sure_text(answered) + why_line(answered) + transfers_text(answered) +
         first_use_text(answered);
}

Table options_table(const std::vector<AnsweredQuestion>& answered) {
  Table table;
  table.columns = {{"kernel"},
                   {"type"},
                   {"n", "N", Unit::count},
                   {"option"},
                   {"time", "as asked", Unit::seconds},
                   {"interval", "90 %"},
                   {.name = "rests_on", .title = "from"},
                   {"code"},
                   {"best", "the best", Unit::percent},
                   {"call_time", "one call", Unit::seconds},
                   {.name = "why_this_variant", .title = "the code is", .spare = 1}};
  table.keys = 3;
  for (const AnsweredQuestion& one : answered) {
    const Case& what = one.question.what;
    for (std::size_t i = 0; i < one.advice.outlooks.size(); ++i) {
      const predict::Option option = one.advice.outlooks[i].option;
      const predict::OptionTime& time = one.advice.prediction[number_of_option(option)];
      const ChosenCode& code = one.code[number_of_option(option)];
      table.rows.push_back(
          {what.kernel, name_of(what.problem.type),
           what.problem.n > 0 ? Cell(what.problem.n) : Cell(what.problem_class),
           Cell(name_of(option), option == one.advice.choice ? Tone::strong : Tone::plain),
           std::exp(time.total.log_time), interval_text(time.total), basis_text(time.basis),
           code.what ? Cell(code.what->variant) : Cell(),
           Cell(one.advice.decision.standings[i].best).as(chance_text(one.advice.decision.standings[i].best)),
           std::isfinite(time.call.log_time) ? Cell(std::exp(time.call.log_time)) : Cell(),
           code.what ? Cell(code.why) : Cell()});
    }
  }
  return table;
}

std::string ground_note(const AdviceGround& ground, const std::vector<AnsweredQuestion>& answered) {
  bool few = false, estimated = false;
  for (const AnsweredQuestion& one : answered)
    for (const predict::Outlook& outlook : one.advice.outlooks) {
      const predict::OptionTime& time = one.advice.prediction[number_of_option(outlook.option)];
      few = few || time.few_groups;
      estimated = estimated || time.basis < Basis::nearby;
    }
  std::string text;
  if (few) text += "Intervals from fewer than nine families of kernels are not reliable.\n";
  const auto& taught = ground.model.machines;
  if (estimated &&
      std::find(taught.begin(), taught.end(), predict::hardware_of(ground.profile)) == taught.end())
    text +=
        "The model was made on other machines; the intervals of estimated times may be too narrow here.\n";
  return text;
}

}  // namespace sextant
