// Formats the answers of `sextant advise` as JSON. Times are in seconds, shares between 0 and 1.
#include <cmath>
#include <nlohmann/json.hpp>

#include "cli/advise/answer.hpp"
#include "record/keys.hpp"

namespace sextant {
namespace {

using AdviceJson = nlohmann::ordered_json;

AdviceJson json_of_time(const predict::Expected& expected) {
  if (!std::isfinite(expected.log_time)) return nullptr;
  return {{"time", std::exp(expected.log_time)},
          {"low", std::exp(expected.log_time - expected.half_width)},
          {"high", std::exp(expected.log_time + expected.half_width)}};
}

AdviceJson json_of_option(const AnsweredQuestion& answered, std::size_t outlook) {
  const predict::Advice& advice = answered.advice;
  const predict::Option option = advice.outlooks[outlook].option;
  const predict::OptionTime& time = advice.prediction[static_cast<std::size_t>(option)];
  const ChosenCode& code = answered.code[static_cast<std::size_t>(option)];
  AdviceJson tuning = AdviceJson::object();
  if (code.what)
    for (const auto& [name, value] : code.what->tuning)
      tuning[name] = value.text ? AdviceJson(value.text) : AdviceJson(value.number);
  return {{"option", name_of(option)},
          {"variant", code.what ? AdviceJson(code.what->variant) : AdviceJson()},
          {"tuning", tuning},
          {"why_this_variant", code.why},
          {"call", json_of_time(time.call)},
          {"as_asked", json_of_time(time.total)},
          {"first_use", answered.first_use[static_cast<std::size_t>(option)] > 0
                            ? AdviceJson(answered.first_use[static_cast<std::size_t>(option)])
                            : AdviceJson()},
          {"rests_on", name_of(time.basis)},
          {"few_families", time.few_groups},
          {"over_description", time.over_description ? AdviceJson(*time.over_description) : AdviceJson()},
          {"best_with", advice.decision.standings[outlook].best},
          {"expected_loss", std::expm1(advice.decision.standings[outlook].regret)}};
}

AdviceJson json_of_gain(const predict::Advice& advice, std::optional<predict::Option> other) {
  if (!other || !advice.choice || *other == *advice.choice || !advice.has(*other)) return nullptr;
  const predict::Gain gain = predict::gain(advice, *advice.choice, *other);
  return {{"over", name_of(*other)}, {"factor", gain.factor}, {"low", gain.low}, {"high", gain.high}};
}

AdviceJson json_of_answer(const AnsweredQuestion& answered, const AnswerStyle& style) {
  const predict::Advice& advice = answered.advice;
  const Case& what = answered.question.what;
  AdviceJson options = AdviceJson::array(), measure = AdviceJson::array();
  for (std::size_t i = 0; i < advice.outlooks.size(); ++i) options.push_back(json_of_option(answered, i));
  for (const predict::Option option : advice.to_measure)
    if (const auto& code = answered.code[static_cast<std::size_t>(option)].what)
      measure.push_back(
          {{"option", name_of(option)}, {"variant", code->variant}, {"command", run_command(*code, style)}});
  const auto option_or_null = [](const std::optional<predict::Option>& option) {
    return option ? AdviceJson(name_of(*option)) : AdviceJson();
  };
  return {{"kernel", what.kernel},
          {"type", name_of(what.problem.type)},
          {"n", what.problem.n > 0 ? AdviceJson(what.problem.n) : AdviceJson()},
          {"class", what.problem_class.empty() ? AdviceJson() : AdviceJson(what.problem_class)},
          {"reuse", answered.question.asked.resident ? AdviceJson("resident")
                                                     : AdviceJson(answered.question.asked.reuse)},
          {"choice", option_or_null(advice.choice)},
          {"abstains", advice.abstains},
          {"expected_loss", advice.choice ? AdviceJson(advice.decision.loss) : AdviceJson()},
          {"gain_over_serial", json_of_gain(advice, predict::Option::serial)},
          {"gain_over_next", json_of_gain(advice, advice.choice ? advice.next_best(*advice.choice)
                                                                : std::optional<predict::Option>())},
          {"choice_without_copies", option_or_null(advice.resident)},
          {"choice_at_first_use", option_or_null(choice_at_first(answered))},
          {"gpu_pays_from_uses", advice.pays_from ? AdviceJson(*advice.pays_from) : AdviceJson()},
          {"outside_of_training", advice.outside},
          {"why", answered.why},
          {"measure", measure},
          {"options", options}};
}

}  // namespace

std::string answers_json(const std::vector<AnsweredQuestion>& answered,
                         const std::vector<std::string>& crossovers, const AnswerStyle& style) {
  AdviceJson answers = AdviceJson::array();
  for (const AnsweredQuestion& one : answered) answers.push_back(json_of_answer(one, style));
  return AdviceJson{{"answers", answers}, {"crossovers", crossovers}}.dump(2) + "\n";
}

}  // namespace sextant
