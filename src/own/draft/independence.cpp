#include "own/draft/independence.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace sextant::own {
namespace {

const std::set<std::string> statements = {"if",   "for",  "while", "switch",   "return",
                                          "else", "case", "do",    "continue", "sizeof"};
const std::set<std::string> not_understood = {"return", "break", "goto",  "throw", "static", "asm",  "new",
                                              "delete", "try",   "catch", "do",    "switch", "using"};
const std::set<std::string> types = {"float", "double", "int", "long", "unsigned", "size_t", "int64_t", "T"};
const std::set<std::string> functions = {"abs",  "fabs",  "sqrt", "cbrt", "exp", "log",   "sin",
                                         "cos",  "tan",   "tanh", "atan", "pow", "hypot", "floor",
                                         "ceil", "round", "fmin", "fmax", "min", "max",   "fma"};

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_known_function(std::string name) {
  if (name.ends_with("f") && functions.contains(name.substr(0, name.size() - 1))) name.pop_back();
  return functions.contains(name) || types.contains(name) || statements.contains(name);
}

// The parsed header of a loop of the form "for (int i = …; i < bound; ++i)".
struct Header {
  std::string variable, bound;  // loop variable, and first word of its bound (n for `i < n - 1`)
  bool from_zero = false;       // true if the loop starts at 0 or another constant
  std::size_t end = 0;          // token position after the closing bracket of the header
};

class Body {
 public:
  Body(const Tokens& tokens, const std::vector<Parameter>& parameters) : t_(tokens) {
    for (const Parameter& one : parameters) (one.pointer ? arrays_ : scalars_).insert(one.name);
  }

  Loop outermost() {
    std::size_t loops = 0, found = 0, depth = 0;
    for (std::size_t i = 1; i + 1 < t_.size(); ++i) {
      const std::string& text = t_[i].text;
      if (text == "{") ++depth;
      if (text == "}") --depth;
      if (depth > 0 || (text != "for" && text != "while" && text != "do")) continue;
      if (++loops == 1) found = i;
      if (text != "for") return {};
      i = statement_end(i) - 1;
    }
    if (loops != 1) return {};
    begin_ = found;
    end_ = statement_end(found);
    return {t_[found].at, dependence()};
  }

 private:
  const std::string& at(std::size_t i) const {
    static const std::string none;
    return i < t_.size() ? t_[i].text : none;
  }
  std::size_t statement_end(std::size_t i) const {
    if (at(i) == "{") return behind(t_, i, "{", "}");
    if (at(i) == "for" || at(i) == "if" || at(i) == "while") {
      const std::size_t end = statement_end(behind(t_, i + 1, "(", ")"));
      return at(end) == "else" ? statement_end(end + 1) : end;
    }
    while (i < t_.size() && at(i) != ";") i = at(i) == "(" ? behind(t_, i, "(", ")") : i + 1;
    return std::min(i + 1, t_.size());
  }

  // Parses the header of the loop whose `for` is token i. `variable` is empty if the loop does not count up
  // by one.
  Header header(std::size_t i) const {
    Header header;
    header.end = behind(t_, i + 1, "(", ")");
    std::size_t place = i + 2;
    while (is_word(at(place)) || at(place) == ":") ++place;  // skips the type and the name
    const std::string name = at(place - 1);
    if (at(place) != "=" || place < i + 4 || at(i + 2) == "float" || at(i + 2) == "double") return header;
    header.from_zero = is_number(at(place + 1)) && at(place + 2) == ";";
    while (place < header.end && at(place) != ";" && at(place) != ",") ++place;
    if (at(place) != ";" || at(place + 1) != name || at(place + 2) != "<") return header;
    std::size_t bound = place + 3;
    const bool includes = at(bound) == "=";
    if (includes) ++bound;
    std::size_t next = bound;
    while (next < header.end && at(next) != ";") {
      const std::string& text = at(next);
      if (!is_word_part(text[0]) && text != "+" && text != "-" && text != "*" && text != "/") return header;
      ++next;
    }
    const bool less =
        next == bound + 1 || (at(bound + 1) == "-" && next == bound + 3 && is_number(at(bound + 2)));
    if (less && !includes) header.bound = at(bound);
    const bool before = at(next + 1) == "+" && at(next + 2) == "+" && at(next + 3) == name,
               after = at(next + 1) == name && at(next + 2) == "+" && at(next + 3) == "+";
    if ((before || after) && next + 5 == header.end) header.variable = name;
    return header;
  }

  bool outside(const std::string& name) const {
    if (arrays_.contains(name) || scalars_.contains(name)) return true;
    return has(t_, 0, begin_, name.c_str()) || has(t_, end_, t_.size(), name.c_str());
  }

