#include "own/draft/array_uses.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <utility>

#include "own/draft/array_pointers.hpp"
#include "own/draft/array_writes.hpp"
#include "own/draft/binary_search.hpp"
#include "own/draft/loop_nest.hpp"
#include "own/draft/ranges.hpp"
#include "own/draft/set_elements.hpp"
#include "own/draft/swaps.hpp"
#include "own/draft/thread_items.hpp"

namespace sextant::own {
namespace {

Range at_begin() { return exactly(Polynomial(0)); }

class Uses : private ArrayPointers {
 public:
  Uses(const std::vector<unsigned>& places, const Helpers& helpers, Signature* function)
      : ArrayPointers(Ranges(function, &helpers)),
        function_(function),
        helpers_(helpers),
        nest_(function),
        writes_(function) {
    for (std::size_t i = 0; i < function->parameters.size(); ++i) {
      const Parameter& one = function->parameters[i];
      if (one.pointer)
        arrays_[places[i]] = {i, Polynomial(0)};
      else
        ranges_.set(places[i], exactly(Polynomial::of(one.name)));
    }
    for (std::size_t i = 0; i < function->templates.size(); ++i) {
      if (function->templates[i].is_type) continue;
      Range number = exactly(Polynomial::of(function->templates[i].name));
      number.size = {true, true, true};  // a template constant that multiplies blockIdx is the block size
      ranges_.set(places[function->parameters.size() + i], number);
    }
  }

  void walk(const Node& node) {
    switch (node.kind) {
      case Node::Kind::declaration:
        return declare(node);
      case Node::Kind::binary:
        note_element(node);
        if (node.text == "=") return assign(node, false);
        // A difference of pointers accesses no element.
        if (node.text == "-" && alias_of(node.children[1])) return walk(node.children[0]);
        // The second operand of && is evaluated only if the first is true. The second operand of || is
        // evaluated only if the first is false.
        if (node.text == "&&" || node.text == "||") {
          walk(node.children[0]);
          return within(node.children[0], node.text == "&&", node.children[1]);
        }
        break;
      case Node::Kind::compound:
        note_element(node);
        return assign(node, true);
      case Node::Kind::unary:
        if (is_step(node)) set_.forget(node.children[0].declared), ranges_.forget(node.children[0].declared);
        if (is_step(node) && alias_of(node.children[0])) return static_cast<void>(pointer_of(node));
        if (is_step(node) || node.text == "&") return change(node.children[0], true);
        if (node.text == "*") return element(node.children[0], at_begin(), true, false);
        break;
      case Node::Kind::subscript:
        return element(node, true, false);
      case Node::Kind::member:  // an element access in the form p->x
        if (!node.children.empty() && alias_of(node.children[0]))
          return element(node.children[0], at_begin(), true, false);
        break;
      case Node::Kind::variable:
        return references_.contains(node.declared) ? element(node, at_begin(), true, false) : pass(node);
      case Node::Kind::call:
        if (changes_one(node)) return change_one(node);
        if (swaps(node)) return;
        if (searches(node)) return search(node);
        if (const Helper* helper = helper_of(node)) return call(node, *helper);
        if (writes_many(node)) return;
        break;
      case Node::Kind::branch:
        return branch(node);
      case Node::Kind::loop:
        set_.forget_changed(node);
        if (node.children.size() == 2) {
          note_search(node);
          carry(node.children[1]);
          move_pointers(node.children[1], {});
          walk(node.children[0]);
          return within(node.children[0], true, node.children[1]);
        }
        return count(node);
      default:
        break;
    }
    for (const Node& child : node.children) walk(child);
  }

  // Returns the pairs of arrays that the body swaps, as indices of parameters.
  const std::vector<std::pair<std::size_t, std::size_t>>& swapped() const { return swapped_; }
  bool adds_atomically() const { return adds_atomically_; }

