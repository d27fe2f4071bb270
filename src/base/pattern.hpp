// Regular expressions with which users select kernels and variants by name.
#pragma once

#include <memory>
#include <string>

namespace sextant {

// An ECMAScript regular expression that must match a whole name. Copies are cheap.
class Pattern {
 public:
  // Throws UserError if `text` is no valid regular expression or if matching could take exponential time:
  //   - more than 200 characters, a count above 100, or a back-reference
  //   - a repeated group that contains a repetition or an alternative, as in (a*)* or (a|ab)+
  // `option` is the command-line option to name in the error message.
  Pattern(const std::string& text, const std::string& option);

  bool matches(const std::string& name) const;

 private:
  struct Expression;  // Holds the std::regex. Compiling one can take seconds, so copies share it.
  std::shared_ptr<const Expression> expression_;
};

}  // namespace sextant
