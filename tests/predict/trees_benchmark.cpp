// Prints the time of one complete choice with the largest allowed tree model. Run by hand: trees_benchmark
// [CHOICES]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "predict/trees.hpp"
#include "tuner/random.hpp"

namespace {

using namespace sextant::predict;
using sextant::tuner::Random;

constexpr int feature_count = 60, tree_count = 200, depth = 4;

// Returns complete trees. At each split, half of the values go left.
Ensemble full_ensemble(Random& random) {
  Ensemble ensemble(0, "benchmark");
  constexpr int splits = (1 << depth) - 1;
  for (int tree = 0; tree < tree_count; ++tree) {
    std::vector<TreeNode> nodes;
    for (int i = 0; i < 2 * splits + 1; ++i) {
      const auto drawn = static_cast<float>(random.uniform());
      if (i < splits)
        nodes.push_back(
            {static_cast<int>(random.below(feature_count)), drawn, 2 * i + 1, 2 * i + 2, drawn < 0.5f});
      else
        nodes.push_back({-1, drawn - 0.5f, -1, -1, false});
    }
    ensemble.add(nodes, feature_count, "benchmark");
  }
  return ensemble;
}

}  // namespace

int main(int argc, char** argv) {
  const int choices = argc > 1 ? std::atoi(argv[1]) : 2000;
  Random random(1);
  std::vector<Feature> features;
  for (int f = 0; f < feature_count; ++f) features.push_back({"f" + std::to_string(f), 0, 1});
  Trees trees(features);
  for (const auto option : all_options)
    for (const auto target : all_targets) trees.add({option, target, Term::residual, full_ensemble(random)});
  std::vector<std::vector<float>> rows(64, std::vector<float>(feature_count));
  for (std::vector<float>& row : rows)
    for (float& value : row) value = static_cast<float>(random.uniform());
  std::vector<double> times;
  float sum = 0;
  for (int choice = 0; choice < choices; ++choice) {
    const auto begin = std::chrono::steady_clock::now();
    for (const auto option : all_options)
      for (const auto target : all_targets)
        sum +=
            *trees.at(option, target, Term::residual, rows[static_cast<std::size_t>(choice) % rows.size()]);
    times.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  std::sort(times.begin(), times.end());
  std::printf(
      "one choice, %zu ensembles of %d trees of depth %d: median %.1f us, fastest %.1f us, 95 %% below %.1f "
      "us; compact form %zu bytes (sum %g)\n",
      trees.entries().size(), tree_count, depth, 1e6 * times[times.size() / 2], 1e6 * times.front(),
      1e6 * times[times.size() * 95 / 100], trees.compact().size(), static_cast<double>(sum));
}
