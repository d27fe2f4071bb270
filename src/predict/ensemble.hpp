// A boosted ensemble of regression trees in flat arrays. Evaluation needs no library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sextant::predict {

// A node as stored in files. A tree's first node is its root.
struct TreeNode {
  int feature = -1;  // index of the feature that the node tests; -1: a leaf
  float value = 0;   // threshold of a split (x < value goes left), or value of a leaf
  int left = -1, right = -1;
  bool missing_left = false;  // a missing value (NaN) goes left
};

// The prediction is a base value plus one leaf value of each tree. It is summed in single precision in the
// order of the trees, so that it equals XGBoost's result bit by bit.
class Ensemble {
 public:
  static constexpr int most_depth = 16;  // largest number of splits between root and leaf
  static constexpr std::size_t most_trees = 4096, most_nodes = std::size_t{1} << 20, most_features = 512;

  // Throws UserError, starting with `where`, if the base is not finite.
  Ensemble(float base, const std::string& where);
  // Adds a tree, whose root is the first node. `features` is the number of features. Throws UserError if a
  // child or feature does not exist, a node has two parents, a value is not finite, a tree is too deep or too
  // large, or there are too many trees. Messages start with `where`.
  void add(std::span<const TreeNode> tree, std::size_t features, const std::string& where);

  // Returns the prediction. `x` has one value per feature; NaN means missing.
  float at(std::span<const float> x) const;

  float base() const { return base_; }
  std::size_t trees() const { return trees_.size(); }
  // Nodes of a tree in preorder: a split, its left subtree, its right subtree.
  std::vector<TreeNode> preorder(std::size_t tree) const;

 private:
  // A split or a leaf. The right child is stored at left + 1. at() builds a table with two values per
  // feature: a missing value is infinity in one and minus infinity in the other. One comparison thus also
  // decides where missing values go. A leaf always goes left and is its own left child, so all walks take the
  // same number of steps.
  struct Node {
    float value;
    std::uint16_t lookup;  // index into the lookup table: 2 × (feature + 1), plus 1 if missing values go left
    std::uint16_t left;    // index of the left child, relative to the tree's root
  };
  struct Tree {
    std::uint32_t root, depth;
  };

  float base_;
  std::vector<Node> nodes_;
  std::vector<Tree> trees_;
};

}  // namespace sextant::predict
