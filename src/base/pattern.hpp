// Regular expressions that users type to select by name.
#pragma once

#include <memory>
#include <string>

namespace sextant {

// A regular expression (ECMAScript's) for whole names. Cheap to copy.
class Pattern {
 public:
  // What `option` was given. Throws UserError for what is no regular expression, and for what may take for
  // ever to match: more than 200 characters, a repetition of a group that repeats or chooses itself, as in
  // (a*)* or (a|ab)+, a count above 100, a reference to a group.
  Pattern(const std::string& text, const std::string& option);

  bool matches(const std::string& name) const;

 private:
  struct Expression;  // std::regex: seconds to compile, so only once
  std::shared_ptr<const Expression> expression_;
};

}  // namespace sextant