  std::string dependence() {
    const Header outer = header(begin_);
    if (outer.variable.empty()) return "its counter does not increase by one";
    loop_variable_ = outer.variable;
    first_ = outer.end;
    std::string why = refuse_words();
    if (why.empty()) why = refuse_declared();
    if (why.empty()) why = refuse_writes();
    return why.empty() ? refuse_places() : why;
  }

  std::string refuse_words() {
    for (std::size_t i = first_; i < end_; ++i) {
      const std::string& text = at(i);
      const bool value = is_word_part(at(i - 1)[0]) || at(i - 1) == ")" || at(i - 1) == "]";
      if (not_understood.contains(text)) return "`" + text + "` is in it";
      if (text == "(" && is_word(at(i - 1)) && !is_known_function(at(i - 1)))
        return "it calls `" + at(i - 1) + "`";
      if (text == "(" && at(i - 1) == ">" && is_call_of_template(i - 1)) return "it calls a template";
      if (text == "&" && at(i + 1) == "&")
        ++i;
      else if ((text == "*" || text == "&") && !value)
        return "it uses pointers";
      if (text == "-" && at(i + 1) == ">") return "it uses pointers";
      if (text == "[" && !is_word(at(i - 1))) return "it indexes an expression that is not a name";
      if (text == "[" && (at(i - 2) == "." || at(i - 2) == ">" || at(i - 2) == ":")) return "it uses members";
      if (arrays_.contains(text) && at(i + 1) != "[") return "`" + text + "` is used without an index";
    }
    return "";
  }
  // Returns true if the ">" at i ends the template arguments of a call, that is, if it is not part of a cast.
  bool is_call_of_template(std::size_t i) const {
    while (i > first_ && (is_word_part(at(i - 1)[0]) || at(i - 1) == ":" || at(i - 1) == "*" ||
                          at(i - 1) == "&" || at(i - 1) == ","))
      --i;
    return at(i - 1) == "<" && at(i - 2) != "static_cast";
  }

  // Records the names of variables that are declared in the loop. A declared name is one that follows a type.
  // Returns an error if a name has two meanings.
  std::string refuse_declared() {
    for (std::size_t i = first_ + 1; i < end_; ++i) {
      const std::string &before = at(i - 1), &name = at(i), &after = at(i + 1);
      if (!is_word(before) || !is_word(name) || statements.contains(before) || is_word(after)) continue;
      for (std::size_t place = i; place < end_; place = next_declared(place)) {
        const std::string& one = at(place);
        if (outside(one) || one == loop_variable_) return "`" + one + "` has two meanings";
        (at(place + 1) == "[" ? own_arrays_ : own_).insert(one);
        declared_.push_back(place);
      }
    }
    for (std::size_t i = first_; i < end_; ++i) {
      if (at(i) != "for") continue;
      const Header inner = header(i);
      if (inner.variable.empty() || !inner.from_zero || inner.bound.empty() || own_.contains(inner.bound) ||
          inner.bound == loop_variable_)
        continue;
      const auto [known, fresh] = bounds_.try_emplace(inner.variable, inner.bound);
      if (!fresh && known->second != inner.bound) known->second.clear();
      headers_.emplace_back(i, inner.end);
    }
    for (const std::size_t place : declared_)
      if (!in_header(place)) bounds_.erase(at(place));
    return "";
  }
  // Returns the position of the next name in a declaration list, or end_.
  std::size_t next_declared(std::size_t i) const {
    for (++i; i < end_ && at(i) != ";" && at(i) != ")" && at(i) != "}";) {
      if (at(i) == ",") return is_word(at(i + 1)) ? i + 1 : end_;
      const bool opens = at(i) == "(" || at(i) == "[" || at(i) == "{";
      i = at(i) == "("   ? behind(t_, i, "(", ")")
          : at(i) == "[" ? behind(t_, i, "[", "]")
          : opens        ? behind(t_, i, "{", "}")
                         : i + 1;
    }
    return end_;
  }
  // Returns true if the token position is in the header of an inner loop.
  bool in_header(std::size_t place) const {
    return std::any_of(headers_.begin(), headers_.end(),
                       [&](const auto& one) { return place > one.first && place < one.second; });
  }

  // Returns the position of the last token of the expression that is changed by the assignment, "++" or "--"
  // at i. Returns 0 if there is none at i.
  std::size_t written_by(std::size_t i) const {
    const std::string &text = at(i), &before = at(i - 1);
    if (text == "=") {
      if (before == "=" || at(i + 1) == "=" || before == "!") return 0;
      if (before == "<" || before == ">") return at(i - 2) == before ? i - 3 : 0;
      return std::string("+-*/%&|^").find(before) == std::string::npos ? i - 1 : i - 2;
    }
    if ((text != "+" && text != "-") || at(i + 1) != text) return 0;
    if (before == "]" || is_word(before)) return i - 1;
    std::size_t last = i + 2;
    if (at(last + 1) == "[") last = behind(t_, last + 1, "[", "]") - 1;
    return last;
  }

