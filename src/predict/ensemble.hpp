// A boosted ensemble of regression trees in flat arrays, evaluated without any library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace sextant::predict {

// A node as files have it; a tree's first node is its root.
struct TreeNode {
  int feature = -1;  // -1: a leaf
  float value = 0;   // threshold of a split (x < value goes left), or what a leaf says
  int left = -1, right = -1;
  bool missing_left = false;  // where NaN goes
};

// The sum of a base value and of one leaf of each tree, in single precision and in the trees' order, as
// XGBoost adds them up: both come to the same bits.
class Ensemble {
 public:
  static constexpr int most_depth = 16;  // splits between root and leaf
  static constexpr std::size_t most_trees = 4096, most_nodes = std::size_t{1} << 20, most_features = 512;

  // Throws UserError, beginning with `where`, if the base is no number.
  Ensemble(float base, const std::string& where);
  // Takes the nodes that the root reaches. Throws UserError, beginning with `where`, for a child or a feature
  // (of `features`) that is not there, a node with two parents, a number that is none, and trees that are too
  // deep, too large or too many.
  void add(std::span<const TreeNode> tree, std::size_t features, const std::string& where);

  // `x` has a value for each feature; NaN is missing.
  float at(std::span<const float> x) const;

  float base() const { return base_; }
  std::size_t trees() const { return trees_.size(); }
  // The nodes of a tree in preorder: a split, all of its left side, all of its right side.
  std::vector<TreeNode> preorder(std::size_t tree) const;

 private:
  // Right child: left + 1. What is looked up comes in two columns, as missing goes right or left: there it is
  // infinite, so that one comparison decides. A leaf looks up the first entry, which goes left, and leads to
  // itself, so that every path of a tree takes as many steps.
  struct Node {
    float value;
    std::uint16_t lookup;  // 2 × (feature + 1) + (missing goes left)
    std::uint16_t left;    // counted from the tree's root
  };
  struct Tree {
    std::uint32_t root, depth;
  };

  float base_;
  std::vector<Node> nodes_;
  std::vector<Tree> trees_;
};

}  // namespace sextant::predict
