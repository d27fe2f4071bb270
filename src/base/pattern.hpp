// Regular expressions with which users select kernels and variants by name.
#pragma once

#include <memory>
#include <string>

namespace sextant {

// An ECMAScript regular expression that must match a whole name. Copies are cheap.
class Pattern {
 public:
  // `option` names the command-line option that contains `text`, for error messages. Throws UserError if
  // `text` is not a regular expression. Also throws if matching could take exponential time:
  //   - more than 200 characters, a count above 100, or a reference to a group
  //   - a repeated group that contains a repetition or an alternative, as in (a*)* or (a|ab)+
  Pattern(const std::string& text, const std::string& option);

  bool matches(const std::string& name) const;

 private:
  struct Expression;  // Holds the std::regex. Compiling one can take seconds, so copies share it.
  std::shared_ptr<const Expression> expression_;
};

}  // namespace sextant
