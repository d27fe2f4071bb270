#include "predict/train/booster.hpp"

#include <xgboost/c_api.h>

#include <limits>
#include <utility>

#include "base/dynamic_library.hpp"
#include "base/error.hpp"

namespace sextant::predict {
namespace {

struct XGBoost {
  DynamicLibrary library{{SEXTANT_XGBOOST_LIBRARY, "libxgboost.so.0", "libxgboost.so"}, "libxgboost0"};
  decltype(&XGBGetLastError) last_error;
  decltype(&XGDMatrixCreateFromMat) create_matrix;
  decltype(&XGDMatrixSetFloatInfo) set_info;
  decltype(&XGDMatrixFree) free_matrix;
  decltype(&XGBoosterCreate) create;
  decltype(&XGBoosterSetParam) set_parameter;
  decltype(&XGBoosterUpdateOneIter) update;
  decltype(&XGBoosterPredict) predict;
  decltype(&XGBoosterSaveModelToBuffer) save;
  decltype(&XGBoosterFree) free;

  XGBoost() {
    library.find("XGBGetLastError", &last_error);
    library.find("XGDMatrixCreateFromMat", &create_matrix);
    library.find("XGDMatrixSetFloatInfo", &set_info);
    library.find("XGDMatrixFree", &free_matrix);
    library.find("XGBoosterCreate", &create);
    library.find("XGBoosterSetParam", &set_parameter);
    library.find("XGBoosterUpdateOneIter", &update);
    library.find("XGBoosterPredict", &predict);
    library.find("XGBoosterSaveModelToBuffer", &save);
    library.find("XGBoosterFree", &free);
  }
};

const XGBoost& xgboost() {
  static const XGBoost opened;
  return opened;
}

void expect_ok(int status) {
  if (status != 0) throw UserError(std::string("XGBoost failed with the message: ") + xgboost().last_error());
}

struct SampleMatrix {
  DMatrixHandle handle = nullptr;
  explicit SampleMatrix(const Samples& samples) {
    if (samples.size() == 0) return;
    expect_ok(xgboost().create_matrix(samples.x.data(), samples.size(), samples.features,
                                      std::numeric_limits<float>::quiet_NaN(), &handle));
    expect_ok(xgboost().set_info(handle, "label", samples.y.data(), samples.size()));
    expect_ok(xgboost().set_info(handle, "weight", samples.weight.data(), samples.size()));
  }
  SampleMatrix(const SampleMatrix&) = delete;
  SampleMatrix& operator=(const SampleMatrix&) = delete;
  ~SampleMatrix() {
    if (handle) xgboost().free_matrix(handle);
  }
};

}  // namespace

std::string why_no_training() { return xgboost().library.problem; }

struct Booster::State {
  SampleMatrix samples, held_out;
  BoosterHandle handle = nullptr;
  int rounds = 0;

  State(const Samples& train, const Samples& test) : samples(train), held_out(test) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (handle) xgboost().free(handle);
  }
};

Booster::Booster(const Samples& samples, const Samples& held_out, const BoostSettings& settings) {
  if (const std::string why = why_no_training(); !why.empty())
    throw UserError("the advice model cannot be trained: " + why + ". `sextant doctor` names the remedy.",
                    ExitCode::missing);
  state_ = std::make_unique<State>(samples, held_out);
  // XGBoost caches its predictions for the matrices that it gets here.
  const DMatrixHandle known[] = {state_->samples.handle, state_->held_out.handle};
  expect_ok(xgboost().create(known, state_->held_out.handle ? 2 : 1, &state_->handle));
  const std::pair<const char*, std::string> parameters[] = {{"objective", "reg:squarederror"},
                                                            {"tree_method", "hist"},
                                                            {"max_bin", "64"},
                                                            {"nthread", "1"},
                                                            {"verbosity", "0"},
                                                            {"max_depth", std::to_string(settings.depth)},
                                                            {"eta", std::to_string(settings.rate)},
                                                            {"min_child_weight", "5"},
                                                            {"base_score", std::to_string(settings.base)}};
  for (const auto& [name, value] : parameters)
    expect_ok(xgboost().set_parameter(state_->handle, name, value.c_str()));
}

Booster::~Booster() = default;

void Booster::grow() {
  expect_ok(xgboost().update(state_->handle, state_->rounds++, state_->samples.handle));
}

std::vector<float> Booster::on_held_out() {
  bst_ulong count = 0;
  const float* values = nullptr;
  expect_ok(xgboost().predict(state_->handle, state_->held_out.handle, 0, 0, 0, &count, &values));
  return {values, values + count};
}

std::string Booster::json() const {
  bst_ulong length = 0;
  const char* text = nullptr;
  expect_ok(xgboost().save(state_->handle, R"({"format": "json"})", &length, &text));
  return {text, text + length};
}

}  // namespace sextant::predict
