// Tests of Sextant's evaluation of tree models, and of files that are no valid trees.
#include "predict/trees.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "refusal.hpp"

namespace sextant::predict {
namespace {

using nlohmann::json;
using test::refusal;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

TreeNode leaf(float value) { return {-1, value, -1, -1, false}; }
TreeNode split(int feature, float threshold, int left, int right, bool missing_left = false) {
  return {feature, threshold, left, right, missing_left};
}

Ensemble ensemble_of(const std::vector<TreeNode>& tree, std::size_t features = 2, float base = 0) {
  Ensemble ensemble(base, "model");
  ensemble.add(tree, features, "tree");
  return ensemble;
}

float value_of(const Ensemble& ensemble, const std::vector<float>& x) { return ensemble.at(x); }

std::string recorded_text() {
  std::ifstream file(SEXTANT_RECORDED "/trees.json");
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::uint64_t checksum_of(const std::string& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

std::string with_checksum(std::string bytes) {
  const std::uint64_t sum = checksum_of(bytes);
  return bytes.append(reinterpret_cast<const char*>(&sum), sizeof(sum));
}

TEST(Trees, AgreeWithWhatXGBoostPredicted) {
  const json recorded = json::parse(recorded_text());
  const Trees read = Trees::read(recorded_text(), "recorded");
  ASSERT_EQ(read.entries().size(), 2u);
  for (const Trees& trees : {read, Trees::read(read.compact(), "compact")})
    for (std::size_t e = 0; e < 2; ++e) {
      const json& predictions = recorded["ensembles"][e]["predictions"];
      ASSERT_EQ(predictions.size(), 240u);
      for (std::size_t i = 0; i < predictions.size(); ++i) {
        std::vector<float> x;
        for (const json& value : recorded["rows"][i])
          x.push_back(value.is_null() ? missing : value.get<float>());
        const Trees::Entry& entry = trees.entries()[e];
        const float predicted = *trees.at(entry.option, entry.target, entry.term, x);
        const float expected = predictions[i];
        ASSERT_NEAR(predicted, expected, 1e-6f * std::abs(expected)) << "row " << i;
      }
    }
}

TEST(Trees, ValuesGoLeftBelowTheThresholdAndMissingOnesWhereTheTreeSays) {
  for (const bool missing_left : {false, true}) {
    const Ensemble tree = ensemble_of({split(1, 2, 1, 2, missing_left), leaf(10), leaf(20)}, 2, 0.5f);
    EXPECT_EQ(value_of(tree, {0, 1}), 10.5f);
    EXPECT_EQ(value_of(tree, {0, 2}), 20.5f);
    EXPECT_EQ(value_of(tree, {0, 3}), 20.5f);
    EXPECT_EQ(value_of(tree, {0, -infinity}), 10.5f);
    EXPECT_EQ(value_of(tree, {0, infinity}), 20.5f);
    EXPECT_EQ(value_of(tree, {0, missing}), missing_left ? 10.5f : 20.5f);
  }
}

TEST(Trees, PathsOfOneTreeMayDifferInLength) {
  const Ensemble tree = ensemble_of(
      {split(0, 0, 5, 1), split(1, 0, 2, 3), leaf(1), split(0, 5, 4, 6), leaf(2), leaf(0), leaf(3)});
  EXPECT_EQ(value_of(tree, {-1, missing}), 0);
  EXPECT_EQ(value_of(tree, {1, -1}), 1);
  EXPECT_EQ(value_of(tree, {1, 1}), 2);
  EXPECT_EQ(value_of(tree, {7, 1}), 3);
}

std::vector<TreeNode> chain(int depth) {
  std::vector<TreeNode> nodes;
  for (int i = 0; i < depth; ++i) {
    nodes.push_back(split(0, static_cast<float>(i), 2 * i + 1, 2 * i + 2));
    nodes.push_back(leaf(0));
  }
  nodes.push_back(leaf(1));
  return nodes;
}

TEST(Trees, TreesOfOneEnsembleMayDifferInDepth) {
  Ensemble ensemble(0, "model");
  for (int tree = 0; tree < 21; ++tree) {
    std::vector<TreeNode> nodes = chain(tree % 5);
    nodes.back().value = static_cast<float>(1 << tree);  // the leaf reached by always going right
    ensemble.add(nodes, 1, "tree");
  }
  EXPECT_EQ(value_of(ensemble, {100}), static_cast<float>((1 << 21) - 1));
  EXPECT_EQ(value_of(ensemble, {-1}), 1.0f + (1 << 5) + (1 << 10) + (1 << 15) + (1 << 20));
}

TEST(Trees, WithoutTreesTheBaseIsTheAnswer) {
  EXPECT_EQ(value_of(Ensemble(3.5f, "model"), {1, 2}), 3.5f);
  EXPECT_EQ(value_of(ensemble_of({leaf(2)}, 2, 1), {1, 2}), 3.0f);
}

// When XGBoost prunes a tree, unreachable nodes remain in its list.
TEST(Trees, NodesThatNothingLeadsToAreLeftOut) {
  const Ensemble tree = ensemble_of({split(0, 0, 1, 4), leaf(1), leaf(7), split(9, missing, 3, 3), leaf(2)});
  EXPECT_EQ(value_of(tree, {-1, 0}), 1);
  EXPECT_EQ(value_of(tree, {1, 0}), 2);
  EXPECT_EQ(tree.preorder(0).size(), 3u);
}

TEST(Trees, RefuseWhatIsNoTree) {
  const auto refused = [](const std::vector<TreeNode>& nodes, std::size_t features = 2) {
    return refusal([&] { ensemble_of(nodes, features); });
  };
  EXPECT_EQ(refused({}), "tree: the tree has no node");
  EXPECT_EQ(refused({split(2, 0, 1, 2), leaf(0), leaf(0)}), "tree: node 0 uses feature 2 of 2");
  EXPECT_EQ(refused({split(0, 0, 1, 3), leaf(0), leaf(0)}), "tree: node 0 has child 3 in a tree of 3 nodes");
  EXPECT_EQ(refused({split(0, 0, -7, 1), leaf(0)}), "tree: node 0 has child -7 in a tree of 2 nodes");
  EXPECT_EQ(refused({split(0, 0, 0, 1), leaf(0)}), "tree: node 0 has child 0 in a tree of 2 nodes");
  EXPECT_EQ(refused({split(0, 0, 1, 1), leaf(0)}), "tree: node 1 has two parents");
  EXPECT_EQ(refused({split(0, 0, 1, 2), split(0, 1, 1, 2), leaf(0)}), "tree: node 1 has two parents");
  EXPECT_EQ(refused({leaf(missing)}), "tree: node 0 has a value that is not a finite number");
  EXPECT_EQ(refused({split(0, infinity, 1, 2), leaf(0), leaf(0)}),
            "tree: node 0 has a value that is not a finite number");
  EXPECT_EQ(refused(chain(17)), "tree: the tree is deeper than 16 splits");
  EXPECT_EQ(refused(chain(16)), "accepted");
  EXPECT_EQ(refused({leaf(0)}, 513), "tree: the model has more than 512 features");
  EXPECT_EQ(refusal([] { Ensemble(missing, "model"); }),
            "model: `base_score`, the number to which the trees add, is not finite");
  EXPECT_EQ(refusal([] {
              Ensemble many(0, "model");
              for (int tree = 0; tree <= 4096; ++tree) many.add(std::vector{leaf(1)}, 1, "tree");
            }),
            "tree: the model has more than 4096 trees");
}

TEST(Trees, AModelHasEachFeatureAndEachEnsembleOnce) {
  EXPECT_EQ(refusal([] { Trees({{"a", 0, 1}, {"a", 0, 1}}); }), "the model has the feature `a` twice");
  EXPECT_EQ(refusal([] { Trees({{"", 0, 1}}); }), "an input (feature) of the model has no name");
  EXPECT_EQ(refusal([] {
              Trees({{"a", missing, 1}});
            }),
            "the feature `a` of the model has an infinite range");
  Trees trees({{"a", 0, 1}});
  trees.add({Option::cuda, Target::call, Term::residual, Ensemble(1, "")});
  trees.add({Option::cuda, Target::call, Term::difficulty, Ensemble(2, "")});
  EXPECT_EQ(refusal([&] {
              trees.add({Option::cuda, Target::call, Term::residual, Ensemble(3, "")});
            }),
            "the model has two sets of trees for cuda, call, residual");
  const std::vector<float> x = {0}, wide = {0, 1};
  EXPECT_EQ(trees.at(Option::cuda, Target::call, Term::difficulty, x), 2.0f);
  EXPECT_EQ(trees.at(Option::cuda, Target::whole, Term::difficulty, x), std::nullopt);
  EXPECT_THROW(trees.at(Option::cuda, Target::call, Term::residual, wide), std::invalid_argument);
}

TEST(Trees, TheCompactFormKeepsEverything) {
  Trees trees({{"log_bytes", -3.25f, 17}, {"never known", 1, -1}});
  Ensemble ensemble(0.125f, "model");
  ensemble.add(std::vector{split(1, 2.5f, 1, 2, true), leaf(-1), split(0, -7, 3, 4), leaf(1e-30f), leaf(4)},
               2, "tree");
  ensemble.add(std::vector{leaf(8)}, 2, "tree");
  trees.add({Option::gpu_library, Target::whole, Term::difficulty, ensemble});
  const std::string bytes = trees.compact();
  const Trees again = Trees::read(bytes, "again");
  EXPECT_EQ(again.compact(), bytes);
  EXPECT_EQ(again.features()[0].name, "log_bytes");
  EXPECT_EQ(again.features()[0].low, -3.25f);
  EXPECT_EQ(again.features()[1].high, -1);
  ASSERT_EQ(again.entries().size(), 1u);
  for (const std::vector<float>& x : {std::vector<float>{0, 0}, {0, 9}, {-8, 9}, {missing, missing}})
    EXPECT_EQ(again.at(Option::gpu_library, Target::whole, Term::difficulty, x), value_of(ensemble, x));
}

TEST(Trees, ADamagedCompactFileIsRefused) {
  const std::string bytes = Trees::read(recorded_text(), "recorded").compact();
  for (std::size_t size = 0; size < bytes.size(); size += size < 64 ? 1 : 37)
    EXPECT_NE(refusal([&] { Trees::read(bytes.substr(0, size), "cut"); }), "accepted") << size;
  for (std::size_t i = 0; i < bytes.size(); i += i < 64 ? 1 : 37) {
    std::string changed = bytes;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    EXPECT_NE(refusal([&] { Trees::read(changed, "changed"); }), "accepted") << i;
  }
}

TEST(Trees, ACompactFileThatIsWhollyWrongIsRefused) {
  const std::string head = "sextant trees 1\n";
  const auto refused = [&](const std::string& body) {
    return refusal([&] { Trees::read(with_checksum(head + body), "it"); });
  };
  const std::string feature = std::string("\1\1a", 3) + std::string(8, '\0');
  const std::string entry = "\1\4cuda\4call\10residual" + std::string(4, '\0');
  EXPECT_EQ(refused(feature + entry + std::string("\1\0\0\0\0\0", 6)), "accepted");
  EXPECT_EQ(refused(feature + entry + std::string("\1\0\0\0\0\0?", 7)),
            "it is damaged: the file continues after its last tree");
  EXPECT_EQ(refused(feature + entry + std::string("\1\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)),
            "it: tree 0: node 0 uses feature 2 of 1");
  EXPECT_EQ(refused(feature + entry + "\1\1"), "it is damaged: the file ends too early");
  EXPECT_EQ(refused(feature + "\1\4rust"), "it is damaged: `rust` is not a name that this program knows");
  EXPECT_EQ(refused("\xff\xff\xff\xff\xff"), "it is damaged: a count is above 512");
  std::string endless = feature + entry + "\1";
  for (int i = 0; i < 100000; ++i) endless += std::string("\1\0\0\0\0", 5);
  EXPECT_EQ(refused(endless), "it is damaged: a tree is too deep");
  EXPECT_EQ(refusal([] { Trees::read(with_checksum("sextant trees 2\n"), "it"); }),
            "it has a version that this program does not read. It reads version 1 of decision trees");
}

TEST(Trees, AJsonModelThatIsNotOursIsRefusedWithTheReason) {
  const json good = json::parse(recorded_text());
  const auto refused = [&](const std::string& pointer, const json& value) {
    json changed = good;
    changed[json::json_pointer(pointer)] = value;
    return refusal([&] { Trees::read(changed.dump(), "it"); });
  };
  const std::string model = "/ensembles/0/xgboost/learner", tree = model + "/gradient_booster/model/trees/3";
  EXPECT_EQ(refused("/comment", 1), "accepted");
  EXPECT_EQ(refused("/sextant_trees", 2),
            "it has a version that this program does not read. It reads version 1 of decision trees");
  EXPECT_EQ(refused("/ensembles/1/option", "rust"),
            "it: rust whole residual: `rust` is not a name that this program knows");
  EXPECT_EQ(refused(model + "/gradient_booster/name", "dart"),
            "it: serial call residual: the booster is `dart`, but only models of decision trees (`gbtree`) "
            "can be read");
  EXPECT_EQ(refused(model + "/objective/name", "binary:logistic"),
            "it: serial call residual: the objective is `binary:logistic`, but only `reg:squarederror` can "
            "be read");
  EXPECT_EQ(refused(model + "/learner_model_param/base_score", "many"),
            "it: serial call residual: `many` is not a number");
  EXPECT_EQ(refused(model + "/learner_model_param/base_score", "[5E-1]"), "accepted");
  EXPECT_EQ(refused(tree + "/left_children", json::array({-1})),
            "it: serial call residual, tree 3: the arrays of a decision tree have different lengths");
  EXPECT_EQ(refused(tree + "/split_type/0", 1),
            "it: serial call residual, tree 3: the tree splits by categories, which is not supported");
  EXPECT_EQ(refused(tree + "/split_conditions/0", 1e300),
            "it: serial call residual, tree 3: 1e+300 is not a number in single precision");
  EXPECT_EQ(refused(tree + "/split_indices/0", 99),
            "it: serial call residual, tree 3: node 0 uses feature 99 of 3");
  EXPECT_EQ(refused(tree + "/split_indices/0", -1),
            "it: serial call residual, tree 3: node 0 has a split without a feature");
  EXPECT_EQ(refused(tree + "/right_children/0", 0),
            "it: serial call residual, tree 3: node 0 has child 0 in a tree of 19 nodes");
  EXPECT_NE(refused(tree + "/default_left", "yes").find("arrays of a decision tree have different lengths"),
            std::string::npos);
  EXPECT_EQ(refused("/features/0/name", "b"), "the model has the feature `b` twice");
  for (const std::string text : {"", "{}", "[]", "{\"sextant_trees\": 1}", "{\"sextant_trees\": \"one\"}"})
    EXPECT_TRUE(refusal([&] { Trees::read(text, "it"); }).starts_with("it ")) << text;
}

}  // namespace
}  // namespace sextant::predict