  std::string refuse_writes() {
    for (std::size_t i = first_; i < end_; ++i) {
      std::size_t last = written_by(i);
      if (last == 0) continue;
      const bool element = at(last) == "]";
      if (element) {
        for (int depth = 0; last > first_; --last) {
          if (at(last) == "]") ++depth;
          if (at(last) == "[" && --depth == 0) break;
        }
        --last;
      }
      const std::string &name = at(last), &before = at(last - 1);
      if (!is_word(name) || before == "." || before == "*" || before == "&" || before == ">" || before == ":")
        return "it writes to something other than a named variable or element";
      if (element && arrays_.contains(name))
        written_.insert(name);
      else if (element ? !own_arrays_.contains(name) : !own_.contains(name))
        return "`" + name + "` is carried from one iteration to the next" +
               (element ? "" : " (a sum needs `reduction(+: " + name + ")`)");
      if (!element && !in_header(last)) bounds_.erase(name);
    }
    return "";
  }

  // Returns an error if several iterations may use the same element of an array that the loop writes.
  std::string refuse_places() const {
    std::map<std::string, std::string> shapes;
    for (std::size_t i = first_; i < end_; ++i) {
      if (at(i + 1) != "[") continue;
      const std::string& name = at(i);
      if (!written_.contains(name)) {
        if (!arrays_.contains(name) && !own_arrays_.contains(name) && outside(name))
          return "`" + name + "` may be an alias of an array";
        continue;
      }
      const auto shape = own_place(i + 2, behind(t_, i + 1, "[", "]") - 1);
      const auto [known, fresh] = shapes.try_emplace(name, shape);
      if (shape.empty() || known->second != shape)
        return "`" + name + "` is written at an index other than `" + loop_variable_ + "`";
    }
    return "";
  }

  // Returns the position of the token `sign` in [begin, end) outside brackets, or `end`.
  std::size_t find(std::size_t begin, std::size_t end, const char* sign) const {
    int depth = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (at(i) == "(") ++depth;
      if (at(i) == ")") --depth;
      if (depth == 0 && at(i) == sign) return i;
    }
    return end;
  }
  // Returns the form of an index that no other iteration of the loop over i uses, or an empty text. The form
  // is "i" for the index i, "i*w" for i * w + x with x < w, and "i*h*w" for (i * h + y) * w + x.
  std::string own_place(std::size_t begin, std::size_t end) const {
    if (at(begin) == "(" && behind(t_, begin, "(", ")") == end) return own_place(begin + 1, end - 1);
    if (end == begin + 1) return at(begin) == loop_variable_ ? loop_variable_ : "";
    const std::size_t plus = find(begin, end, "+");
    if (plus == end) return "";
    const bool last = end == plus + 2;  // true if x is to the right of the plus sign
    const auto bound = bounds_.find(last ? at(plus + 1) : at(begin));
    if ((!last && plus != begin + 1) || bound == bounds_.end() || bound->second.empty()) return "";
    if (!last) begin = plus + 1;
    if (last) end = plus;
    const std::size_t times = find(begin, end, "*");
    std::string within;
    if (end == times + 2 && at(times + 1) == bound->second) within = own_place(begin, times);
    if (times == begin + 1 && at(begin) == bound->second) within = own_place(times + 1, end);
    return within.empty() ? "" : within + "*" + bound->second;
  }

  const Tokens& t_;
  std::set<std::string> arrays_, scalars_;  // names of the function's parameters
  std::set<std::string> own_, own_arrays_;  // names of variables that are declared inside an iteration
  std::set<std::string> written_;           // the arrays_ that the loop writes
  // Maps the variable of an inner loop to its bound. The bound is empty if the variable has several bounds.
  std::map<std::string, std::string> bounds_;
  std::vector<std::size_t> declared_;  // token positions of the names in own_ and own_arrays_
  std::vector<std::pair<std::size_t, std::size_t>> headers_;
  std::string loop_variable_;
  // Token positions of the loop's `for`, of its body, and of its end.
  std::size_t begin_ = 0, first_ = 0, end_ = 0;
};

}  // namespace

Loop outermost_loop(const Tokens& body, const std::vector<Parameter>& parameters) {
  // This limit exists because the time to find closing brackets grows with the square of the number of
  // tokens.
  constexpr std::size_t most_tokens = 10'000;
  if (body.size() > most_tokens) return {};
  return Body(body, parameters).outermost();
}

}  // namespace sextant::own
