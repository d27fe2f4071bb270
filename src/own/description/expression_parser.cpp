// Recursive-descent parser that converts the text of an expression to a tree of nodes.
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "base/error.hpp"
#include "base/join.hpp"
#include "base/nearest.hpp"
#include "own/description/expression.hpp"

namespace sextant::own {
namespace {

constexpr std::size_t longest = 4096;  // longest expression that is accepted, in characters
constexpr int deepest = 200;           // maximum nesting depth of brackets and prefix operators

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string names_known(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names, " ");
}

}  // namespace

class ExpressionParser {
 public:
  using Op = Expression::Op;

  ExpressionParser(Expression* to, const std::vector<std::string>& names, Dialect dialect)
      : to_(*to), text_(to->text_), names_(names), python_(dialect == Dialect::python) {}

  void parse() {
    if (text_.size() > longest) to_.fail(0, "the expression is longer than 4096 characters");
    const int root = choice();
    skip();
    if (at_ < text_.size()) unexpected();
    if (root + 1 != static_cast<int>(to_.nodes_.size())) {  // the last node must be the root
      const Expression::Node copy = to_.nodes_[static_cast<std::size_t>(root)];
      to_.nodes_.push_back(copy);
    }
  }

 private:
  struct Spelling {
    const char* text;
    Op op;
  };
  struct Function {
    const char* name;
    Op op;
    int least, most;  // minimum and maximum number of arguments
  };
  struct Deeper {
    explicit Deeper(ExpressionParser& parser) : parser_(parser) {
      if (++parser_.depth_ > deepest) parser_.fail("the brackets are nested too deeply");
    }
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
    ExpressionParser& parser_;
  };

  [[noreturn]] void fail(const std::string& message) const { to_.fail(static_cast<int>(at_), message); }
  [[noreturn]] void unexpected() const {
    if (at_ >= text_.size()) fail("the expression ends too early");
    const char c = text_[at_];
    if (c == '"' || c == '\'') fail("an expression cannot contain quoted text");
    if (c == '=') fail("a single = is not allowed. Write == to compare.");
    if (is_letter(c))
      fail("\"" + peek_word() +
           "\" follows without an operator. Write an operator before it, or end the expression.");
    fail(std::string("\"") + (c >= ' ' && c < 127 ? std::string(1, c) : "?") +
         "\" is not allowed in an expression");
  }

