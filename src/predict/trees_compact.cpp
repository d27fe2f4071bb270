// The compact file format of trees. Numbers are little-endian. Counts are variable-length integers with seven
// bits per byte; a set highest bit means that more bytes follow.
//
//   "sextant trees 1\n"
//   count of features; for each: name, lowest and highest value (float)
//   count of ensembles; for each: option, target, term (names), base (float), count of trees
//     for each tree: its nodes in preorder
//   checksum (8 bytes): FNV-1a of all previous bytes
//
// A name is its length and its bytes. A node is a count and its threshold or value (float). The count is 0
// for a leaf and 1 + 2 × feature + (1 if missing values go left) for a split.
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "predict/named.hpp"
#include "predict/trees_forms.hpp"

namespace sextant::predict {
namespace {

static_assert(std::endian::native == std::endian::little, "floats are written as they lie in memory");

std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char byte : bytes) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
  return hash;
}

class CompactWriter {
 public:
  void count(std::size_t value) {
    for (; value >= 0x80; value >>= 7) text_.push_back(static_cast<char>(value | 0x80));
    text_.push_back(static_cast<char>(value));
  }
  void name(std::string_view value) {
    count(value.size());
    text_ += value;
  }
  template <typename T>
  void raw(T value) {
    std::array<char, sizeof(T)> bytes;
    std::memcpy(bytes.data(), &value, sizeof(T));
    text_.append(bytes.data(), bytes.size());
  }
  void text(std::string_view value) { text_ += value; }
  const std::string& written() const { return text_; }

 private:
  std::string text_;
};

class CompactReader {
 public:
  CompactReader(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  [[noreturn]] void damaged(const std::string& what) const {
    throw UserError(where_ + " is damaged: " + what);
  }
  std::string_view take(std::size_t size) {
    if (size > bytes_.size()) damaged("the file ends too early");
    const std::string_view taken = bytes_.substr(0, size);
    bytes_.remove_prefix(size);
    return taken;
  }
  std::size_t count(std::size_t most) {
    std::size_t value = 0;
    for (unsigned shift = 0; shift < 28; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= static_cast<std::size_t>(byte & 0x7f) << shift;
      if (byte < 0x80 && value <= most) return value;
      if (byte < 0x80) break;
    }
    damaged("a count is above " + std::to_string(most));
  }
  std::string name() { return std::string(take(count(200))); }
  float number() {
    float value = 0;
    std::memcpy(&value, take(sizeof(value)).data(), sizeof(value));
    return value;
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
  const std::string& where_;
};

template <typename All>
typename All::value_type read_named(CompactReader& reader, const All& all) {
  const std::string name = reader.name();
  const auto found = find_named(all, name);
  if (!found) reader.damaged("`" + name + "` is not a name that this program knows");
  return *found;
}

// Reads the nodes of one tree from preorder. The stack `waiting` holds the splits that lack their right
// subtree.
std::vector<TreeNode> read_tree(CompactReader& reader) {
  std::vector<TreeNode> nodes;
  std::vector<std::size_t> waiting;
  for (;;) {
    const std::size_t tag = reader.count(2 * Ensemble::most_features);
    const int own = static_cast<int>(nodes.size());
    nodes.push_back(
        {tag ? static_cast<int>((tag - 1) / 2) : -1, reader.number(), -1, -1, tag && (tag - 1) % 2});
    if (tag) {
      nodes.back().left = own + 1;
      waiting.push_back(nodes.size() - 1);
      if (waiting.size() > Ensemble::most_depth) reader.damaged("a tree is too deep");
    } else if (waiting.empty()) {
      return nodes;
    } else {
      nodes[waiting.back()].right = own + 1;
      waiting.pop_back();
    }
  }
}

}  // namespace

std::string Trees::compact() const {
  CompactWriter to;
  to.text(compact_magic);
  to.text(compact_version);
  to.count(features_.size());
  for (const Feature& feature : features_) {
    to.name(feature.name);
    to.raw(feature.low);
    to.raw(feature.high);
  }
  to.count(entries_.size());
  for (const Entry& entry : entries_) {
    to.name(name_of(entry.option));
    to.name(name_of(entry.target));
    to.name(name_of(entry.term));
    to.raw(entry.ensemble.base());
    to.count(entry.ensemble.trees());
    for (std::size_t tree = 0; tree < entry.ensemble.trees(); ++tree)
      for (const TreeNode& node : entry.ensemble.preorder(tree)) {
        to.count(node.feature < 0 ? 0 : 1 + 2 * static_cast<std::size_t>(node.feature) + node.missing_left);
        to.raw(node.value);
      }
  }
  to.raw(fnv1a(to.written()));
  return to.written();
}

Trees read_compact_trees(std::string_view bytes, const std::string& where) {
  const std::size_t head = compact_magic.size() + compact_version.size();
  std::uint64_t sum = 0;
  if (bytes.size() < head + sizeof(sum)) throw UserError(where + " is damaged: the file ends too early");
  if (bytes.substr(compact_magic.size(), compact_version.size()) != compact_version)
    throw UserError(where +
                    " has a version that this program does not read. It reads version 1 of decision trees");
  std::memcpy(&sum, bytes.data() + bytes.size() - sizeof(sum), sizeof(sum));
  bytes.remove_suffix(sizeof(sum));
  if (fnv1a(bytes) != sum) throw UserError(where + " is damaged, because its checksum does not match");
  CompactReader reader(bytes.substr(head), where);
  std::vector<Feature> features(reader.count(Ensemble::most_features));
  for (Feature& feature : features) {
    feature.name = reader.name();
    feature.low = reader.number();
    feature.high = reader.number();
  }
  Trees trees(std::move(features));
  for (std::size_t left = reader.count(1000); left > 0; --left) {
    const Option option = read_named(reader, all_options);
    const Target target = read_named(reader, all_targets);
    const Term term = read_named(reader, all_terms);
    Ensemble ensemble(reader.number(), where);
    const std::size_t count = reader.count(Ensemble::most_trees);
    for (std::size_t tree = 0; tree < count; ++tree)
      ensemble.add(read_tree(reader), trees.features().size(), where + ": tree " + std::to_string(tree));
    trees.add({option, target, term, std::move(ensemble)});
  }
  if (!reader.at_end()) reader.damaged("the file continues after its last tree");
  return trees;
}

}  // namespace sextant::predict