  // Decides for each array that was read after it was written whether the read values are older than that.
  void finish() {
    for (const auto& [variable, array] : links_)
      function_->parameters[array].ends |= asked_.contains(variable);
    writes_.finish();
  }

 private:
  // A variable, such as a bool, that may tell whether an index is valid.
  struct Flag {
    std::size_t depth = 0;  // number of conditions around its declaration
    bool is_false = false;  // true if it was never set to anything but false
  };

  void declare(const Node& node) {
    nest_.declare(node.declared);
    if (!node.has_init) return;
    const Node& value = node.children[0];
    if (node.is_pointer)
      if (const std::optional<Alias> alias = pointer_of(value)) {
        arrays_[node.declared] = *alias;
        return walk_offsets(value);
      }
    if (node.is_reference) return refer(node.declared, value) ? void() : change(value, true);
    walk(value);
    ranges_.set(node.declared, searched(node.declared, ranges_.of(value)));
    flags_[node.declared] = {conditions_.size(), value.value == 0};
    if (!value.value) ranges_.set_flag(node.declared, parts_of(value));
  }

  void assign(const Node& node, bool reads) {
    const Node& left = node.children[0];
    if (left.kind == Node::Kind::variable) set_.forget(left.declared);
    if (references_.contains(left.declared)) return walk(node.children[1]), change(left, reads);
    if (left.kind == Node::Kind::variable && assign_pointer(node, reads))
      return walk_offsets(node.children[1]);
    walk(node.children[1]);
    nest_.note_sum(node, reads);
    const Node& value = node.children[1];
    note_link(left, value);
    const bool constant = value.value || (value.kind == Node::Kind::other && value.children.empty());
    scatters_ = reads ? function_->kernel : !constant;
    if (left.kind != Node::Kind::variable) change(left, reads);
    if (left.kind == Node::Kind::subscript) set_.add(left);
    scatters_ = false;
    if (left.kind != Node::Kind::variable) return;
    const std::vector<Fact> facts = facts_after(node, reads);
    if (reads)
      ranges_.forget(left.declared);
    else if (assigned_.insert(left.declared).second)
      ranges_.set(left.declared, searched(left.declared, ranges_.of(node.children[1])));
    else if (searched_.contains(left.declared))
      ranges_.set(left.declared, searched(left.declared, {}));
    else
      ranges_.forget(left.declared);
    ranges_.set_flag(left.declared, facts);
  }

  // Records that a variable refers to an array element or a member of it. Returns false for other values.
  bool refer(unsigned declared, const Node& value) {
    if (value.kind == Node::Kind::member && value.children.size() == 1)
      return refer(declared, value.children[0]);
    const bool is_element = value.kind == Node::Kind::subscript;
    const bool is_target = value.kind == Node::Kind::unary && value.text == "*";
    if (!is_element && !is_target && !references_.contains(value.declared)) return false;
    std::optional<Alias> alias = pointer_of(is_target || is_element ? value.children[0] : value);
    if (!alias) return false;
    if (is_element) element(value, false, false), alias = moved(alias, value.children[1]);
    arrays_[declared] = *alias;
    references_.insert(declared);
    return true;
  }

  // Records that elements of an array are indices of next elements: j = next[j].
  void note_link(const Node& left, const Node& value) {
    if (left.kind != Node::Kind::variable || value.kind != Node::Kind::subscript ||
        !mentions(value.children[1], left.declared))
      return;
    if (const std::optional<Alias> array = pointer_of(value.children[0])) {
      function_->parameters[array->parameter].links = true;
      links_.emplace_back(left.declared, array->parameter);
    }
  }

  // Handles an assignment to a pointer variable. Returns false if `node` assigns no pointer. `moves` is true
  // for an assignment such as p += n.
  bool assign_pointer(const Node& node, bool moves) {
    const Node& left = node.children[0];
    const Alias* known = alias_of(left);
    if (known && moves) {
      if (node.text == "+=") arrays_[left.declared] = *moved(*known, node.children[1]);
      return true;
    }
    const std::optional<Alias> given = moves ? std::nullopt : pointer_of(node.children[1]);
    if (!known && !given) return false;
    Alias& alias = arrays_[left.declared];
    // After an assignment inside a branch, the pointer may still have its old value. Its offset is then
    // unknown.
    const bool certain = given && (!known || conditions_.empty());
    alias = given && certain ? *given : Alias{alias.parameter, std::nullopt};
    return true;
  }

