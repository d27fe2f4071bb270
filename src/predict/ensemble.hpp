// A boosted ensemble of regression trees in flat arrays, evaluated without any library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sextant::predict {

// A node as stored in files. A tree's first node is its root.
struct TreeNode {
  int feature = -1;  // -1: a leaf
  float value = 0;   // threshold of a split (x < value goes left), or value of a leaf
  int left = -1, right = -1;
  bool missing_left = false;  // NaN goes left
};

// Adds a base value and one leaf of each tree, in single precision and in the order of the trees. The result
// equals XGBoost's bit by bit.
class Ensemble {
 public:
  static constexpr int most_depth = 16;  // splits between root and leaf
  static constexpr std::size_t most_trees = 4096, most_nodes = std::size_t{1} << 20, most_features = 512;

  // Throws UserError, starting with `where`, if the base is not finite.
  Ensemble(float base, const std::string& where);
  // Takes the nodes that the root reaches. `features` is the number of features. Throws UserError, starting
  // with `where`, for a missing child or feature, a node with two parents, or a value that is not finite.
  // Also throws if a tree is too deep or too large, or if there are too many trees.
  void add(std::span<const TreeNode> tree, std::size_t features, const std::string& where);

  // `x` has one value per feature; NaN means missing.
  float at(std::span<const float> x) const;

  float base() const { return base_; }
  std::size_t trees() const { return trees_.size(); }
  // Nodes of a tree in preorder: a split, its left subtree, its right subtree.
  std::vector<TreeNode> preorder(std::size_t tree) const;

 private:
  // The right child is at left + 1. at() builds a lookup table with two entries per feature. A missing value
  // is infinity in one entry and minus infinity in the other, so that one comparison also routes missing
  // values. A leaf looks up the first entry, which always goes left, and is its own left child. All paths of
  // a tree therefore take the same number of steps.
  struct Node {
    float value;
    std::uint16_t lookup;  // 2 × (feature + 1) + (missing goes left)
    std::uint16_t left;    // relative to the tree's root
  };
  struct Tree {
    std::uint32_t root, depth;
  };

  float base_;
  std::vector<Node> nodes_;
  std::vector<Tree> trees_;
};

}  // namespace sextant::predict
