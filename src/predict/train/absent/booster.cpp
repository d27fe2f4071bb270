// Replaces booster.cpp in builds without XGBoost.
#include "predict/train/booster.hpp"

#include "base/error.hpp"

namespace sextant::predict {

std::string why_no_training() { return SEXTANT_WHY_NOT_XGBOOST; }

struct Booster::State {};
Booster::Booster(const Samples&, const Samples&, const BoostSettings&) {
  throw UserError(
      "the advice model cannot be trained: " + why_no_training() + ". `sextant doctor` names the remedy.",
      ExitCode::missing);
}
Booster::~Booster() = default;
void Booster::grow() {}
std::vector<float> Booster::on_held_out() { return {}; }
std::string Booster::json() const { return ""; }

}  // namespace sextant::predict