  // Visits the index expressions inside a pointer expression. The array elements themselves are not accessed.
  void walk_offsets(const Node& node) {
    if (alias_of(node) || (is_step(node) && alias_of(node.children[0]))) return;
    const bool is_address = node.kind == Node::Kind::unary && node.text == "&";
    const bool is_sum = node.kind == Node::Kind::binary && (node.text == "+" || node.text == "-");
    const bool is_cast = node.kind == Node::Kind::other && node.children.size() == 1;
    if (!is_address && !is_sum && !is_cast) return walk(node);
    for (const Node& child : is_address ? node.children[0].children : node.children) walk_offsets(child);
  }

  // Returns the conditions that hold if `value` is true: its operands if it joins them by &&, else `value`
  // itself.
  static std::vector<Fact> parts_of(const Node& value) {
    if (value.kind != Node::Kind::binary || value.text != "&&") return {{&value, true}};
    std::vector<Fact> facts = parts_of(value.children[0]);
    for (const Fact& one : parts_of(value.children[1])) facts.push_back(one);
    return facts;
  }

  // Returns the conditions that hold if the assigned variable is true after the assignment. `combines` is
  // true for compound assignments such as &=.
  std::vector<Fact> facts_after(const Node& node, bool combines) {
    const unsigned variable = node.children[0].declared;
    const Node& value = node.children[1];
    const std::vector<Fact> before = ranges_.facts_of(variable);
    Flag& flag = flags_[variable];
    const bool was_false = std::exchange(flag.is_false, flag.is_false && value.value == 0);
    const std::size_t around = conditions_.size() - std::min(conditions_.size(), flag.depth);
    std::vector<Fact> facts;
    if (!combines && value.value == 0) {
      // The variable is true afterwards only if this branch was not taken. So the branch's condition was
      // false.
      facts = before;
      if (around == 1) facts.emplace_back(conditions_.back().first, !conditions_.back().second);
    } else if (value.value && !combines) {
      if (was_false) facts.assign(conditions_.end() - static_cast<std::ptrdiff_t>(around), conditions_.end());
    } else if (around == 0 && (!combines || node.text == "&=")) {
      facts = parts_of(value);
      const bool keeps = combines || std::any_of(facts.begin(), facts.end(), [&](const Fact& one) {
                           return one.first->kind == Node::Kind::variable && one.first->declared == variable;
                         });
      if (keeps) facts.insert(facts.end(), before.begin(), before.end());
    }
    return facts;
  }

  // Records that an element is written and, if `reads` is true, also read.
  void change(const Node& node, bool reads) {
    if (node.kind == Node::Kind::subscript) return element(node, reads, true);
    if (references_.contains(node.declared)) return element(node, at_begin(), reads, true);
    if (node.kind == Node::Kind::member && node.children.size() == 1 && alias_of(node.children[0]))
      return element(node.children[0], at_begin(), reads, true);
    if (node.kind == Node::Kind::member && node.children.size() == 1) return change(node.children[0], reads);
    if (node.kind == Node::Kind::unary && node.text == "*")
      return element(node.children[0], at_begin(), reads, true);
    walk(node);
  }

  void element(const Node& node, bool reads, bool writes) {
    const Range index = ranges_.of(node.children[1]);
    walk(node.children[1]);
    note_shared(node.children[0].elements, index);
    element(node.children[0], index, reads && !set_.has(node), writes);
  }

