#include "own/draft/launches.hpp"

#include <algorithm>
#include <map>

#include "own/draft/ranges.hpp"
#include "own/draft/set_elements.hpp"
#include "own/draft/swaps.hpp"

namespace sextant::own {
namespace {

using Threads = std::array<std::int64_t, 3>;
using Blocks = std::array<std::optional<Polynomial>, 3>;

class Launches {
 public:
  explicit Launches(unsigned body) { site_.caller = body; }

  void walk(const Node& node) {
    const CallSite outside = site_;
    if (node.kind == Node::Kind::loop) enter(node);
    if (node.kind == Node::Kind::call) call(node);
    for (const Node& child : node.children) walk(child);
    site_ = outside;
    if (node.kind == Node::Kind::declaration) declare(node);
    if (changes(node) && node.children[0].declared > 0) {
      numbers_.forget(node.children[0].declared);
      threads_.erase(node.children[0].declared);
      counts_[node.children[0].declared] = {};
    }
  }

  std::vector<Launch> found;

 private:
  void enter(const Node& loop) {
    site_.loop = loop.begin;
    site_.count = count_of(loop);
    site_.swapped = loop.children.empty() ? site_.swapped : swapped_in(loop.children.back());
  }

  // Returns the number of iterations of a loop that counts from 0 up by one: a number, the name of a
  // variable, or an empty text.
  std::string count_of(const Node& loop) {
    if (loop.children.size() != 4) return "";
    const Node& condition = loop.children[1];
    const Node& step = loop.children[2];
    if (condition.kind != Node::Kind::binary || condition.text != "<" || step.text != "++") return "";
    const Node* start = nullptr;
    for (const Node& one : loop.children[0].children)
      if (one.kind == Node::Kind::declaration && one.has_init) start = &one.children[0];
    if (loop.children[0].text == "=") start = &loop.children[0].children[1];
    if (!start || start->value != 0) return "";
    const Node& limit = condition.children[1];
    if (const std::int64_t known = number(limit); known > 0) return std::to_string(known);
    return limit.kind == Node::Kind::variable ? limit.name : "";
  }

  void call(const Node& node) {
    Launch launch{node.name, false, {}, {}, site_};
    launch.site.at = node.begin;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      if (child.kind == Node::Kind::call && child.name.ends_with("CallConfiguration")) {
        launch.kernel = child.children.size() > 2;
        if (launch.kernel) launch.threads = threads_of(child.children[2]);
        if (launch.kernel) launch.blocks = blocks_of(child.children[1]);
      } else {
        launch.site.arguments.push_back(variable_in(child));
        launch.site.passed.push_back(child.kind == Node::Kind::variable ? child.name : "");
      }
    }
    found.push_back(std::move(launch));
  }

  void declare(const Node& node) {
    counts_[node.declared] = {};
    if (!node.has_init) return;
    const Node& value = node.children[0];
    numbers_.set(node.declared, numbers_.of(value));
    counts_[node.declared] = blocks_of(value);
    if (value.kind == Node::Kind::call && value.name == "dim3") threads_[node.declared] = threads_of(value);
  }

  // Returns the block size that a launch argument stands for. The argument is a number, a dim3 or a variable.
  Threads threads_of(const Node& node) {
    const auto known = threads_.find(node.declared);
    if (node.kind == Node::Kind::variable && known != threads_.end()) return known->second;
    if (node.kind != Node::Kind::call || node.name != "dim3") return {number(node), 1, 1};
    if (node.children.size() == 1) return threads_of(node.children[0]);
    Threads threads = {1, 1, 1};
    for (std::size_t i = 0; i < node.children.size() && i < 3; ++i) threads[i] = number(node.children[i]);
    return threads;
  }

  // Returns the grid that a launch argument stands for.
  Blocks blocks_of(const Node& node) {
    const auto known = counts_.find(node.declared);
    if (node.kind == Node::Kind::variable && known != counts_.end()) return known->second;
    if (node.kind != Node::Kind::call || node.name != "dim3") return {count(node), {}, {}};
    if (node.children.size() == 1) return blocks_of(node.children[0]);
    Blocks blocks;
    for (std::size_t i = 0; i < node.children.size() && i < 3; ++i) blocks[i] = count(node.children[i]);
    return blocks;
  }

  // Returns a number of blocks as a sum of products. Names are those of parameters.
  std::optional<Polynomial> count(const Node& node) {
    if (const std::int64_t known = number(node); known > 0) return Polynomial(known);
    if (node.kind == Node::Kind::variable) {
      const auto known = counts_.find(node.declared);
      return known == counts_.end() ? std::optional(Polynomial::of(node.name)) : known->second[0];
    }
    if (node.kind != Node::Kind::binary) return {};
    const std::optional<Polynomial> a = count(node.children[0]), b = count(node.children[1]);
    if (!a || !b) return {};
    if (node.text == "*") return *a * *b;
    if (node.text == "+") return *a + *b;
    return node.text == "-" ? std::optional(*a - *b) : std::nullopt;
  }

  std::int64_t number(const Node& node) {
    const Range range = numbers_.of(node);
    const bool exact = range.high && *range.high == range.low;
    return exact ? range.high->constant().value_or(0) : 0;
  }

  Signature host_;
  Ranges numbers_{&host_, nullptr};
  std::map<unsigned, Threads> threads_;  // block sizes that variables of type dim3 hold
  std::map<unsigned, Blocks> counts_;    // values of local variables as numbers of blocks
  CallSite site_;                        // of a call at the place that is being read
};

}  // namespace

std::vector<Launch> launches_in(const Node& body) {
  Launches all(body.begin);
  all.walk(body);
  return std::move(all.found);
}

}  // namespace sextant::own
