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
    const std::map<unsigned, Variable> exchanged = exchanged_;
    if (node.kind == Node::Kind::loop) enter(node);
    if (node.kind == Node::Kind::call) call(node);
    for (const Node& child : node.children) walk(child);
    site_ = outside;
    if (node.kind == Node::Kind::loop) exchanged_ = exchanged;
    note_copy(node);
    if (node.kind == Node::Kind::declaration) declare(node);
    if (changes(node) && node.children[0].declared > 0) {
      numbers_.forget(node.children[0].declared);
      threads_.erase(node.children[0].declared);
      counts_[node.children[0].declared] = {};
    }
  }

  std::vector<Launch> found;

 private:
  struct Variable {
    unsigned declared = 0;
    std::string name;
  };

  void enter(const Node& loop) {
    forget_changed(loop);
    site_.loop = loop.begin;
    site_.count = count_of(loop);
    site_.counter = site_.count.empty() ? "" : loop.children[2].children[0].name;
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

  // The values of variables that a loop changes differ from iteration to iteration.
  void forget_changed(const Node& node) {
    if (changes(node) && node.children[0].declared > 0) counts_[node.children[0].declared] = {};
    for (const Node& child : node.children) forget_changed(child);
  }

  // Returns the variable that had the pointer before variables were swapped.
  Variable before_swaps(const Node& node) const {
    const auto known = exchanged_.find(node.declared);
    return known == exchanged_.end() ? Variable{node.declared, node.name} : known->second;
  }

  void exchange(const Node& a, const Node& b) {
    const Variable first = before_swaps(a), second = before_swaps(b);
    exchanged_[a.declared] = second, exchanged_[b.declared] = first;
  }

  // Detects three assignments that swap two variables.
  void note_copy(const Node& node) {
    const bool assigns = node.kind == Node::Kind::binary && node.text == "=";
    const bool declares = node.kind == Node::Kind::declaration && node.has_init;
    if (!(assigns || declares) || node.children.back().kind != Node::Kind::variable) return;
    copies_.emplace_back(assigns ? &node.children[0] : &node, &node.children.back());
    if (copies_.size() < 3) return;
    const auto &kept = copies_[copies_.size() - 3], &middle = copies_[copies_.size() - 2];
    const auto& last = copies_.back();
    if (middle.first->declared == kept.second->declared && last.first->declared == middle.second->declared &&
        last.second->declared == kept.first->declared)
      exchange(*middle.first, *last.first);
  }

  void call(const Node& node) {
    if (node.name.ends_with("swap") && node.children.size() == 3 &&
        node.children[1].kind == Node::Kind::variable && node.children[2].kind == Node::Kind::variable)
      exchange(node.children[1], node.children[2]);
    Launch launch{node.name, false, site_};
    launch.site.at = node.begin;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      const Node& child = node.children[i];
      if (child.kind == Node::Kind::call && child.name.ends_with("CallConfiguration")) {
        launch.kernel = child.children.size() > 2;
        if (launch.kernel) launch.site.threads = threads_of(child.children[2]);
        if (launch.kernel) launch.site.blocks = blocks_of(child.children[1]);
        if (child.children.size() > 3) launch.site.shared = count(child.children[3]);
      } else {
        add_argument(child, &launch.site);
      }
    }
    found.push_back(std::move(launch));
  }

  void add_argument(const Node& node, CallSite* site) {
    const bool plain = node.kind == Node::Kind::variable;
    const auto known = exchanged_.find(variable_in(node));
    site->arguments.push_back(known == exchanged_.end() ? variable_in(node) : known->second.declared);
    site->passed.push_back(plain ? before_swaps(node).name : "");
    site->values.push_back(node.real    ? std::nullopt
                           : node.value ? std::optional(Polynomial(*node.value))
                                        : count(node));
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
    if (node.bytes > 0) return Polynomial(node.bytes);
    if (node.kind == Node::Kind::variable && !node.name.empty() && node.name == site_.counter)
      return Polynomial::of(node.name);
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
  std::map<unsigned, Threads> threads_;     // block sizes that variables of type dim3 hold
  std::map<unsigned, Blocks> counts_;       // values of local variables as numbers of blocks
  CallSite site_;                           // of a call at the place that is being read
  std::map<unsigned, Variable> exchanged_;  // variables that were swapped, with those that had the pointers
  std::vector<std::pair<const Node*, const Node*>> copies_;  // assignments of variables to variables
};

// Returns the name of the parameter that gets the launching function's variable, or the variable's own name.
std::string parameter_for(const std::string& variable, const CallSite& site, const Signature& kernel) {
  for (std::size_t i = 0; i < site.passed.size() && i < kernel.parameters.size(); ++i)
    if (site.passed[i] == variable) return kernel.parameters[i].name;
  return variable;
}

// Returns a number of the launching function in the names of the kernel's parameters; nothing if it needs
// others.
std::optional<Polynomial> in_parameters(const std::optional<Polynomial>& number, const CallSite& site,
                                        const Signature& kernel) {
  if (!number || !number->grows() || number->constant()) return {};
  Polynomial renamed =
      number->renamed([&](const std::string& name) { return parameter_for(name, site, kernel); });
  for (const std::string& name : renamed.names())
    if (std::none_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const Parameter& one) { return one.name == name && !one.pointer; }) ||
        std::any_of(kernel.axes.begin(), kernel.axes.end(),
                    [&](const Axis& axis) { return axis.block_name == name; }))
      return {};
  return renamed;
}

}  // namespace

std::vector<Launch> launches_in(const Node& body) {
  Launches all(body.begin);
  all.walk(body);
  return std::move(all.found);
}

void take_launch(const CallSite& site, Signature* kernel) {
  kernel->launched_shared = in_parameters(site.shared, site, *kernel);
  kernel->launch_loop = site.loop;
  for (std::size_t i = 0; i < 3; ++i) {
    Axis& axis = kernel->axes[i];
    const std::optional<Polynomial>& blocks = site.blocks[i];
    axis.launched = site.threads[i];
    axis.launched_blocks = {};
    const bool single = blocks && blocks->constant() == 1 && axis.launched == 1;
    if (blocks && blocks->grows() && (single || !blocks->constant()))
      axis.launched_blocks =
          blocks->renamed([&](const std::string& name) { return parameter_for(name, site, *kernel); });
  }
}

}  // namespace sextant::own