  // Records that all threads index an array of the kernel's own by their place in the block. Other sizes than
  // powers of two have a rim, or a column against bank conflicts.
  void note_shared(long long elements, const Range& index) {
    if (elements > 1 && std::has_single_bit(static_cast<unsigned long long>(elements - 1))) --elements;
    if (elements < 2 || !std::has_single_bit(static_cast<unsigned long long>(elements))) return;
    for (std::size_t i = 0; i < 3; ++i)
      if (Axis& axis = function_->axes[i]; index.thread[i] && !axis.of_block)
        axis.shared_size =
            axis.shared_size == 0 ? elements : std::min<std::int64_t>(axis.shared_size, elements);
  }

  void element(const Node& array, const Range& index, bool reads, bool writes) {
    const std::optional<Alias> alias = pointer_of(array);
    if (!alias) return walk(array);
    Parameter& parameter = function_->parameters[alias->parameter];
    if (reads) writes_.read(alias->parameter, nest_.end());
    parameter.written = parameter.written || writes;
    for_arrays(index.remainder_of, [](Parameter& of) { of.remainder = true; });
    for (const unsigned chooser : index.of_arrays)
      if (const auto found = arrays_.find(chooser); found != arrays_.end())
        add(&parameter.chosen_by, Chooser{function_->parameters[found->second.parameter].name, index.factor,
                                          index.rest, writes && scatters_});
    if (const auto rows = arrays_.find(index.rows); index.rows > 0 && rows != arrays_.end())
      add(&function_->parameters[rows->second.parameter].rows_of, parameter.name);
    if (index.high && alias->begin && !is_chosen(index)) {
      add(&parameter.lengths, *alias->begin + *index.high + Polynomial(1));
      if (writes && all_)
        writes_.write(alias->parameter, alias->low + index.low, *alias->begin + *index.high, nest_.end());
    } else {
      parameter.has_unknown = true;
      if (alias->slot_end) add(&parameter.lengths, *alias->slot_end);
    }
  }

  // Returns true if whole numbers of an array decide the index. An index that is computed from real numbers
  // has the bounds of its conditions.
  bool is_chosen(const Range& index) const {
    return std::any_of(index.of_arrays.begin(), index.of_arrays.end(), [&](unsigned declared) {
      const auto found = arrays_.find(declared);
      if (found == arrays_.end()) return true;
      const std::string& type = function_->parameters[found->second.parameter].type;
      return type.find("float") == std::string::npos && type.find("double") == std::string::npos;
    });
  }

  template <typename Value>
  static void add(std::vector<Value>* values, const Value& value) {
    if (std::find(values->begin(), values->end(), value) == values->end()) values->push_back(value);
  }

  // Records what an operation says of the elements of an array: it divides by them, or compares them
  // with a parameter or with zero.
  void note_element(const Node& node) {
    const Node &left = node.children[0], &right = node.children[1];
    if ((node.text == "/" || node.text == "/=") && (right.real || right.is_struct) &&
        is_sum_of_products(right))
      for_arrays(ranges_.of(right).of_arrays, [](Parameter& one) { one.divides = true; });
    if (left.real || right.real) return;
    if ((node.text == "/" || node.text == "%") && ranges_.of(left).of_arrays.empty()) divide_by(left, right);
    if (node.text.starts_with("<") || node.text.starts_with(">")) compare(left, right), compare(right, left);
    const bool asks = (right.value == 0 && (node.text == ">=" || node.text == "<")) ||
                      (right.value == -1 && (node.text == "!=" || node.text == "==" || node.text == ">"));
    if (!asks) return;
    for_arrays(ranges_.of(left).of_arrays, [](Parameter& one) { one.negative = true; });
    asked_.insert(left.declared);
  }

  void divide_by(const Node& number, const Node& by) {
    const std::optional<Polynomial> most = ranges_.of(number).high;
    for (Parameter& one : function_->parameters) {
      if (by.kind != Node::Kind::variable || one.name != by.name || one.pointer) continue;
      one.divisor = true;
      one.block = one.block || (most && most->grows_with(by.name) && most->degree() == 1);
    }
  }

