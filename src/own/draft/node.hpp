// A function's body as libclang parsed it, in plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sextant::own {

struct Node {
  // What indices and conditions are made of; all else is `other` with its children.
  enum class Kind : std::uint8_t {
    other,
    variable,     // a use
    declaration,  // of a variable; its value is the last child, if there is one
    subscript,    // array, index
    member,       // of its child
    unary,
    binary,
    compound,  // a += b
    call,      // the function, then arguments
    branch,    // if: condition, then, else
    loop,      // for; while: a condition and the body
    leave      // return, continue
  };
  Kind kind = Kind::other;
  std::string name;                // of what is used or declared; of a member
  std::string text;                // the operator
  unsigned declared = 0;           // where: the variable's identity; 0: elsewhere than in this file
  std::optional<long long> value;  // of a constant
  bool has_init = false;
  unsigned begin = 0, end = 0;
  bool is_pointer = false, is_reference = false;  // a variable
  bool hidden = false;                            // an operator of it, or of what is in it, stands in a macro
  std::vector<Node> children;
};

}  // namespace sextant::own