  void skip() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool accept(std::string_view token) {
    skip();
    if (text_.substr(at_, token.size()) != token) return false;
    last_ = static_cast<int>(at_);
    at_ += token.size();
    return true;
  }
  void expect(std::string_view token) {
    if (!accept(token)) {
      if (at_ >= text_.size()) fail("\"" + std::string(token) + "\" is missing at the end");
      unexpected();
    }
  }
  std::string peek_word() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]) || text_[end] == '.')) ++end;
    return std::string(text_.substr(at_, end - at_));
  }
  bool accept_word(std::string_view word) {
    skip();
    if (at_ >= text_.size() || !is_letter(text_[at_]) || peek_word() != word) return false;
    last_ = static_cast<int>(at_);
    at_ += word.size();
    return true;
  }

  int add(Op op, int place, int a = -1, int b = -1, int c = -1) {
    Expression::Node node;
    node.op = op;
    node.at = place;
    node.a = a, node.b = b, node.c = c;
    to_.nodes_.push_back(node);
    return static_cast<int>(to_.nodes_.size()) - 1;
  }
  int add_number(std::int64_t value, int place) {
    const int index = add(Op::number, place);
    Expression::Node& node = to_.nodes_.back();
    node.whole = value;
    node.real = static_cast<double>(value);
    return index;
  }

  int choice() {
    const Deeper deeper(*this);
    const int first = alternatives();
    if (accept("?")) {
      const int place = last_, yes = choice();
      expect(":");
      return add(Op::choose, place, first, yes, choice());
    }
    if (python_ && accept_word("if")) {
      const int place = last_, condition = alternatives();
      if (!accept_word("else")) fail("`else` is missing");
      return add(Op::choose, place, condition, first, choice());
    }
    return first;
  }

  int alternatives() {
    int left = conjunction();
    while (accept("||") || accept_word("or")) {
      const int place = last_;
      left = add(Op::logical_or, place, left, conjunction());
    }
    return left;
  }

  int conjunction() {
    int left = negation();
    while (accept("&&") || accept_word("and")) {
      const int place = last_;
      left = add(Op::logical_and, place, left, negation());
    }
    return left;
  }

  int negation() {
    const Deeper deeper(*this);
    if (!accept_word("not")) return comparison();
    const int place = last_;
    return add(Op::logical_not, place, negation());
  }

  // The chain a < b <= c means a < b and b <= c, so b is evaluated twice. Therefore b must not contain such a
  // chain. Otherwise the evaluation time would grow exponentially with the nesting depth.
  int comparison() {
    static constexpr std::array<Spelling, 6> all = {{{"==", Op::equal},
                                                     {"!=", Op::unequal},
                                                     {"<=", Op::less_equal},
                                                     {">=", Op::greater_equal},
                                                     {"<", Op::less},
                                                     {">", Op::greater}}};
    int first = node_count(), left = sum(), chain = -1;
    for (;;) {
      if (accept_word("in")) return chained(chain, one_of(left, first));
      if (accept_word("not")) {
        if (!accept_word("in")) fail("\"in\" is missing after \"not\"");
        const int place = last_;
        return chained(chain, add(Op::logical_not, place, one_of(left, first)));
      }
      const auto* found =
          std::find_if(all.begin(), all.end(), [&](const Spelling& one) { return accept(one.text); });
      if (found == all.end()) return chain < 0 ? left : chain;
      const int place = last_;
      if (chain >= 0) share(first);
      first = node_count();
      const int right = sum();
      chain = chained(chain, add(found->op, place, left, right));
      left = right;
    }
  }
  int node_count() const { return static_cast<int>(to_.nodes_.size()); }
  // Records that the nodes from index `first` on are evaluated twice. Fails if one of them already is.
  void share(int first) {
    if (first < shared_) fail("more than two comparisons stand in a chain. Join them with `and`.");
    shared_ = node_count();
  }
  int chained(int chain, int next) {
    return chain < 0 ? next
                     : add(Op::logical_and, to_.nodes_[static_cast<std::size_t>(next)].at, chain, next);
  }

  // Parses the list in `x in [1, 2, 3]`, after x has been parsed as node `left`. The nodes of x begin at
  // index `first`.
  int one_of(int left, int first) {
    const int place = last_;
    share(first);
    const bool square = accept("[");
    if (!square) expect("(");
    const std::string_view close = square ? "]" : ")";
    int all = -1;
    do {
      if (all >= 0 && accept(close)) return all;  // a trailing comma is allowed
      const int same = add(Op::equal, place, left, choice());
      all = all < 0 ? same : add(Op::logical_or, place, all, same);
    } while (accept(","));
    expect(close);
    return all;
  }

  int sum() {
    int left = product();
    for (;;) {
      const bool plus = accept("+");
      if (!plus && !accept("-")) return left;
      const int place = last_;
      left = add(plus ? Op::add : Op::subtract, place, left, product());
    }
  }

  int product() {
    int left = prefixed();
    for (;;) {
      skip();
      Op op{};
      if (text_.substr(at_, 2) == "**") return left;
      if (accept("//"))
        op = Op::floor_divide;
      else if (accept("/"))
        op = Op::divide;
      else if (accept("*"))
        op = Op::multiply;
      else if (accept("%"))
        op = python_ ? Op::modulo : Op::remainder;
      else
        return left;
      const int place = last_;
      left = add(op, place, left, prefixed());
    }
  }

  int prefixed() {
    const Deeper deeper(*this);
    skip();
    if (text_.substr(at_, 2) != "!=" && accept("!")) {
      const int place = last_;
      return add(Op::logical_not, place, prefixed());
    }
    if (accept("-")) {
      const int place = last_;
      return add(Op::negate, place, prefixed());
    }
    if (accept("+")) return prefixed();
    const int base = primary();
    if (!accept("**")) return base;
    const int place = last_;
    return add(Op::power, place, base, prefixed());
  }

  int primary() {
    skip();
    if (accept("(")) {
      const int inner = choice();
      expect(")");
      return inner;
    }
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    if (at_ < text_.size() && is_letter(text_[at_])) return word();
    unexpected();
  }

  int number() {
    const auto place = static_cast<int>(at_);
    const char *begin = text_.data() + at_, *end = text_.data() + text_.size();
    std::int64_t whole = 0;
    const auto [whole_end, whole_error] = std::from_chars(begin, end, whole);
    double real = 0;
    const auto [real_end, real_error] = std::from_chars(begin, end, real);
    if (real_error != std::errc()) fail("the number is out of range");
    at_ += static_cast<std::size_t>(real_end - begin);
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.'))
      fail("a number cannot end in \"" + std::string(1, text_[at_]) + "\"");
    const bool is_whole = whole_end == real_end;
    if (is_whole && whole_error != std::errc()) to_.fail(place, "a number exceeds 64 bits");
    const int index = add_number(is_whole ? whole : 0, place);
    to_.nodes_.back().real = real;
    to_.nodes_.back().is_whole = is_whole;
    return index;
  }

  int word() {
    const auto place = static_cast<int>(at_);
    std::string name = peek_word();
    at_ += name.size();
    if (accept("(")) return call(python_ && name.starts_with("math.") ? name.substr(5) : name, place);
    const auto known = std::find(names_.begin(), names_.end(), name);
    if (known != names_.end()) return add(Op::name, place, static_cast<int>(known - names_.begin()));
    if (name == "true" || name == "True") return add_number(1, place);
    if (name == "false" || name == "False") return add_number(0, place);
    throw UserError(to_.place_.right(place).prefix() + to_.what_ + " uses the unknown name \"" + name +
                    "\". Known names are " + names_known(names_) + "." + did_you_mean(name, names_));
  }

  int call(const std::string& name, int place) {
    static constexpr int any = 64;
    static constexpr std::array<Function, 12> all = {{{"min", Op::minimum, 1, any},
                                                      {"max", Op::maximum, 1, any},
                                                      {"ceil_div", Op::ceil_div, 2, 2},
                                                      {"pow2", Op::pow2, 1, 1},
                                                      {"log2", Op::log2, 1, 1},
                                                      {"sqrt", Op::sqrt, 1, 1},
                                                      {"cbrt", Op::cbrt, 1, 1},
                                                      {"abs", Op::absolute, 1, 1},
                                                      {"pow", Op::power, 2, 2},
                                                      {"ceil", Op::ceil, 1, 1},
                                                      {"floor", Op::floor, 1, 1},
                                                      {"int", Op::truncate, 1, 1}}};
    const std::size_t known = python_ ? all.size() : 9;
    const auto end = all.begin() + known;
    const auto found = std::find_if(all.begin(), end, [&](const Function& one) { return one.name == name; });
    if (found == end) {
      std::vector<std::string> names;
      for (auto one = all.begin(); one != end; ++one) names.emplace_back(one->name);
      to_.fail(place, "there is no function \"" + name + "\". The functions are " + names_known(names) + "." +
                          did_you_mean(name, names));
    }
    std::vector<int> arguments;
    if (!accept(")")) {
      do arguments.push_back(choice());
      while (accept(","));
      expect(")");
    }
    const auto count = static_cast<int>(arguments.size());
    if (count < found->least || count > found->most)
      to_.fail(place, name + " takes " +
                          (found->most == any ? "one argument or more" : std::to_string(found->least)) +
                          ", not " + std::to_string(count));
    if (count == 1)
      return found->op == Op::minimum || found->op == Op::maximum ? arguments[0]
                                                                  : add(found->op, place, arguments[0]);
    int value = arguments[0];
    for (std::size_t i = 1; i < arguments.size(); ++i) value = add(found->op, place, value, arguments[i]);
    return value;
  }

  Expression& to_;
  std::string_view text_;
  const std::vector<std::string>& names_;
  bool python_;
  std::size_t at_ = 0;
  int last_ = 0, depth_ = 0;  // offset of the last accepted token; current nesting depth
  int shared_ = 0;            // nodes with this index or a higher one are evaluated at most once
};

Expression::Expression(std::string_view text, const std::vector<std::string>& names, std::string what,
                       Place place, Dialect dialect)
    : text_(text), what_(std::move(what)), place_(std::move(place)), dialect_(dialect) {
  ExpressionParser(this, names, dialect).parse();
}

void Expression::fail(int at, const std::string& message) const {
  throw UserError(place_.right(at).prefix() + what_ + " (" + text_ + "): " + message);
}

}  // namespace sextant::own