  // Calls `use` for the parameters to which declarations of arrays refer.
  template <typename Use>
  void for_arrays(const std::vector<unsigned>& declared, const Use& use) {
    for (const unsigned array : declared)
      if (const auto found = arrays_.find(array); found != arrays_.end())
        use(function_->parameters[found->second.parameter]);
  }

  // Returns true for elements of arrays and for sums and products of them, which are positive if they are.
  bool is_sum_of_products(const Node& node) {
    if (node.kind == Node::Kind::binary)
      return (node.text == "+" || node.text == "*") && is_sum_of_products(node.children[0]) &&
             is_sum_of_products(node.children[1]);
    const Range range = ranges_.of(node);
    return range.of_arrays.empty() || range.element || node.is_struct || node.kind == Node::Kind::member;
  }

  void compare(const Node& element, const Node& number) {
    if (number.kind != Node::Kind::variable) return;
    for (Parameter& one : function_->parameters)
      if (!one.pointer && one.name == number.name &&
          (one.type.find("int") != std::string::npos || one.type.find("long") != std::string::npos))
        for_arrays(ranges_.of(element).of_arrays,
                   [&](const Parameter& array) { one.compared_to = array.type; });
  }

  // Visits a loop with a header.
  void count(const Node& loop) {
    const auto [a, b] = swapped_in(loop.children.back());
    if (arrays_.contains(a) && arrays_.contains(b) && a != b)
      swapped_.emplace_back(arrays_.at(a).parameter, arrays_.at(b).parameter);
    const SetElements before = set_;
    const bool all = all_;
    carry(loop.children.back());
    for (const Node& child : loop.children) {
      if (&child == &loop.children.back()) {
        const std::optional<LoopSpan> span = ranges_.enter(loop);
        move_pointers(child, span);
        nest_.enter(loop, span);
      }
      walk(child);
    }
    nest_.leave();
    set_ = before;
    if (!returns(loop)) all_ = all;  // `continue` leaves only an iteration
  }

  static bool returns(const Node& node) {
    return (node.kind == Node::Kind::leave && node.text != "continue") ||
           std::any_of(node.children.begin(), node.children.end(), returns);
  }

  // Sets the ranges of variables that a loop's body changes, at the begin of an iteration. A variable that
  // the body sets to an array element may have such a value.
  void carry(const Node& body) {
    ranges_.forget_changed(body);
    set_elements(body);
  }

  void set_elements(const Node& node) {
    const bool sets =
        node.kind == Node::Kind::binary && node.text == "=" &&
        node.children[0].kind == Node::Kind::variable && node.children[1].kind == Node::Kind::subscript &&
        alias_of(node.children[1].children[0]) && mentions(node.children[1], node.children[0].declared);
    if (sets)
      ranges_.set(node.children[0].declared,
                  either(ranges_.of(node.children[0]), ranges_.of(node.children[1])));
    for (const Node& child : node.children) set_elements(child);
  }

  // Records a call such as std::swap(a, b) of two arrays. Returns false for other calls.
  bool swaps(const Node& node) {
    if (!node.name.ends_with("swap") || node.children.size() != 3) return false;
    const Alias *a = alias_of(node.children[1]), *b = alias_of(node.children[2]);
    if (!a || !b) return false;
    swapped_.emplace_back(a->parameter, b->parameter);
    return true;
  }

