#include "own/draft/returned_range.hpp"

#include <algorithm>

namespace sextant::own {
namespace {

class CalledBody {
 public:
  explicit CalledBody(Ranges ranges) : ranges_(std::move(ranges)) {}

  void walk(const Node& node) {
    switch (node.kind) {
      case Node::Kind::declaration:
        if (node.has_init) ranges_.set(node.declared, ranges_.of(node.children[0]));
        return;
      case Node::Kind::binary:
        if (node.text != "=" || node.children[0].kind != Node::Kind::variable) return;
        if (certain_) return ranges_.set(node.children[0].declared, ranges_.of(node.children[1]));
        return ranges_.forget(node.children[0].declared);
      case Node::Kind::compound:
      case Node::Kind::unary:
        if (node.kind == Node::Kind::compound || node.text == "++" || node.text == "--")
          ranges_.forget(node.children[0].declared);
        return;
      case Node::Kind::branch:
        return branch(node);
      case Node::Kind::leave:
        if (!node.children.empty()) add(ranges_.of(node.children[0]));
        return;
      case Node::Kind::loop:
        certain_ = false;
        ranges_.forget_changed(node);
        break;
      default:
        break;
    }
    for (const Node& child : node.children) walk(child);
  }

  std::optional<Range> returned;

 private:
  void branch(const Node& node) {
    if (node.children.size() < 2) return;
    const bool was_certain = certain_;
    certain_ = false;
    const Ranges outside = ranges_;
    for (std::size_t i = 1; i < node.children.size(); ++i) {
      ranges_ = outside;
      ranges_.learn(node.children[0], i == 1);
      walk(node.children[i]);
    }
    ranges_ = outside;
    for (std::size_t i = 1; i < node.children.size(); ++i) ranges_.forget_changed(node.children[i]);
    if (leaves(node.children[1])) ranges_.learn(node.children[0], false);
    certain_ = was_certain;
  }

  static bool leaves(const Node& node) {
    return node.kind == Node::Kind::leave || (!node.children.empty() && node.kind == Node::Kind::other &&
                                              node.children.back().kind == Node::Kind::leave);
  }

  void add(const Range& range) { returned = returned ? either(*returned, range) : range; }

  Ranges ranges_;
  bool certain_ = true;  // true if the code being read runs whenever the function is called
};

}  // namespace

std::optional<Range> returned_range(const Helper& helper, const std::vector<Range>& given, Ranges at) {
  for (std::size_t i = 0; i < given.size() && i < helper.places.size(); ++i)
    at.set(helper.places[i], given[i]);
  CalledBody body(std::move(at));
  body.walk(helper.body);
  return body.returned;
}

}  // namespace sextant::own
