#include "own/draft/launches.hpp"

#include <map>

#include "own/draft/ranges.hpp"

namespace sextant::own {
namespace {

using Threads = std::array<std::int64_t, 3>;

class Launches {
 public:
  void walk(const Node& node, unsigned loop) {
    if (node.kind == Node::Kind::loop) loop = node.begin;
    for (const Node& child : node.children) {
      if (node.kind == Node::Kind::call && child.name.ends_with("CallConfiguration") &&
          child.children.size() > 2)
        found.push_back({node.name, threads_of(child.children[2]), loop});
      walk(child, loop);
    }
    if (node.kind == Node::Kind::declaration && node.has_init) declare(node);
    const bool changes = node.kind == Node::Kind::compound ||
                         (node.kind == Node::Kind::binary && node.text == "=") ||
                         (node.kind == Node::Kind::unary && (node.text == "++" || node.text == "--"));
    if (changes && node.children[0].declared > 0) {
      numbers_.forget(node.children[0].declared);
      blocks_.erase(node.children[0].declared);
    }
  }

  std::vector<Launch> found;

 private:
  void declare(const Node& node) {
    const Node& value = node.children[0];
    numbers_.set(node.declared, numbers_.of(value));
    if (value.kind == Node::Kind::call && value.name == "dim3") blocks_[node.declared] = threads_of(value);
  }

  // Returns the block size that a launch argument stands for. The argument is a number, a dim3 or a variable.
  Threads threads_of(const Node& node) {
    const auto known = blocks_.find(node.declared);
    if (node.kind == Node::Kind::variable && known != blocks_.end()) return known->second;
    if (node.kind != Node::Kind::call || node.name != "dim3") return {number(node), 1, 1};
    if (node.children.size() == 1) return threads_of(node.children[0]);
    Threads threads = {1, 1, 1};
    for (std::size_t i = 0; i < node.children.size() && i < 3; ++i) threads[i] = number(node.children[i]);
    return threads;
  }

  std::int64_t number(const Node& node) {
    const Range range = numbers_.of(node);
    const bool exact = range.high && *range.high == range.low;
    return exact ? range.high->constant().value_or(0) : 0;
  }

  Signature host_;
  Ranges numbers_{&host_};
  std::map<unsigned, Threads> blocks_;
};

}  // namespace

std::vector<Launch> launches_in(const Node& body) {
  Launches all;
  all.walk(body, 0);
  return std::move(all.found);
}

}  // namespace sextant::own