  // Records a call that writes many elements: fill(p, p + n, x), fill_n(p, n, x), memset(p, 0, n * size) and
  // copy(q, q + n, p), memcpy(p, q, n * size). Returns false for other calls.
  bool writes_many(const Node& node) {
    const std::string name = node.name.substr(node.name.rfind(':') + 1);
    const bool copies = name == "copy" || name == "memcpy", by_end = name == "fill" || name == "copy";
    if (node.children.size() != 4 || (!copies && name != "fill" && name != "fill_n" && name != "memset"))
      return false;
    const Node &first = node.children[1], &second = node.children[2], &third = node.children[3];
    const std::optional<Alias> to = pointer_of(name == "copy" ? third : first);
    const std::optional<Alias> from = copies ? pointer_of(name == "copy" ? first : second) : std::nullopt;
    std::optional<Polynomial> count =
        by_end ? count_to(first, second) : count_of(name == "fill_n" ? second : third);
    for (const Node* one : {&first, &second, &third}) walk_offsets(*one);
    if (from) use_many(*from, count), writes_.read(from->parameter, nest_.end());
    if (!to) return true;
    use_many(*to, count);
    function_->parameters[to->parameter].written = true;
    if (!all_ || !count || !to->begin || !(to->low == Polynomial(0)) || !(*to->begin == to->low)) return true;
    writes_.write(to->parameter, Polynomial(0), *count - Polynomial(1), node.end);
    return true;
  }

  void use_many(const Alias& array, const std::optional<Polynomial>& count) {
    Parameter& parameter = function_->parameters[array.parameter];
    if (count && array.begin)
      add(&parameter.lengths, *array.begin + *count);
    else
      parameter.has_unknown = true;
  }

  // Returns a number of elements, without the factor for their size in bytes.
  std::optional<Polynomial> count_of(const Node& node) {
    const auto is_size = [](const Node& one) { return one.kind == Node::Kind::other && !one.value; };
    if (node.kind == Node::Kind::binary && node.text == "*")
      for (const std::size_t i : {0, 1})
        if (is_size(node.children[i])) return count_of(node.children[1 - i]);
    return ranges_.of(node).high;
  }

  // Returns true for a call such as std::lower_bound(begin, end, x) of an array.
  bool searches(const Node& node) {
    static const std::set<std::string> known = {"lower_bound", "upper_bound", "equal_range", "binary_search"};
    return known.contains(node.name.substr(node.name.rfind(':') + 1)) && node.children.size() > 3 &&
           pointer_of(node.children[1]);
  }

  void search(const Node& node) {
    const std::optional<Alias> from = pointer_of(node.children[1]), to = pointer_of(node.children[2]);
    Parameter& parameter = function_->parameters[from->parameter];
    parameter.read = parameter.sorted = true;
    if (to && to->begin)
      add(&parameter.lengths, *to->begin);
    else
      parameter.has_unknown = true;
    for (std::size_t i = 1; i < node.children.size(); ++i)
      i < 3 ? walk_offsets(node.children[i]) : walk(node.children[i]);
  }

  // Detects a binary search: a loop while (low < high) that compares the element at (low + high) / 2, and
  // moves `low` or `high` there.
  void note_search(const Node& loop) {
    const Node& condition = loop.children[0];
    if (condition.kind != Node::Kind::binary || !condition.text.starts_with("<")) return;
    const unsigned middle = middle_of_search(loop.children[1]);
    if (middle == 0) return;
    const std::optional<Polynomial> high = ranges_.of(condition.children[1]).high;
    searched_[middle] = high && condition.text == "<" ? std::optional(*high - Polynomial(1)) : high;
    mark_sorted(loop.children[1], middle);
  }

  void mark_sorted(const Node& node, unsigned middle) {
    if (node.kind == Node::Kind::subscript && mentions(node.children[1], middle))
      if (const std::optional<Alias> array = pointer_of(node.children[0]))
        function_->parameters[array->parameter].sorted = true;
    for (const Node& child : node.children) mark_sorted(child, middle);
  }

  // Returns the range of a variable. If it is the middle of a binary search, it stays within the searched
  // part.
  Range searched(unsigned declared, const Range& range) const {
    const auto found = searched_.find(declared);
    if (found == searched_.end() || !found->second) return range;
    Range within;
    within.high = found->second;
    return within;
  }

  // Returns the function of the file that a call names; null for a function that is being read already.
  const Helper* helper_of(const Node& node) const {
    constexpr std::size_t most_depth = 8;
    const Helper* found = helper_called(helpers_, node);
    const bool fits = found && found->signature.parameters.size() + 1 == node.children.size();
    const bool inside = std::find(called_.begin(), called_.end(), found) != called_.end();
    return fits && !inside && called_.size() < most_depth ? found : nullptr;
  }

