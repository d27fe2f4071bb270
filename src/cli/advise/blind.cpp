#include "cli/advise/blind.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "analysis/study/study.hpp"
#include "cli/advise/questions.hpp"
#include "cli/files/measured_data.hpp"
#include "predict/shipped_model.hpp"

namespace sextant {
namespace {

constexpr double risk = 0.05;  // Allowed risk of a wrong choice, the default of `advise`.

// Returns the option that belongs to a column of the report's tables. Empty if `advise` has no such option.
std::optional<predict::Option> option_of_column(std::string column) {
  std::replace(column.begin(), column.end(), ' ', '_');
  for (const predict::Option option : predict::all_options)
    if (column == predict::name_of(option)) return option;
  return std::nullopt;
}

std::string column_of_option(predict::Option option) {
  std::string name = predict::name_of(option);
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

// Returns the newest session that contains the ceilings (measured hardware limits) of its machine.
const Session* session_with_ceilings(const std::vector<const Session*>& sessions) {
  const Session* newest = nullptr;
  for (const Session* session : sessions)
    if (!session->ceilings.empty() && (!newest || session->started > newest->started)) newest = session;
  return newest;
}

// Answers questions of the report. It keeps one predictor per session.
class BlindAdvice {
 public:
  std::optional<Advised> operator()(const AdviceQuestion& question) {
    const Session* session = session_with_ceilings(question.sessions);
    const Kernel* kernel = kernel_of_problem(question.problem);
    if (!session || !kernel) return std::nullopt;
    predict::Offered offered = {};
    for (const std::string& column : question.columns)
      if (const auto option = option_of_column(column)) offered[static_cast<std::size_t>(*option)] = true;
    const predict::Asked asked = asked_of(*kernel, question.problem, {.resident = !question.with_transfers});
    const predict::Advice advice = predict::advise(predictor(*session), asked, offered, risk);
    if (!advice.choice) return std::nullopt;
    return Advised{column_of_option(*advice.choice), std::exp(advice.outlook(*advice.choice).log_time),
                   !advice.abstains};
  }

 private:
  const predict::Predictor& predictor(const Session& session) {
    auto found = predictors_.find(&session);
    if (found == predictors_.end())
      found = predictors_.emplace(&session, predict::Predictor(*model_, predict::profile_of(session), {}, {}))
                  .first;
    return found->second;
  }

  std::shared_ptr<const predict::AdviceModel> model_ =
      std::make_shared<const predict::AdviceModel>(predict::shipped_model());
  std::map<const Session*, predict::Predictor> predictors_;
};

}  // namespace

AskAdvice blind_advice() {
  const auto advice = std::make_shared<BlindAdvice>();
  return [advice](const AdviceQuestion& question) { return (*advice)(question); };
}

}  // namespace sextant
