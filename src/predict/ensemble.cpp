#include "predict/ensemble.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/error.hpp"

namespace sextant::predict {
namespace {

// Describes an error in a node of a tree with `count` nodes; empty if the node is valid.
std::string fault_of(const TreeNode& node, std::size_t count, std::size_t features) {
  if (!std::isfinite(node.value)) return "has a value that is not a finite number";
  if (node.feature < 0) return "";
  if (static_cast<std::size_t>(node.feature) >= features)
    return "uses feature " + std::to_string(node.feature) + " of " + std::to_string(features);
  for (const int child : {node.left, node.right})
    if (child <= 0 || static_cast<std::size_t>(child) >= count)
      return "has child " + std::to_string(child) + " in a tree of " + std::to_string(count) + " nodes";
  return "";
}

}  // namespace

Ensemble::Ensemble(float base, const std::string& where) : base_(base) {
  if (!std::isfinite(base))
    throw UserError(where + ": `base_score`, the number to which the trees add, is not finite");
}

void Ensemble::add(std::span<const TreeNode> tree, std::size_t features, const std::string& where) {
  if (tree.empty()) throw UserError(where + ": the tree has no node");
  if (trees_.size() == most_trees)
    throw UserError(where + ": the model has more than " + std::to_string(most_trees) + " trees");
  if (features > most_features)
    throw UserError(where + ": the model has more than " + std::to_string(most_features) + " features");
  struct Place {
    int from;               // index in `tree`
    std::size_t to, depth;  // `to`: index in `nodes`; `depth`: number of splits above the node
  };
  std::vector<Node> nodes(1);
  std::vector<Place> open = {{0, 0, 0}};
  std::vector<char> reached(tree.size(), 0);
  std::size_t depth = 0;
  for (std::size_t next = 0; next < open.size(); ++next) {
    const Place place = open[next];
    const TreeNode& node = tree[static_cast<std::size_t>(place.from)];
    std::string fault = fault_of(node, tree.size(), features);
    if (std::exchange(reached[static_cast<std::size_t>(place.from)], 1)) fault = "has two parents";
    if (!fault.empty()) throw UserError(where + ": node " + std::to_string(place.from) + ' ' + fault);
    if (node.feature < 0) {
      nodes[place.to] = {node.value, 0, static_cast<std::uint16_t>(place.to)};
      continue;
    }
    depth = std::max(depth, place.depth + 1);
    if (depth > most_depth)
      throw UserError(where + ": the tree is deeper than " + std::to_string(most_depth) + " splits");
    const std::size_t left = nodes.size();
    if (left + 2 > std::numeric_limits<std::uint16_t>::max() || nodes_.size() + left + 2 > most_nodes)
      throw UserError(where + ": the model's trees have too many nodes");
    const auto lookup = static_cast<std::uint16_t>(2 * (node.feature + 1) + (node.missing_left ? 1 : 0));
    nodes[place.to] = {node.value, lookup, static_cast<std::uint16_t>(left)};
    nodes.resize(left + 2);
    open.push_back({node.left, left, place.depth + 1});
    open.push_back({node.right, left + 1, place.depth + 1});
  }
  trees_.push_back({static_cast<std::uint32_t>(nodes_.size()), static_cast<std::uint32_t>(depth)});
  nodes_.insert(nodes_.end(), nodes.begin(), nodes.end());
}

float Ensemble::at(std::span<const float> x) const {
  constexpr float infinity = std::numeric_limits<float>::infinity();
  std::array<float, 2 * (most_features + 1)> values;
  values[0] = -infinity;
  for (std::size_t i = 0; i < x.size(); ++i) {
    values[2 * i + 2] = std::isnan(x[i]) ? infinity : x[i];
    values[2 * i + 3] = std::isnan(x[i]) ? -infinity : x[i];
  }
  float sum = base_;
  // Walks several trees at once to hide the latency of dependent loads. A walk that has reached a leaf stays
  // there.
  constexpr std::size_t side_by_side = 8;
  for (std::size_t first = 0; first < trees_.size(); first += side_by_side) {
    const std::size_t count = std::min(side_by_side, trees_.size() - first);
    std::array<const Node*, side_by_side> roots;
    std::array<std::uint32_t, side_by_side> places = {};
    std::uint32_t depth = 0;
    roots.fill(nodes_.data());
    for (std::size_t i = 0; i < count; ++i) {
      roots[i] += trees_[first + i].root;
      depth = std::max(depth, trees_[first + i].depth);
    }
    for (std::uint32_t step = 0; step < depth; ++step)
      for (std::size_t i = 0; i < side_by_side; ++i) {
        const Node node = roots[i][places[i]];
        places[i] = node.left + (values[node.lookup] < node.value ? 0u : 1u);
      }
    for (std::size_t i = 0; i < count; ++i) sum += roots[i][places[i]].value;
  }
  return sum;
}

std::vector<TreeNode> Ensemble::preorder(std::size_t tree) const {
  const Node* root = nodes_.data() + trees_[tree].root;
  std::vector<TreeNode> nodes;
  struct Place {
    std::uint32_t from;
    std::size_t parent;  // the node whose right child this is; `none` for the root and for left children
  };
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<Place> open = {{0, none}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    const Node& node = root[place.from];
    const std::size_t own = nodes.size();
    if (place.parent != none) nodes[place.parent].right = static_cast<int>(own);
    const int feature = node.lookup / 2 - 1;
    nodes.push_back({feature, node.value, -1, -1, node.lookup % 2 != 0});
    if (feature < 0) continue;
    nodes[own].left = static_cast<int>(own + 1);
    open.push_back({node.left + 1u, own});
    open.push_back({node.left, none});
  }
  return nodes;
}

}  // namespace sextant::predict