  // Visits the body of a called function, whose parameters have the values of the arguments.
  void call(const Node& node, const Helper& helper) {
    const std::vector<Parameter>& parameters = helper.signature.parameters;
    std::vector<std::optional<Alias>> pointers;
    std::vector<Range> numbers;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      const Node& given = node.children[i + 1];
      pointers.push_back(parameters[i].pointer ? pointer_of(given) : std::nullopt);
      numbers.push_back(parameters[i].pointer ? Range{} : ranges_.of(given));
      if (parameters[i].unfit == "a reference" && refer(helper.places[i], given)) continue;
      pointers[i] ? walk_offsets(given) : walk(given);
    }
    const Ranges outside = ranges_;
    const std::set<unsigned> assigned = assigned_;
    const SetElements before = set_;
    const bool all = all_;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (references_.contains(helper.places[i])) continue;
      arrays_.erase(helper.places[i]);
      if (pointers[i])
        arrays_[helper.places[i]] = *pointers[i];
      else
        ranges_.set(helper.places[i], numbers[i]);
    }
    called_.push_back(&helper);
    walk(helper.body);
    called_.pop_back();
    for (const unsigned place : helper.places) references_.erase(place);
    ranges_ = outside;
    assigned_ = assigned;
    set_ = before;
    all_ = all;
    for (std::size_t i = 0; i < parameters.size(); ++i)
      if (parameters[i].unfit == "a reference") ranges_.forget(node.children[i + 1].declared);
  }

  // Records that an array is passed to a function. The function may then read and write any element.
  void pass(const Node& node) {
    const Alias* alias = alias_of(node);
    if (!alias) return;
    Parameter& parameter = function_->parameters[alias->parameter];
    parameter.read = true;
    parameter.written = parameter.written || !parameter.is_const;
    parameter.has_unknown = true;
  }

  // Returns true for a call such as atomicAdd(sum, x), which changes only the element to which its first
  // argument points.
  bool changes_one(const Node& call) {
    return call.name.starts_with("atomic") && call.children.size() > 1 && pointer_of(call.children[1]);
  }

  void change_one(const Node& call) {
    adds_atomically_ = adds_atomically_ || (call.name.starts_with("atomicAdd") && call.real);
    walk_offsets(call.children[1]);
    const Node& at = call.children[1];
    if (at.kind == Node::Kind::unary && at.text == "&")
      change(at.children[0], true);
    else
      element(at, at_begin(), true, true);
    for (std::size_t i = 2; i < call.children.size(); ++i) walk(call.children[i]);
  }

  void branch(const Node& node) {
    if (node.children.size() < 2) return;
    walk(node.children[0]);
    const Node& then = node.children[1];
    const bool leaves =
        then.kind == Node::Kind::leave || (then.kind == Node::Kind::other && then.children.size() == 1 &&
                                           then.children[0].kind == Node::Kind::leave);
    if (leaves) {
      walk(then);
      all_ = all_ && is_end(node.children[0], false);
      return ranges_.learn(node.children[0], false);
    }
    if (node.children.size() == 2) return may_run(node.children[0], then);
    within(node.children[0], true, then);
    if (node.children.size() > 2) within(node.children[0], false, node.children[2]);
  }

  // Returns true if the condition limits indices only from above. `holds` tells whether it is true or false.
  bool is_end(const Node& condition, bool holds) const {
    if (condition.kind == Node::Kind::unary && condition.text == "!")
      return is_end(condition.children[0], !holds);
    if (condition.kind == Node::Kind::variable && holds) {
      const std::vector<Fact>& facts = ranges_.facts_of(condition.declared);
      return !facts.empty() && std::all_of(facts.begin(), facts.end(),
                                           [&](const Fact& one) { return is_end(*one.first, one.second); });
    }
    if (condition.kind != Node::Kind::binary) return false;
    if (condition.text == (holds ? "&&" : "||"))
      return is_end(condition.children[0], holds) && is_end(condition.children[1], holds);
    const bool plain = condition.children[0].kind == Node::Kind::variable ||
                       condition.children[0].kind == Node::Kind::binary;
    return plain && (holds ? condition.text == "<" : condition.text == ">=");
  }

