#!/usr/bin/env bash
# A tree model in XGBoost's JSON gives other predictions if its numbers are read as double.
# The file has the shortest digits that restore a 32-bit float. `hist` splits at values of the training data, so a row
# often equals a split value. As float it is not below the split, so it goes right. As double the split may be slightly larger,
# and the row goes left.
# Why it matters: a predictor of run times that reads the model with a JSON library is wrong in many rows, by whole leaves.
# Instead: read `split_conditions` as float, and compare floats.
# Versions: libxgboost0 1.7.4-1, nlohmann-json3-dev 3.11.2-2.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc g++; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(libxgboost0=1.7.4-1 libxgboost-dev=1.7.4-1 libdmlc0=0.5-1 nlohmann-json3-dev=3.11.2-2
          libgomp1=12.2.0-14+deb12u1)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
lib=$folder/root/usr/lib/$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$lib

cat > model.cpp << 'END'
#include <xgboost/c_api.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>
using nlohmann::json;

void need(int status) {
  if (status != 0) std::printf("XGBoost: %s\n", XGBGetLastError()), std::exit(1);
}

template <typename Real>
double read(const json& model, float x) {
  double sum = 0;
  for (const json& tree : model["learner"]["gradient_booster"]["model"]["trees"]) {
    const json &left = tree["left_children"], &right = tree["right_children"], &value = tree["split_conditions"];
    int at = 0;
    while (left[at].get<int>() >= 0) at = Real(x) < value[at].get<Real>() ? left[at].get<int>() : right[at].get<int>();
    sum += value[at].get<double>();  // a leaf's value has the same place
  }
  return sum;
}

int main() {
  constexpr int rows = 200;
  std::vector<float> x, y;
  for (int i = 0; i < rows; ++i) x.push_back(i / 7.0f), y.push_back(std::sin(x.back()));
  DMatrixHandle data;
  need(XGDMatrixCreateFromMat(x.data(), rows, 1, NAN, &data));
  need(XGDMatrixSetFloatInfo(data, "label", y.data(), rows));
  BoosterHandle booster;
  need(XGBoosterCreate(&data, 1, &booster));
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{
           {"nthread", "1"}, {"tree_method", "hist"}, {"max_depth", "6"}, {"base_score", "0"}})
    need(XGBoosterSetParam(booster, name, value));
  for (int round = 0; round < 20; ++round) need(XGBoosterUpdateOneIter(booster, round, data));
  bst_ulong length, count;
  const char* text;
  const float* own;
  need(XGBoosterSaveModelToBuffer(booster, R"({"format": "json"})", &length, &text));
  const json model = json::parse(text, text + length);
  need(XGBoosterPredict(booster, data, 0, 0, 0, &count, &own));
  int by_float = 0, by_double = 0;
  double worst = 0;
  for (int i = 0; i < rows; ++i) {
    by_float += std::abs(read<float>(model, x[i]) - own[i]) > 1e-4;
    const double off = std::abs(read<double>(model, x[i]) - own[i]);
    by_double += off > 1e-4;
    worst = std::max(worst, off);
  }
  int major, minor, patch;
  XGBoostVersion(&major, &minor, &patch);
  std::printf("XGBoost %d.%d.%d, %d rows of sin(x): %d differ from XGBoost's own prediction if read as float, "
              "%d as double, by up to %.2f\n", major, minor, patch, rows, by_float, by_double, worst);
  return by_float == 0 && by_double >= 10 && worst > 0.05 ? 0 : 3;
}
END
g++ -std=c++17 -O1 -I"$folder/root/usr/include" model.cpp -o model -L"$lib" -lxgboost
./model || changed "reading as float and as double no longer differ as stated"
echo "as stated: the digits are right for float alone"
