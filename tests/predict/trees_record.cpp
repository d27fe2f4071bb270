// Writes a small tree model with XGBoost's predictions, for trees_test.cpp, which works without XGBoost. Run
// by hand: trees_record >tests/recorded/trees.json
#include <xgboost/c_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <vector>

#include "toolbox/random.hpp"

namespace {

constexpr std::size_t rows = 240, features = 3;

void expect_ok(int status) {
  if (status == 0) return;
  std::fprintf(stderr, "%s\n", XGBGetLastError());
  std::exit(1);
}

double uniform(std::uint64_t seed, std::uint64_t counter) {
  return static_cast<double>(sextant::random_bits(seed, counter) >> 11) * 0x1p-53;
}

// A third of the values of feature b is missing. Missing values influence the result.
void write_model(const char* option, const char* target, std::uint64_t seed, const std::vector<float>& x) {
  std::vector<float> y(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const float *row = &x[i * features], a = row[0], b = row[1], c = row[2];
    y[i] = 100 + 3 * std::sin(a) + (std::isnan(b) ? static_cast<float>(seed) : b * c);
  }
  DMatrixHandle matrix;
  expect_ok(
      XGDMatrixCreateFromMat(x.data(), rows, features, std::numeric_limits<float>::quiet_NaN(), &matrix));
  expect_ok(XGDMatrixSetFloatInfo(matrix, "label", y.data(), rows));
  BoosterHandle booster;
  expect_ok(XGBoosterCreate(&matrix, 1, &booster));
  const char* parameters[][2] = {{"nthread", "1"},   {"tree_method", "exact"},         {"max_depth", "4"},
                                 {"eta", "0.3"},     {"base_score", "97.5"},           {"gamma", "0.4"},
                                 {"verbosity", "0"}, {"objective", "reg:squarederror"}};
  for (const auto& [name, value] : parameters) expect_ok(XGBoosterSetParam(booster, name, value));
  for (int round = 0; round < 12; ++round) expect_ok(XGBoosterUpdateOneIter(booster, round, matrix));
  bst_ulong length = 0;
  const char* text = nullptr;
  expect_ok(XGBoosterSaveModelToBuffer(booster, R"({"format": "json"})", &length, &text));
  std::printf(
      "{\"option\": \"%s\", \"target\": \"%s\", \"term\": \"residual\",\n\"xgboost\": "
      "%.*s,\n\"predictions\": [",
      option, target, static_cast<int>(length), text);
  const float* predicted = nullptr;
  expect_ok(XGBoosterPredict(booster, matrix, 0, 0, 0, &length, &predicted));
  for (bst_ulong i = 0; i < length; ++i)
    std::printf("%s%.9g", i ? ", " : "", static_cast<double>(predicted[i]));
  std::printf("]}");
  expect_ok(XGBoosterFree(booster));
  expect_ok(XGDMatrixFree(matrix));
}

}  // namespace

int main() {
  std::vector<float> x;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t f = 0; f < features; ++f) {
      const double drawn = uniform(1, i * features + f);
      x.push_back(f == 1 && uniform(2, i) < 0.33 ? std::numeric_limits<float>::quiet_NaN()
                                                 : static_cast<float>(10 * drawn - 5));
    }
  std::printf("{\"sextant_trees\": 1, \"features\": [");
  for (const char* name : {"a", "b", "c"})
    std::printf("%s{\"name\": \"%s\", \"low\": -5, \"high\": 5}", *name == 'a' ? "" : ", ", name);
  std::printf("],\n\"rows\": [");
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::printf("%s", i == 0 ? "[" : i % features == 0 ? "],\n[" : ", ");
    if (std::isnan(x[i]))
      std::printf("null");
    else
      std::printf("%.9g", static_cast<double>(x[i]));
  }
  std::printf("]],\n\"ensembles\": [\n");
  write_model("serial", "call", 2, x);
  std::printf(",\n");
  write_model("cuda", "whole", 8, x);
  std::printf("]}\n");
}