  // Visits a statement without `else`. A variable that it changes has the new value behind it, or the old one
  // where the condition is false.
  void may_run(const Node& condition, const Node& then) {
    Ranges skipped = ranges_;
    skipped.learn(condition, false);
    Ranges run = ranges_;
    within(condition, true, then, &run);
    join_changed(then, run, skipped);
  }

  void join_changed(const Node& node, Ranges& run, Ranges& skipped) {
    if (changes(node) && node.children[0].kind == Node::Kind::variable && !alias_of(node.children[0])) {
      const Range both = either(run.of(node.children[0]), skipped.of(node.children[0]));
      if (both.high) ranges_.set(node.children[0].declared, both);
    }
    for (const Node& child : node.children) join_changed(child, run, skipped);
  }

  // Visits the statement `part`, which runs only if the condition has the value `holds`.
  // Stores the ranges at its end in `after`, unless that is null.
  void within(const Node& condition, bool holds, const Node& part, Ranges* after = nullptr) {
    const Ranges outside = ranges_;
    const SetElements before = set_;
    const bool all = all_;
    all_ = all_ && is_end(condition, holds);
    ranges_.learn(condition, holds);
    conditions_.emplace_back(&condition, holds);
    walk(part);
    conditions_.pop_back();
    set_ = before;
    set_.forget_changed(part);
    const Ranges inside = std::exchange(ranges_, outside);
    if (after) *after = inside;
    for (const auto& [declared, flag] : flags_) ranges_.set_flag(declared, inside.facts_of(declared));
    all_ = all;
  }

  Signature* function_;
  const Helpers& helpers_;
  std::set<unsigned> assigned_;
  std::set<unsigned> asked_;  // variables that the function compares with a negative number
  std::vector<std::pair<unsigned, std::size_t>> links_;  // variables that follow the links of an array
  SetElements set_;
  std::vector<const Helper*> called_;  // functions whose calls contain the code being read
  std::vector<Fact> conditions_;       // the conditions under which the code being read runs
  std::map<unsigned, Flag> flags_;
  // false while the code being read runs only for some of the indices below their bound
  bool all_ = true;
  bool scatters_ = false;  // true while the target of an assignment of different values is being read
  bool adds_atomically_ = false;
  LoopNest nest_;  // the loops around the code being read
  // Maps the variable that halves the searched part of an array to its upper bound.
  std::map<unsigned, std::optional<Polynomial>> searched_;
  std::vector<std::pair<std::size_t, std::size_t>> swapped_;
  ArrayWrites writes_;
};

// Makes two arrays equal that are swapped: each is used as the other is.
void make_equal(Parameter* a, Parameter* b) {
  for (const auto& [to, from] : {std::pair(a, b), std::pair(b, a)}) {
    to->read = to->read || from->read, to->written = to->written || from->written;
    to->has_unknown = to->has_unknown || from->has_unknown;
    to->lengths.insert(to->lengths.end(), from->lengths.begin(), from->lengths.end());
  }
  a->read = b->read = a->read || a->written;
  a->whole.clear(), b->whole.clear();
}

}  // namespace

void read_uses(const Node& body, const std::vector<unsigned>& places, const Helpers& helpers,
               Signature* function) {
  Uses uses(places, helpers, function);
  uses.walk(body);
  uses.finish();
  for (const auto& [a, b] : uses.swapped()) make_equal(&function->parameters[a], &function->parameters[b]);
  count_items(function);
  multiply_threads(function, uses.adds_atomically());
}

}  // namespace sextant::own
